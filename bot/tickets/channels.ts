import type { REST } from "discord.js";
import type { DiscordConfig } from "@/core/config";
import type { Ctx } from "@/core/context";
import { customerOf } from "@/domain/customers/customer";
import { accountOfDiscordUser } from "@/domain/customers/find";
import { ticketsOf, type Ticket } from "@/domain/tickets/queries";
import type { TicketRoom } from "@/domain/tickets/ticket-channels";
import { inThread, outside } from "./calls";
import { staffCard } from "./staff-card";
import { fetchFile } from "./files";
import { saidAfter } from "./read-messages";
import { createPosts } from "./posts";
import { createThreads } from "./threads";
import { farewell, greeting, type Message } from "./messages";

type Parts = { ctx: Ctx; rest: REST; config: DiscordConfig; publicUrl: URL };

/** Tickets' places over Discord's REST API, so that work goes on with the gateway down. */
export function createTicketRoom({ ctx, rest, config, publicUrl }: Parts): TicketRoom {
  const posts = createPosts(rest);
  return {
    ...createThreads(rest, config, posts),
    async greet(threadId, ticket) {
      const linked = (await accountOfDiscordUser(ctx, ticket.discordUserId)) !== null;
      const settings = new URL("/dashboard/settings", publicUrl);
      const words = greeting(ticket, { linked, settings, now: ctx.now() });
      const known = await inThread(posts.findOwn(threadId, `ticket-leave:${ticket.id}`));
      return known ?? inThread(posts.post(threadId, words, `greet:${ticket.id}:${ticket.threadsLost}`));
    },
    async sayGoodbye(threadId, ticket) {
      const page = new URL(`/dashboard/ticket?id=${ticket.id}`, publicUrl);
      const linked = (await accountOfDiscordUser(ctx, ticket.discordUserId)) !== null;
      const words = farewell(ticket, linked ? page : null);
      const known = await inThread(posts.findOwn(threadId, `ticket-reopen:${ticket.id}:${ticket.round}`));
      return known ?? inThread(posts.post(threadId, words, `bye:${ticket.id}:${ticket.round}`));
    },
    async showCard(ticket) {
      const { staffChannelId } = config;
      const words = await cardOf(ctx, ticket);
      const known =
        ticket.cardId ?? (await outside(posts.findOwn(staffChannelId, `ticket-close:${ticket.id}`)));
      if (known && (await outside(posts.edit(staffChannelId, known, words)))) return known;
      return outside(posts.post(staffChannelId, words, `card:${ticket.id}:${known ?? ""}`));
    },
    cardStands: (cardId) => outside(posts.stands(config.staffChannelId, cardId)),
    async removeCard(cardId) {
      await outside(posts.takeBack(config.staffChannelId, cardId));
    },
    async say(threadId, { text, once }) {
      await inThread(posts.post(threadId, { content: text }, once));
    },
    saidAfter: saidAfter(rest),
    fetchFile: fetchFile(config),
  };
}

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
