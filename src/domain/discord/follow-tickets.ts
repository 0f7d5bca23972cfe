import { and, eq, sql } from "drizzle-orm";
import type { Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { enqueueEach } from "@/core/jobs/outbox";
import { botTopics } from "../outbox-topics";
import { tickets } from "../schema/tickets";

/**
 * Makes the account's Discord user, if it has one, the member of its tickets from the site: the bot lets them into the
 * threads, and removes the one before.
 */
export function ticketsFollow(ctx: Ctx, accountId: string, discordUserId: string | null): Write[] {
  const own = and(eq(tickets.accountId, accountId), eq(tickets.via, "site"));
  const { discordUserId: before, formerMemberId } = tickets;
  // of several changes before the bot hears of any, only the first member is in the thread
  const former = sql`nullif(coalesce(${formerMemberId}, ${before}), ${discordUserId})`;
  return [
    ctx.store.db.update(tickets).set({ discordUserId, formerMemberId: former }).where(own),
    enqueueEach(ctx, botTopics.syncTicket, {
      subject: tickets.id,
      from: tickets,
      where: and(own, eq(tickets.state, "open")),
    }),
  ];
}
