import { type APIMessage, type REST, Routes } from "discord.js";
import { z } from "zod";
import { discordId } from "@/contract/wire/discord";
import { minute } from "@/contract/vocabulary/time";
import type { DiscordConfig } from "@/core/settings/config";
import type { Ctx } from "@/core/database/context";
import { accountOfTicket } from "@/domain/customers/find";
import { ticketSurroundings } from "@/domain/customers/for-staff";
import { GuildForbids } from "@/domain/discord/guild";
import type { Ticket } from "@/domain/tickets/reading/queries";
import type { PostedFile, TicketChannels } from "@/domain/tickets/reading/ticket-channels";
import type { Message, Posts } from "../discord/posts";
import { BodyRefused, readAnswer, translate, translated } from "../discord/rest";
import { farewell, greeting } from "./messages";
import { staffCard } from "./staff-card";
import { isWritten, threadMessage } from "./thread-message";
import { createThreads, translateThreadError } from "./threads";

type Parts = { ctx: Ctx; rest: REST; posts: Posts; config: DiscordConfig; publicUrl: URL };

/** Tickets' threads and cards over Discord's REST API, which works without the gateway. */
export function createTicketChannels({ ctx, rest, posts, config, publicUrl }: Parts): TicketChannels {
  const isLinked = async (ticket: Ticket) => (await accountOfTicket(ctx, ticket)) !== null;
  /** Posts a message in a thread, unless an earlier attempt has; one of its buttons identifies it. */
  const postOnce = async (threadId: string, customId: string, message: Message, nonce: string) =>
    (await translateThreadError(posts.findOwn(threadId, customId))) ??
    translateThreadError(posts.post(threadId, message, nonce));
  return {
    ...createThreads(rest, config, posts),
    async postGreeting(threadId, ticket) {
      const settings = new URL("/dashboard/settings", publicUrl);
      const message = greeting(ticket, { linked: await isLinked(ticket), settings, now: ctx.now() });
      return postOnce(
        threadId,
        `ticket-leave:${ticket.id}`,
        message,
        `greet:${ticket.id}:${ticket.threadsLost}`,
      );
    },
    async postFarewell(threadId, ticket) {
      const page = new URL(`/dashboard/ticket?id=${ticket.id}`, publicUrl);
      const message = farewell(ticket, (await isLinked(ticket)) ? page : null);
      const round = `${ticket.id}:${ticket.round}`;
      return postOnce(threadId, `ticket-reopen:${round}`, message, `bye:${round}`);
    },
    async showCard(ticket) {
      const { staffChannelId } = config;
      const message = await cardOf(ctx, config, ticket);
      const known =
        ticket.cardId ?? (await translated(posts.findOwn(staffChannelId, `ticket-close:${ticket.id}`)));
      if (known && (await translated(posts.edit(staffChannelId, known, message)))) return known;
      return translated(posts.post(staffChannelId, message, `card:${ticket.id}:${known ?? ""}`));
    },
    cardExists: (cardId) => translated(posts.exists(config.staffChannelId, cardId)),
    async removeCard(cardId) {
      await translated(posts.remove(config.staffChannelId, cardId));
    },
    async postText(threadId, { text, once, file }) {
      const post = (files: PostedFile[]) =>
        translateThreadError(posts.post(threadId, { content: text, files }, once));
      if (!file) return post([]);
      // the bot may lack the permission to attach files
      return post([file]).catch((error: unknown) => {
        if (!(error instanceof GuildForbids || error instanceof BodyRefused)) throw error;
        return post([]);
      });
    },
    ownPosts: (threadId) => translateThreadError(posts.own(threadId)),
    messagesAfter: messagesAfter(rest, posts),
    fetchFile: fetchFile(config),
  };
}

async function cardOf(ctx: Ctx, { ownerRoleId }: DiscordConfig, ticket: Ticket): Promise<Message> {
  const withRefunds = ownerRoleId !== null;
  return staffCard(ticket, await ticketSurroundings(ctx, ticket, { withRefunds }));
}

/** Fetches an attachment only from Discord's own hosts, whatever an event says. */
const fetchFile =
  (config: DiscordConfig): TicketChannels["fetchFile"] =>
  async (url, mostBytes) => {
    if (!isDiscords(url, config)) return null;
    const answer = await translated(fetch(url, { signal: AbortSignal.timeout(minute), redirect: "error" }));
    if (answer.status === 404 || answer.status === 403) return null;
    if (!answer.ok) throw translate(new Error(`a file answered ${answer.status}`));
    const bytes = new Uint8Array(await answer.arrayBuffer());
    return bytes.length > mostBytes ? null : bytes;
  };

function isDiscords(url: string, { apiUrl }: DiscordConfig): boolean {
  const { protocol, hostname, origin } = new URL(url);
  if (apiUrl && origin === apiUrl.origin) return true;
  return protocol === "https:" && ["cdn.discordapp.com", "media.discordapp.net"].includes(hostname);
}

const pageSize = 100;
const pageAnswer = z.array(
  z.looseObject({
    id: z.string().regex(discordId),
    content: z.string(),
    timestamp: z.string(),
    author: z.looseObject({ id: z.string(), username: z.string() }),
    attachments: z.array(z.looseObject({ id: z.string() })),
  }),
);

const messagesAfter =
  (rest: REST, posts: Posts): TicketChannels["messagesAfter"] =>
  async (threadId, messageId) => {
    const query = new URLSearchParams({ limit: String(pageSize), after: messageId ?? "0" });
    const answer = await translateThreadError(rest.get(Routes.channelMessages(threadId), { query }));
    // not every server gives the newest first
    const page = readAnswer(pageAnswer, "GET /channels/:id/messages", answer) as unknown as APIMessage[];
    const messages = page.toSorted((one, other) => (BigInt(one.id) < BigInt(other.id) ? -1 : 1));
    const discord = { cdn: rest.cdn, me: await translateThreadError(posts.me()) };
    return {
      messages: messages.filter(isWritten).map((message) => threadMessage(threadId, discord, message)),
      next: page.length < pageSize ? null : (messages.at(-1)?.id ?? null),
    };
  };
