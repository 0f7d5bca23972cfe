import { createHash } from "node:crypto";
import {
  type APIAttachment,
  type APIMessage,
  type APIThreadChannel,
  type APIUser,
  ChannelType,
  MessageType,
  REST,
  Routes,
} from "discord.js";
import type { DiscordConfig } from "@/core/config";
import type { Ctx } from "@/core/context";
import { accountOfDiscordUser, customerOf } from "@/domain/staff/customer";
import { ticketsOf, type Ticket } from "@/domain/tickets/find";
import { type Heard, ThreadGone, type TicketRoom } from "@/domain/tickets/room";
import { codeOf, isNotAMember, restOptions, translate } from "../rest";
import { farewell, greeting, type Message, staffCard, topicOf } from "./words";

type Parts = { ctx: Ctx; rest: REST; config: DiscordConfig; publicUrl: URL };

const unknownChannel = 10003;
const unknownMessage = 10008;
/** A week of silence: Discord's longest. */
const sleepMinutes = 10_080;
/** After its end a thread leaves everybody's list within a day. */
const shutSleepMinutes = 1_440;

/** Tickets' places over Discord's REST API, so that work goes on with the gateway down. */
export function createTicketRoom({ ctx, rest, config, publicUrl }: Parts): TicketRoom {
  // Making a thread has no nonce: one that was lost on the way back is looked for, never just asked for again.
  const once = new REST({ ...restOptions(config), retries: 0 }).setToken(config.botToken);
  let known: Promise<string> | null = null;
  /** Our own user: with older applications its id is another than theirs. */
  const me = () =>
    (known ??= rest.get(Routes.user()).then(
      (user) => (user as APIUser).id,
      (error: unknown) => {
        known = null;
        throw error;
      },
    ));

  const post = async (channelId: string, message: Message, nonce: string): Promise<string> => {
    const body = { ...bodyOf(message), nonce: nonceOf(nonce), enforce_nonce: true };
    // Discord's answer to this call
    return ((await rest.post(Routes.channelMessages(channelId), { body })) as APIMessage).id;
  };
  /** A message of ours with this component, among the newest of a channel. */
  const findOwn = async (channelId: string, customId: string): Promise<string | null> => {
    const query = new URLSearchParams({ limit: "100" });
    const page = (await rest.get(Routes.channelMessages(channelId), { query })) as APIMessage[];
    const own = await me();
    const mine = page.find(
      (one) => one.author.id === own && JSON.stringify(one.components ?? []).includes(`"${customId}`),
    );
    return mine?.id ?? null;
  };
  const change = (threadId: string, body: object) => rest.patch(Routes.channel(threadId), { body });

  return {
    async findThread(ticket) {
      const active = (await outside(rest.get(Routes.guildActiveThreads(config.guildId)))) as {
        threads: APIThreadChannel[];
      };
      const own = await outside(me());
      const mine = active.threads.find(
        (one) =>
          one.parent_id === config.supportChannelId &&
          one.owner_id === own &&
          one.name?.startsWith(`#${ticket.number} `),
      );
      return mine?.id ?? null;
    },
    async makeThread(ticket) {
      const body = {
        name: `#${ticket.number} ${topicOf(ticket.topic).name} · ${ticket.memberName}`.slice(0, 100),
        type: ChannelType.PrivateThread,
        invitable: false,
        auto_archive_duration: sleepMinutes,
      };
      return (
        (await outside(once.post(Routes.threads(config.supportChannelId), { body }))) as APIThreadChannel
      ).id;
    },
    async wakeThread(threadId) {
      const awake = { archived: false, locked: false, auto_archive_duration: sleepMinutes };
      await inThread(change(threadId, awake));
    },
    // not put away at once: what stands under the last message is still to be pressed
    async shutThread(threadId) {
      const thread = (await inThread(rest.get(Routes.channel(threadId)))) as APIThreadChannel;
      if (thread.thread_metadata?.locked) return;
      const shut = { archived: false, locked: true, auto_archive_duration: shutSleepMinutes };
      await inThread(change(threadId, shut));
    },
    async letIn(threadId, userId) {
      return inThread(
        rest.put(Routes.threadMembers(threadId, userId)).then(
          () => true,
          (error: unknown) => {
            if (isNotAMember(error)) return false;
            throw error;
          },
        ),
      );
    },
    async greet(threadId, ticket) {
      const linked = (await accountOfDiscordUser(ctx, ticket.discordUserId)) !== null;
      const words = greeting(ticket, {
        linked,
        settings: new URL("/dashboard/settings", publicUrl),
        now: ctx.now(),
      });
      const known = await inThread(findOwn(threadId, `ticket-leave:${ticket.id}`));
      return known ?? inThread(post(threadId, words, `greet:${ticket.id}:${ticket.threadsLost}`));
    },
    async sayGoodbye(threadId, ticket) {
      const words = farewell(ticket, new URL(`/dashboard/ticket?id=${ticket.id}`, publicUrl));
      const known = await inThread(findOwn(threadId, `ticket-reopen:${ticket.id}:${ticket.round}`));
      return known ?? inThread(post(threadId, words, `bye:${ticket.id}:${ticket.round}`));
    },
    async showCard(ticket) {
      const words = await cardOf(ctx, ticket);
      const known =
        ticket.cardId ?? (await outside(findOwn(config.staffChannelId, `ticket-close:${ticket.id}`)));
      if (known) {
        const there = await outside(
          rest.patch(Routes.channelMessage(config.staffChannelId, known), { body: bodyOf(words) }).then(
            () => true,
            (error: unknown) => {
              if (codeOf(error) === unknownMessage) return false;
              throw error;
            },
          ),
        );
        if (there) return known;
      }
      return outside(post(config.staffChannelId, words, `card:${ticket.id}:${known ?? ""}`));
    },
    say: async (threadId, { text, once: nonce }) =>
      void (await inThread(post(threadId, { content: text }, nonce))),
    async *heardAfter(threadId, messageId) {
      for (let after = messageId ?? "0"; ;) {
        const query = new URLSearchParams({ limit: "100", after });
        const page = (await inThread(rest.get(Routes.channelMessages(threadId), { query }))) as APIMessage[];
        const oldestFirst = page.toReversed();
        yield oldestFirst.filter(isSpoken).map((message) => heardIn(threadId, message));
        const last = oldestFirst.at(-1);
        if (!last || page.length < 100) return;
        after = last.id;
      }
    },
    async fetchFile(url, mostBytes) {
      if (!isDiscords(url, config)) return null;
      const answer = await outside(fetch(url, { signal: AbortSignal.timeout(60_000), redirect: "error" }));
      if (answer.status === 404 || answer.status === 403) return null;
      if (!answer.ok) throw translate(new Error(`a file answered ${answer.status}`));
      const bytes = new Uint8Array(await answer.arrayBuffer());
      return bytes.length > mostBytes ? null : bytes;
    },
  };
}

const outside = <T>(call: Promise<T>): Promise<T> =>
  call.catch((error: unknown) => {
    throw translate(error);
  });
const inThread = <T>(call: Promise<T>): Promise<T> =>
  call.catch((error: unknown) => {
    throw codeOf(error) === unknownChannel ? new ThreadGone() : translate(error);
  });

/** What people, and we, say; not what Discord tells of joins and names. */
export const isSpoken = ({ type }: { type: MessageType }) =>
  type === MessageType.Default || type === MessageType.Reply || type === MessageType.ChatInputCommand;

type Spoken = Pick<APIMessage, "id" | "content" | "author" | "timestamp"> & { attachments: APIAttachment[] };

export const heardIn = (
  threadId: string,
  { id, content, author, timestamp, attachments }: Spoken,
): Heard => ({
  id,
  threadId,
  authorId: author.id,
  authorName: author.global_name ?? author.username,
  isBot: author.bot ?? false,
  content,
  at: new Date(timestamp),
  files: attachments.map((one) => ({ id: one.id, name: one.filename, size: one.size, url: one.url })),
});

async function cardOf(ctx: Ctx, ticket: Ticket): Promise<Message> {
  const account = await accountOfDiscordUser(ctx, ticket.discordUserId);
  const customer = account ? await customerOf(ctx, account) : null;
  const all = await ticketsOf(ctx, ticket.discordUserId);
  return staffCard(
    ticket,
    customer,
    all.filter(({ number }) => number < ticket.number),
  );
}

/** Files come from Discord's own hosts and no other, whatever an event says. */
function isDiscords(url: string, { apiUrl }: DiscordConfig): boolean {
  const { protocol, hostname, origin } = new URL(url);
  if (apiUrl && origin === apiUrl.origin) return true;
  return protocol === "https:" && ["cdn.discordapp.com", "media.discordapp.net"].includes(hostname);
}

const bodyOf = ({ content = "", embeds = [], components = [] }: Message) => ({
  content,
  embeds: embeds.map((one) => one.toJSON()),
  components: components.map((one) => one.toJSON()),
  allowed_mentions: { parse: [] },
});

/** Discord takes 25 characters. */
const nonceOf = (text: string) => createHash("sha256").update(text).digest("base64url").slice(0, 25);
