import { and, eq, isNull, lt, lte } from "drizzle-orm";
import { day } from "@/contract/vocabulary/time";
import { theShop } from "@/core/base/actor";
import { commit, mustHaveChanged } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { GuildForbids } from "../../discord/guild";
import { tickets } from "../../schema/tickets";
import { catchUp } from "./catch-up";
import { closeTicket, ignoreRefusal } from "../writing/change";
import { eraseTickets } from "./erase";
import { noReminderWaits, reminder, queueInThread } from "../reading/thread";
import type { Ticket } from "../reading/queries";
import { type TicketChannels, ThreadGone } from "../reading/ticket-channels";

/** Counted from staff's answer, while the member is silent. */
const remindAfter = day;
const closeAfter = 3 * day;
/** Counted from when the ticket was closed. */
const keepFor = 180 * day;
const mostErasedAtOnce = 100;
const mostClosedAtOnce = 100;

const reminderText =
  "Are you still there? We haven't heard from you since our answer. This ticket closes in two days unless you write.";

/** Reminds silent members, closes tickets that stay silent, and erases old ones. */
export async function runTicketTimers(ctx: Ctx, channels: TicketChannels): Promise<void> {
  await eraseOldTickets(ctx);
  await remind(ctx, channels);
  await closeSilent(ctx, channels);
}

async function remind(ctx: Ctx, channels: TicketChannels): Promise<void> {
  const silent = and(
    isOpenFor("member"),
    isNull(tickets.remindedAt),
    lte(tickets.waitingSince, ago(ctx, remindAfter)),
  );
  for (const { id } of await ctx.store.db.select({ id: tickets.id }).from(tickets).where(silent)) {
    if (!(await isCaughtUp(ctx, channels, id))) continue;
    await ignoreRefusal(
      commit(ctx.store, [
        ctx.store.db
          .update(tickets)
          .set({ remindedAt: ctx.now() })
          .where(and(eq(tickets.id, id), silent)),
        mustHaveChanged("conflict"),
        queueInThread(ctx, id, { what: reminder, text: reminderText }),
      ]),
    );
  }
}

/** Never closes sooner than the reminder announced, however long the shop or Discord was down. */
async function closeSilent(ctx: Ctx, channels: TicketChannels): Promise<void> {
  const silent = and(
    isOpenFor("member"),
    lte(tickets.waitingSince, ago(ctx, closeAfter)),
    lte(tickets.remindedAt, ago(ctx, closeAfter - remindAfter)),
  );
  for (const { id } of await ctx.store.db.select({ id: tickets.id }).from(tickets).where(silent)) {
    if (!(await isCaughtUp(ctx, channels, id))) continue;
    const [still] = await ctx.store.db
      .select()
      .from(tickets)
      .where(and(eq(tickets.id, id), silent, noReminderWaits(ctx, id)));
    if (still) await closeAsSilent(ctx, still);
  }
}

const closeAsSilent = (ctx: Ctx, ticket: Ticket): Promise<void> =>
  ignoreRefusal(closeTicket(ctx, ticket, { actor: theShop, reason: "There was no reply for three days." }));

/**
 * The same for a shop without Discord, where nothing was missed that could be caught up with: the mail that an answer
 * waits was the reminder.
 */
export async function closeSilentOnSite(ctx: Ctx): Promise<void> {
  const silent = and(isOpenFor("member"), lte(tickets.waitingSince, ago(ctx, closeAfter)));
  const found = await ctx.store.db.select().from(tickets).where(silent).limit(mostClosedAtOnce);
  for (const ticket of found) await closeAsSilent(ctx, ticket);
}

/** Reads what the member may have written while the gateway was down; false if it can't be read. */
const isCaughtUp = (ctx: Ctx, channels: TicketChannels, id: string): Promise<boolean> =>
  catchUp(ctx, channels, id).then(
    () => true,
    (error: unknown) => {
      if (error instanceof ThreadGone) return true;
      if (error instanceof GuildForbids) return false;
      throw error;
    },
  );

/** Erases tickets that were closed long ago, some at a time; the next run erases the next. */
export async function eraseOldTickets(ctx: Ctx): Promise<void> {
  const old = and(eq(tickets.state, "closed"), lt(tickets.closedAt, ago(ctx, keepFor)));
  await eraseTickets(ctx, old, { most: mostErasedAtOnce });
}

const isOpenFor = (who: "member" | "staff") => and(eq(tickets.state, "open"), eq(tickets.waitingFor, who));
const ago = (ctx: Ctx, milliseconds: number) => new Date(ctx.now().getTime() - milliseconds);
