import { and, eq, gt, isNull, type SQL, sql } from "drizzle-orm";
import { type SQLiteUpdateSetSource, union } from "drizzle-orm/sqlite-core";
import { maxOpenTickets } from "@/contract/vocabulary/bounds";
import { day } from "@/contract/vocabulary/time";
import type { AuditAction } from "@/contract/wire/audit-events";
import { type Actor, type DiscordStaff, theShop } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit, mustHaveChanged, mustNotExist, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { reopenDays } from "@/contract/vocabulary/bounds";
import type { RefusalCode } from "@/contract/vocabulary/refusals";
import { failpoint } from "@/core/log/failpoints";
import { Refusal } from "@/core/base/refusal";
import { ticketGuests, ticketMessages, tickets } from "../../schema/tickets";
import { authorize, type Permission } from "../../permissions";
import { answeredWrite } from "./answered";
import { type Note, noteWrites } from "./notes";
import { isOpen, isOwnedBy, type Ticket } from "../reading/queries";
import { requestSync, queueInThread } from "../reading/thread";

const reopenMilliseconds = reopenDays * day;

/** Tickets closed before this stay closed. */
export const reopenableSince = (now: Date): Date => new Date(now.getTime() - reopenMilliseconds);
/** Until when a ticket may be reopened; null for one that is open or stays closed. */
export const reopenableUntil = (
  { closedAt, fullAt }: Pick<Ticket, "closedAt" | "fullAt">,
  now: Date,
): Date | null =>
  closedAt && !fullAt && closedAt > reopenableSince(now)
    ? new Date(closedAt.getTime() + reopenMilliseconds)
    : null;

/** The member reads `reason`, and only staff `note`. */
export type CloseInput = {
  actor: Actor;
  reason: string | null;
  note?: Note;
};

/** Refuses with `ticket_closed`. */
export const closeTicket = (ctx: Ctx, ticket: Ticket, closing: CloseInput): Promise<void> =>
  changeTicket(ctx, ticket, {
    ...closingOf(ctx, closing),
    also: [
      ...(closing.note ? noteWrites(ctx, ticket, closing.note) : []),
      ...(closing.actor.kind === "customer" ? [] : [answeredWrite(ctx, ticket)]),
    ],
  });

/** Closes a ticket as writes for a larger commit; their guard may refuse the whole commit. */
export const closeWrites = (
  ctx: Ctx,
  ticket: Pick<Ticket, "id" | "accountId">,
  closing: CloseInput,
): Write[] => writes(ctx, ticket, closingOf(ctx, closing));

const closingOf = (ctx: Ctx, { actor, reason }: CloseInput): Change => ({
  set: {
    state: "closed",
    closedAt: ctx.now(),
    closedBy: closerOf(actor),
    closeReason: reason || null,
    // whoever closes it: others may have written at the same moment
    fullAt: sql`CASE WHEN ${messageCount} >= ${mostMessages} THEN ${ctx.now().getTime()} END`,
  },
  where: isOpen,
  otherwise: "ticket_closed",
  operation: "ticket.close",
  actor,
  action: "ticket.closed",
  ...(reason ? { reason } : {}),
});

function closerOf({ kind }: Actor): "member" | "staff" | "shop" {
  if (kind === "customer") return "member";
  return kind === "shop" ? "shop" : "staff";
}

/** Of one ticket, notes and the shop's own included. */
const mostMessages = 500;
const messageCount = sql`(SELECT count(*) FROM ${ticketMessages} WHERE ${ticketMessages.ticketId} = ${tickets.id})`;

const fullReason = `This ticket is full: it has ${mostMessages} messages. Please open a new one, and we'll continue there.`;

/** Closes a ticket for good once it has as many messages as one takes. */
export async function closeIfFull(ctx: Ctx, ticket: Ticket): Promise<void> {
  const count = await ctx.store.db.$count(ticketMessages, eq(ticketMessages.ticketId, ticket.id));
  if (count < mostMessages) return;
  await ignoreRefusal(closeTicket(ctx, ticket, { actor: theShop, reason: fullReason }));
}

/** Ignores a refusal: somebody wrote in the ticket or closed it at the same moment. */
export const ignoreRefusal = (doing: Promise<void>): Promise<void> =>
  doing.catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
  });

const reopenedNotice = "This ticket is open again. Write here and we'll answer you.";

/**
 * Reopens a ticket within a week of its end. Refuses with `ticket_over`, with `ticket_full`, or with `ticket_open` while
 * its owner has as many open tickets as they may.
 */
export function reopenTicket(ctx: Ctx, ticket: Ticket, actor: Actor, reason?: string): Promise<void> {
  const now = ctx.now();
  return changeTicket(ctx, ticket, {
    set: {
      state: "open",
      round: ticket.round + 1,
      farewellId: null,
      closedAt: null,
      closedBy: null,
      closeReason: null,
      waitingFor: "staff",
      waitingSince: now,
      remindedAt: null,
    },
    where: and(
      eq(tickets.state, "closed"),
      eq(tickets.round, ticket.round),
      gt(tickets.closedAt, reopenableSince(now)),
      isNull(tickets.fullAt),
    ),
    otherwise: ticket.fullAt ? "ticket_full" : "ticket_over",
    operation: "ticket.reopen",
    actor,
    action: "ticket.reopened",
    ...(reason ? { reason } : {}),
    also: [
      mustNotExceedOpenTickets(ctx, ticket, maxOpenTickets),
      queueInThread(ctx, ticket.id, { what: `reopened-${ticket.round}`, text: reopenedNotice }),
    ],
  });
}

/** The member reads `notice` in the thread. */
export type Transfer = { topic: string; staff: DiscordStaff; notice: string };

/** Moves a ticket to another topic. */
export const transferTicket = (ctx: Ctx, ticket: Ticket, to: Transfer): Promise<void> =>
  changeTicket(ctx, ticket, {
    set: { topic: to.topic },
    where: isOpen,
    otherwise: "ticket_closed",
    operation: "ticket.transfer",
    actor: to.staff,
    action: "ticket.transferred",
    also: [queueInThread(ctx, ticket.id, { what: `transferred-${to.topic}`, text: to.notice })],
  });

export type Rating = { stars: number; comment?: string | undefined };

/**
 * Stores the member's rating, one to five stars, in place of an earlier one; a comment stays unless there is another.
 * Refuses with `ticket_not_closed`.
 */
export const rateTicket = (
  ctx: Ctx,
  ticket: Ticket,
  { stars, comment }: Rating,
  actor: Actor,
): Promise<void> =>
  changeTicket(ctx, ticket, {
    set: { stars, ...(comment === undefined ? {} : { ratingComment: comment }) },
    where: eq(tickets.state, "closed"),
    otherwise: "ticket_not_closed",
    operation: "ticket.rate",
    actor,
    action: "ticket.rated",
  });

/** Adds another member to the ticket's thread, and to any thread made later in its place. */
export async function addGuest(ctx: Ctx, ticket: Ticket, guest: { id: string; staff: DiscordStaff }) {
  authorize(guest.staff, "ticket.add_guest");
  await commit(ctx.store, [
    ctx.store.db
      .insert(ticketGuests)
      .values({ ticketId: ticket.id, discordUserId: guest.id })
      .onConflictDoNothing(),
    requestSync(ctx, ticket.id),
    record(ctx, {
      actor: guest.staff,
      action: "ticket.guest_added",
      subject: ticket.id,
      accountId: ticket.accountId,
    }),
  ]);
}

export type Owner = { accountId: string | null; discordUserId: string | SQL | null };

/** Refuses a commit with `ticket_open` if more than `most` of the owner's tickets are open. */
export function mustNotExceedOpenTickets(
  { store: { db } }: Ctx,
  { accountId, discordUserId }: Owner,
  most: number,
): Write {
  const open = (owned: SQL) => db.select({ id: tickets.id }).from(tickets).where(and(owned, isOpen));
  const found = union(
    open(sql`${tickets.accountId} = ${accountId}`),
    open(sql`${tickets.discordUserId} = ${discordUserId}`),
  );
  return mustNotExist(found.limit(1).offset(most), "ticket_open", {});
}

type Change = {
  set: SQLiteUpdateSetSource<typeof tickets>;
  where: SQL | undefined;
  otherwise: RefusalCode;
  operation: Permission;
  actor: Actor;
  action: `ticket.${string}` & AuditAction;
  reason?: string;
  also?: Write[];
};

/** One guarded change of a ticket. */
export async function changeTicket(ctx: Ctx, ticket: Ticket, wanted: Change): Promise<void> {
  await authorizeOn(ctx, ticket, wanted);
  await commit(ctx.store, writes(ctx, ticket, wanted));
  failpoint("ticket.changed");
}

/** Customers may change their own tickets only. Refuses with `forbidden`. */
async function authorizeOn(
  ctx: Ctx,
  ticket: Ticket,
  { actor, operation }: Pick<Change, "actor" | "operation">,
): Promise<void> {
  authorize(actor, operation);
  if (actor.kind === "customer" && !(await isOwnedBy(ctx, ticket, actor))) throw new Refusal("forbidden");
}

function writes(ctx: Ctx, { id, accountId }: Pick<Ticket, "id" | "accountId">, wanted: Change): Write[] {
  const { set, where, otherwise, actor, action, reason, also = [] } = wanted;
  return [
    ctx.store.db
      .update(tickets)
      .set(set)
      .where(and(eq(tickets.id, id), where)),
    mustHaveChanged(otherwise),
    requestSync(ctx, id),
    ...also,
    record(ctx, {
      actor,
      action,
      subject: id,
      accountId,
      ...(reason ? { reason } : {}),
    }),
  ];
}
