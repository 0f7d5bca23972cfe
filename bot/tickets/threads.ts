import { type APIThreadChannel, ChannelType, type REST, Routes, SnowflakeUtil } from "discord.js";
import { z } from "zod";
import { discordId } from "@/contract/wire/discord";
import { minute } from "@/contract/vocabulary/time";
import type { DiscordConfig } from "@/core/settings/config";
import { ThreadGone, type TicketChannels } from "@/domain/tickets/reading/ticket-channels";
import type { Posts } from "../discord/posts";
import {
  BodyRefused,
  codeOf,
  discordCodes,
  isNotAMember,
  readAnswer,
  translate,
  translated,
} from "../discord/rest";
import { threadNames } from "./messages";

type Threads = Pick<
  TicketChannels,
  | "findThread"
  | "makeThread"
  | "unarchiveThread"
  | "lockThread"
  | "addToThread"
  | "removeFromThread"
  | "removeThread"
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

/** A week of silence, the longest that Discord allows. */
const sleepMinutes = 10_080;
/** A closed ticket's thread leaves everybody's list within a day. */
const lockedSleepMinutes = 1_440;
/** How far the shop's clock may be ahead of Discord's. */
const clockDifferenceMilliseconds = minute;
/** How many closed tickets' threads are archived to make room in a full server. */
const archivedAtOnce = 10;

/** Tickets' threads over Discord's REST API. */
export function createThreads(rest: REST, config: DiscordConfig, { me }: Posts): Threads {
  const change = (threadId: string, body: object) => rest.patch(Routes.channel(threadId), { body });

  /** The bot's threads that are not archived, oldest first. */
  const ownActive = async (): Promise<ActiveThread[]> => {
    const active = await rest.get(Routes.guildActiveThreads(config.guildId));
    const { threads } = readAnswer(activeAnswer, "GET /guilds/:id/threads/active", active);
    const own = await me();
    return threads
      .filter(({ owner_id }) => owner_id === own)
      .toSorted((one, other) => (BigInt(one.id) < BigInt(other.id) ? -1 : 1));
  };
  /** Archives threads of closed tickets before their time. */
  const makeRoom = async (): Promise<void> => {
    const ended = (await ownActive()).filter(({ thread_metadata }) => thread_metadata?.locked);
    for (const { id } of ended.slice(0, archivedAtOnce)) await change(id, { archived: true });
  };
  const withRoom = <T>(act: () => Promise<T>) => retryAfter(act, discordCodes.tooManyThreads, makeRoom);
  const awake = (threadId: string) =>
    withRoom(() => change(threadId, { archived: false, locked: false, auto_archive_duration: sleepMinutes }));
  // Discord's answer to this call
  const look = (threadId: string) => rest.get(Routes.channel(threadId)) as Promise<APIThreadChannel>;

  return {
    async findThread(ticket) {
      const { number, threadAskedAt } = ticket;
      const spelled = threadNames(ticket).at(-1);
      // a ticket lost by restoring a backup may have had the same number
      const earliest = (threadAskedAt?.getTime() ?? 0) - clockDifferenceMilliseconds;
      const mine = (await translated(ownActive())).find(
        ({ id, name }) =>
          (name === spelled || name?.startsWith(`#${number} `)) &&
          SnowflakeUtil.timestampFrom(id) >= earliest,
      );
      return mine?.id ?? null;
    },
    async makeThread(ticket, renamed) {
      const fixed = {
        type: ChannelType.PrivateThread,
        invitable: false,
        auto_archive_duration: sleepMinutes,
      };
      const make = (name: string) =>
        translated(
          withRoom(() => rest.post(Routes.threads(config.supportChannelId), { body: { ...fixed, name } })),
        );
      const [first, ...others] = threadNames(ticket);
      let name = first;
      let making = make(name);
      for (const other of others) {
        making = making.catch((error: unknown) => {
          if (!(error instanceof BodyRefused)) throw error;
          name = other;
          return make(name);
        });
      }
      // Discord's answer to this call
      const { id } = (await making) as APIThreadChannel;
      if (name !== first) await renamed(name);
      return id;
    },
    async unarchiveThread(threadId) {
      const { thread_metadata: now } = await translateThreadError(look(threadId));
      if (now?.archived || now?.locked) await translateThreadError(awake(threadId));
    },
    // not archived at once: members still use the buttons under the last message
    async lockThread(threadId) {
      const { thread_metadata: now } = await translateThreadError(look(threadId));
      if (now?.locked) return;
      const locked = { archived: false, locked: true, auto_archive_duration: lockedSleepMinutes };
      await translateThreadError(withRoom(() => change(threadId, locked)));
    },
    async removeThread(threadId) {
      await translateThreadError(rest.delete(Routes.channel(threadId))).catch((error: unknown) => {
        if (!(error instanceof ThreadGone)) throw error;
      });
    },
    async removeFromThread(threadId, userId) {
      const remove = () => rest.delete(Routes.threadMembers(threadId, userId));
      const removed = retryAfter(remove, discordCodes.threadArchived, () => awake(threadId));
      await translateThreadError(
        removed.catch((error: unknown) => {
          if (!isNotAMember(error)) throw error;
        }),
      );
    },
    async addToThread(threadId, userId) {
      const put = () => rest.put(Routes.threadMembers(threadId, userId));
      // Discord archives a thread after a week of silence
      const inside = retryAfter(put, discordCodes.threadArchived, () => awake(threadId)).then(
        () => "inside" as const,
        (error: unknown) => {
          if (isNotAMember(error)) return "away" as const;
          if (codeOf(error) === discordCodes.missingAccess) return "barred" as const;
          throw error;
        },
      );
      return translateThreadError(inside);
    },
  };
}

/** Retries once after removing the cause of Discord's refusal. */
async function retryAfter<T>(
  act: () => Promise<T>,
  code: number,
  remove: () => Promise<unknown>,
): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (codeOf(error) !== code) throw error;
    await remove();
    return act();
  }
}

/** Translates the failure of a call about a ticket's thread, which may be gone. */
export const translateThreadError = <T>(call: Promise<T>): Promise<T> =>
  call.catch((error: unknown) => {
    if (error instanceof ThreadGone) throw error;
    throw codeOf(error) === discordCodes.unknownChannel ? new ThreadGone() : translate(error);
  });
