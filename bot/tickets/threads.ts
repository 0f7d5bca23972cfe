import { type APIThreadChannel, ChannelType, type REST, Routes } from "discord.js";
import { z } from "zod";
import { discordId } from "@/contract/community";
import type { DiscordConfig } from "@/core/config";
import { ThreadGone, type TicketRoom } from "@/domain/tickets/ticket-channels";
import { readAnswer } from "../discord/answers";
import { codeOf, discordCodes, isNotAMember } from "../discord/rest";
import { inThread, outside, placeCodes } from "./calls";
import type { Posts } from "./posts";
import { threadName } from "./messages";

type Threads = Pick<
  TicketRoom,
  "findThread" | "makeThread" | "wakeThread" | "shutThread" | "letIn" | "removeThread"
>;

const activeAnswer = z.object({
  threads: z.array(
    z.object({
      id: z.string().regex(discordId),
      name: z.string().nullish(),
      owner_id: z.string().nullish(),
      thread_metadata: z.object({ locked: z.boolean().nullish() }).nullish(),
    }),
  ),
});
type ActiveThread = z.output<typeof activeAnswer>["threads"][number];

/** A week of silence: Discord's longest. */
const sleepMinutes = 10_080;
/** After its end a thread leaves everybody's list within a day. */
const shutSleepMinutes = 1_440;
/** So many ended tickets' threads make room for a new one where the server is full. */
const putAwayAtOnce = 10;

/** Tickets' threads over Discord's REST API. */
export function createThreads(rest: REST, config: DiscordConfig, { me }: Posts): Threads {
  const change = (threadId: string, body: object) => rest.patch(Routes.channel(threadId), { body });

  /** Those of ours that are not put away, oldest first. */
  const ownActive = async (): Promise<ActiveThread[]> => {
    const active = await rest.get(Routes.guildActiveThreads(config.guildId));
    const { threads } = readAnswer(activeAnswer, "GET /guilds/:id/threads/active", active);
    const own = await me();
    return threads
      .filter(({ owner_id }) => owner_id === own)
      .toSorted((one, other) => (BigInt(one.id) < BigInt(other.id) ? -1 : 1));
  };
  /** Threads of ended tickets leave the list before their time. */
  const putAway = async (): Promise<void> => {
    const ended = (await ownActive()).filter(({ thread_metadata }) => thread_metadata?.locked);
    for (const { id } of ended.slice(0, putAwayAtOnce)) await change(id, { archived: true });
  };
  const withRoom = <T>(act: () => Promise<T>) => afterMending(act, placeCodes.tooManyThreads, putAway);
  const awake = (threadId: string) =>
    withRoom(() => change(threadId, { archived: false, locked: false, auto_archive_duration: sleepMinutes }));
  // Discord's answer to this call
  const look = (threadId: string) => rest.get(Routes.channel(threadId)) as Promise<APIThreadChannel>;

  return {
    async findThread({ number }) {
      const mine = (await outside(ownActive())).find(({ name }) => name?.startsWith(`#${number} `));
      return mine?.id ?? null;
    },
    async makeThread(ticket) {
      const body = {
        name: threadName(ticket),
        type: ChannelType.PrivateThread,
        invitable: false,
        auto_archive_duration: sleepMinutes,
      };
      const make = () => rest.post(Routes.threads(config.supportChannelId), { body });
      // Discord's answer to this call
      const made = await outside(withRoom(make));
      return (made as APIThreadChannel).id;
    },
    async wakeThread(threadId) {
      const { thread_metadata: now } = await inThread(look(threadId));
      if (now?.archived || now?.locked) await inThread(awake(threadId));
    },
    // not put away at once: what stands under the last message is still to be pressed
    async shutThread(threadId) {
      const { thread_metadata: now } = await inThread(look(threadId));
      if (now?.locked) return;
      const shut = { archived: false, locked: true, auto_archive_duration: shutSleepMinutes };
      await inThread(withRoom(() => change(threadId, shut)));
    },
    async removeThread(threadId) {
      await inThread(rest.delete(Routes.channel(threadId))).catch((error: unknown) => {
        if (!(error instanceof ThreadGone)) throw error;
      });
    },
    async letIn(threadId, userId) {
      const put = () => rest.put(Routes.threadMembers(threadId, userId));
      // a ticket that nobody answered for a week went to sleep
      const inside = afterMending(put, placeCodes.threadArchived, () => awake(threadId)).then(
        () => "inside" as const,
        (error: unknown) => {
          if (isNotAMember(error)) return "away" as const;
          if (codeOf(error) === discordCodes.missingAccess) return "barred" as const;
          throw error;
        },
      );
      return inThread(inside);
    },
  };
}

/** Does it once more after mending what Discord refused it for. */
async function afterMending<T>(
  act: () => Promise<T>,
  code: number,
  mend: () => Promise<unknown>,
): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (codeOf(error) !== code) throw error;
    await mend();
    return act();
  }
}
