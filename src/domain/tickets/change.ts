import { and, eq, gt, isNull, type SQL } from "drizzle-orm";
import { day } from "@/contract/time";
import type { AuditAction } from "@/contract/audit-events";
import { type Actor, member, type Staff } from "@/core/actor";
import { record } from "@/core/audit";
import { commit, isDuplicate, mustHaveChanged, type Write } from "@/core/commit";
import { type Ctx, newId } from "@/core/context";
import type { RefusalCode } from "@/contract/refusals";
import { failpoint } from "@/core/failpoints";
import { Refusal } from "@/core/refusal";
import { linkStateOf } from "../discord/links";
import { ticketGuests, ticketMessages, tickets } from "../schema/tickets";
import { authorize, type Operation } from "../permissions";
import { nextNumber } from "./numbers";
import type { Ticket } from "./queries";
import { bytesOf, countText } from "./room";
import { requestSync, postInThread } from "./thread";

export type Opening = { topic: string; member: { id: string; name: string }; question: string };

/**
 * Opens a ticket; the outbox makes its thread and its staff card. Refuses with `ticket_open` while the member has
 * an open ticket about the same topic.
 */
export async function openTicket(ctx: Ctx, { topic, member: asker, question }: Opening): Promise<string> {
  const actor = member(asker.id);
  authorize(actor, "ticket.open");
  const id = newId();
  const now = ctx.now();
  const found = await linkStateOf(ctx, asker.id);
  const accountId = found?.link.accountId ?? null;
  await commitUnlessOpen(ctx, [
    ctx.store.db.insert(tickets).values({
      id,
      number: nextNumber,
      topic,
      discordUserId: asker.id,
      memberName: asker.name.slice(0, 100).toWellFormed(),
      accountId,
      question,
      openedAt: now,
      waitingSince: now,
    }),
    requestSync(ctx, id),
    record(ctx, { actor, action: "ticket.opened", subject: id, accountId }),
  ]);
  failpoint("ticket.stored");
  return id;
}

/** A member may reopen a ticket for this long after it was closed. */
const reopenMilliseconds = 7 * day;

/** Tickets closed before this stay closed. */
export const reopenableSince = (now: Date): Date => new Date(now.getTime() - reopenMilliseconds);
/** Until when a ticket may be reopened; null for one that is open or stays closed. */
export const reopenableUntil = ({ closedAt }: Pick<Ticket, "closedAt">, now: Date): Date | null =>
  closedAt && closedAt > reopenableSince(now) ? new Date(closedAt.getTime() + reopenMilliseconds) : null;

/** Claims a ticket for a member of staff. Refuses with `ticket_claimed`. */
export const claimTicket = (ctx: Ctx, ticket: Ticket, staff: Staff): Promise<void> =>
  change(ctx, ticket, {
    set: { claimedBy: staff.discordUserId },
    where: and(isOpen, isNull(tickets.claimedBy)),
    otherwise: "ticket_claimed",
    operation: "ticket.claim",
    actor: staff,
    action: "ticket.claimed",
  });

/** Gives up one's own claim. Refuses with `ticket_not_claimed`. */
export const unclaimTicket = (ctx: Ctx, ticket: Ticket, staff: Staff): Promise<void> =>
  change(ctx, ticket, {
    set: { claimedBy: null },
    where: and(isOpen, eq(tickets.claimedBy, staff.discordUserId)),
    otherwise: "ticket_not_claimed",
    operation: "ticket.unclaim",
    actor: staff,
    action: "ticket.unclaimed",
  });

/** The member reads `reason`, and only staff `note`. */
export type Closing = {
  actor: Actor;
  reason: string | null;
  note?: Note;
};

/** Refuses with `ticket_closed`. */
export const closeTicket = (ctx: Ctx, ticket: Ticket, closing: Closing): Promise<void> =>
  change(ctx, ticket, {
    ...closingOf(ctx, closing),
    also: closing.note ? noteWrites(ctx, ticket, closing.note) : [],
  });

/** Closes a ticket as writes for a larger commit; their guard may refuse the whole commit. */
export const closeWrites = (ctx: Ctx, ticket: Pick<Ticket, "id" | "accountId">, closing: Closing): Write[] =>
  writes(ctx, ticket, closingOf(ctx, closing));

const closingOf = (ctx: Ctx, { actor, reason }: Closing): Change => ({
  set: { state: "closed", closedAt: ctx.now(), closedBy: closerOf(actor), closeReason: reason },
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

const reopenedNotice = "This ticket is open again. Write here, and we will answer you.";

/**
 * Reopens a ticket within a week of its end. Refuses with `ticket_over`, or with `ticket_open` where the member has
 * opened another about the topic since.
 */
export function reopenTicket(ctx: Ctx, ticket: Ticket, actor: Actor): Promise<void> {
  const now = ctx.now();
  return change(ctx, ticket, {
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
    ),
    otherwise: "ticket_over",
    operation: "ticket.reopen",
    actor,
    action: "ticket.reopened",
    also: [postInThread(ctx, ticket.id, { what: `reopened-${ticket.round}`, text: reopenedNotice })],
  });
}

/** Asks for a senior, and gives up the claim. Refuses with `ticket_escalated`. */
export const escalateTicket = (ctx: Ctx, ticket: Ticket, staff: Staff): Promise<void> =>
  change(ctx, ticket, {
    set: { escalatedAt: ctx.now(), claimedBy: null },
    where: and(isOpen, isNull(tickets.escalatedAt)),
    otherwise: "ticket_escalated",
    operation: "ticket.escalate",
    actor: staff,
    action: "ticket.escalated",
  });

/** The member reads `notice` in the thread. */
export type Transfer = { topic: string; staff: Staff; notice: string };

/** Moves a ticket to another topic. Refuses with `ticket_open` where the member has an open ticket there. */
export const transferTicket = (ctx: Ctx, ticket: Ticket, to: Transfer): Promise<void> =>
  change(ctx, ticket, {
    set: { topic: to.topic },
    where: isOpen,
    otherwise: "ticket_closed",
    operation: "ticket.transfer",
    actor: to.staff,
    action: "ticket.transferred",
    also: [postInThread(ctx, ticket.id, { what: `transferred-${to.topic}`, text: to.notice })],
  });

/** Stores the member's rating, one to five stars, in place of an earlier one. */
export const rateTicket = (ctx: Ctx, ticket: Ticket, stars: number, actor: Actor): Promise<void> =>
  change(ctx, ticket, {
    set: { stars },
    where: eq(tickets.state, "closed"),
    otherwise: "ticket_over",
    operation: "ticket.rate",
    actor,
    action: "ticket.rated",
  });

/** Adds another member to the ticket's thread, and to any thread made later in its place. */
export async function addGuest(ctx: Ctx, ticket: Ticket, guest: { id: string; staff: Staff }) {
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

export type Note = { staff: Staff; name: string; text: string };

/** Adds a note that only staff can read. */
export async function addNote(ctx: Ctx, ticket: Ticket, note: Note): Promise<void> {
  authorize(note.staff, "ticket.note");
  await commit(ctx.store, noteWrites(ctx, ticket, note));
}

function noteWrites(
  ctx: Ctx,
  { id, accountId }: Pick<Ticket, "id" | "accountId">,
  { staff, name, text }: Note,
): Write[] {
  return [
    ctx.store.db.insert(ticketMessages).values({
      id: newId(),
      ticketId: id,
      author: "note",
      authorId: staff.discordUserId,
      authorName: name.slice(0, 100),
      content: text,
      at: ctx.now(),
    }),
    countText(ctx, id, bytesOf({ content: text })),
    record(ctx, { actor: staff, action: "ticket.noted", subject: id, accountId }),
  ];
}

type Change = {
  set: Partial<typeof tickets.$inferInsert>;
  where: SQL | undefined;
  otherwise: RefusalCode;
  operation: Operation;
  actor: Actor;
  action: `ticket.${string}` & AuditAction;
  reason?: string;
  also?: Write[];
};

async function change(ctx: Ctx, ticket: Ticket, wanted: Change): Promise<void> {
  authorizeOn(ticket, wanted);
  await commitUnlessOpen(ctx, writes(ctx, ticket, wanted));
  failpoint("ticket.changed");
}

/** Customers may change their own tickets only. Refuses with `forbidden`. */
function authorizeOn(ticket: Ticket, { actor, operation }: Pick<Change, "actor" | "operation">): void {
  authorize(actor, operation);
  const isOwn = "discordUserId" in actor && actor.discordUserId === ticket.discordUserId;
  if (actor.kind === "customer" && !isOwn) throw new Refusal("forbidden");
}

/** Refuses with `ticket_open` where the member would have two open tickets about a topic. */
async function commitUnlessOpen(ctx: Ctx, all: Write[]): Promise<void> {
  try {
    await commit(ctx.store, all);
  } catch (error) {
    if (isDuplicate(error, "tickets.discord_user_id")) throw new Refusal("ticket_open");
    throw error;
  }
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

const isOpen = eq(tickets.state, "open");
