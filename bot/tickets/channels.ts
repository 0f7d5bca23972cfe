import type { REST } from "discord.js";
import type { DiscordConfig } from "@/core/config";
import type { Ctx } from "@/core/context";
import { customerOf } from "@/domain/customers/customer";
import { accountOfDiscordUser } from "@/domain/customers/find";
import { refundOfTicket } from "@/domain/payments/refunds";
import { type Ticket, ticketsOf } from "@/domain/tickets/queries";
import type { TicketChannels } from "@/domain/tickets/ticket-channels";
import { translate, translated } from "../discord/rest";
import { farewell, greeting, type Message } from "./messages";
import { createPosts } from "./posts";
import { messagesAfter } from "./read-messages";
import { staffCard } from "./staff-card";
import { createThreads, inThread } from "./threads";

type Parts = { ctx: Ctx; rest: REST; config: DiscordConfig; publicUrl: URL };

/** Tickets' threads and cards over Discord's REST API, which works without the gateway. */
export function createTicketChannels({ ctx, rest, config, publicUrl }: Parts): TicketChannels {
  const posts = createPosts(rest);
  return {
    ...createThreads(rest, config, posts),
    async postGreeting(threadId, ticket) {
      const linked = (await accountOfDiscordUser(ctx, ticket.discordUserId)) !== null;
      const settings = new URL("/dashboard/settings", publicUrl);
      const message = greeting(ticket, { linked, settings, now: ctx.now() });
      const known = await inThread(posts.findOwn(threadId, `ticket-leave:${ticket.id}`));
      return known ?? inThread(posts.post(threadId, message, `greet:${ticket.id}:${ticket.threadsLost}`));
    },
    async postFarewell(threadId, ticket) {
      const page = new URL(`/dashboard/ticket?id=${ticket.id}`, publicUrl);
      const linked = (await accountOfDiscordUser(ctx, ticket.discordUserId)) !== null;
      const message = farewell(ticket, linked ? page : null);
      const known = await inThread(posts.findOwn(threadId, `ticket-reopen:${ticket.id}:${ticket.round}`));
      return known ?? inThread(posts.post(threadId, message, `bye:${ticket.id}:${ticket.round}`));
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
    async say(threadId, { text, once }) {
      await inThread(posts.post(threadId, { content: text }, once));
    },
    messagesAfter: messagesAfter(rest),
    fetchFile: fetchFile(config),
  };
}

async function cardOf(ctx: Ctx, { ownerRoleId }: DiscordConfig, ticket: Ticket): Promise<Message> {
  const account = await accountOfDiscordUser(ctx, ticket.discordUserId);
  const customer = account ? await customerOf(ctx, account) : null;
  const all = await ticketsOf(ctx, ticket.discordUserId);
  const refunds = ownerRoleId === null ? null : { newest: await refundOfTicket(ctx, ticket.id) };
  return staffCard(ticket, {
    customer,
    earlier: all.filter(({ number }) => number < ticket.number),
    refunds,
  });
}

/** Fetches an attachment, from Discord's own hosts and no other, whatever an event says. */
const fetchFile =
  (config: DiscordConfig): TicketChannels["fetchFile"] =>
  async (url, mostBytes) => {
    if (!isDiscords(url, config)) return null;
    const answer = await translated(fetch(url, { signal: AbortSignal.timeout(60_000), redirect: "error" }));
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
