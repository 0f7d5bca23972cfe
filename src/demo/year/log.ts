import type { AuditAction, AuditDetails } from "@/contract/wire/audit-events";
import { day, inSeconds } from "@/contract/vocabulary/time";
import { type Actor, actorId, customer, theShop } from "@/core/base/actor";
import { auditLog } from "@/core/database/schema";
import { idAt } from "./ids";
import { insertAll } from "./insert";
import { type PastOrder, type PastTicket, soldAfterSeconds, type Week } from "./plan";
import { licenceId, orderId, type PastShop, sumsOf } from "./shop";
import { ticketId } from "./ticket-rows";

type Entry<A extends AuditAction = AuditAction> = {
  /** Unix seconds. */
  at: number;
  actor: Actor;
  action: A;
  subject: string;
  accountId?: string | null;
  reason?: string;
  detail?: AuditDetails<A>;
};

/** The entries of different weeks that fall into one second have different numbers. */
const entriesInASecond = 18;

/**
 * What the audit log holds of a week. The entries have the numbers of their time, which are lower than those of what
 * happens now, so that nobody is sent webhooks about the past.
 */
export function logWeek(shop: PastShop, number: number, { orders, customers, tickets }: Week) {
  const entries: Entry[] = [
    ...orders.flatMap((order) => ofOrder(shop, order)),
    ...customers.map(({ id, joinedAt }) => registered(id, joinedAt)),
    ...tickets.flatMap((ticket) => ofTicket(shop, ticket)),
  ];
  const taken = new Map<number, number>();
  const rows = entries.map((entry) => {
    const { at, actor, action, subject, accountId = null, reason = null, detail = null } = entry;
    const place = taken.get(at) ?? 0;
    taken.set(at, place + 1);
    const sequence = at * 1000 + number * entriesInASecond + place;
    return {
      id: idAt(at, `entry ${sequence}`),
      at: new Date(at * 1000),
      sequence,
      actor: actorId(actor),
      actorKind: actor.kind,
      actorRole: actor.kind === "staff" ? (actor.roles[0] ?? null) : null,
      actorVia: "via" in actor ? actor.via : null,
      action,
      subject,
      accountId,
      reason,
      detail,
    };
  });
  return insertAll(auditLog, rows as (typeof auditLog.$inferInsert)[]);
}

const staffActor = ({ staff }: PastShop, name: "olga" | "sam", at: number): Actor => ({
  kind: "staff",
  via: "desk",
  accountId: staff[name],
  roles: [name === "olga" ? "owner" : "support"],
  confirmedAt: new Date(at * 1000),
});

const registered = (id: string, at: number): Entry => ({
  at,
  actor: customer(id),
  action: "account.registered",
  subject: id,
  accountId: id,
});

type Paid = { state: string; dispute: string | null; refunded: number };
type State = "succeeded" | "failed" | "expired" | "refunded" | "disputed";

function ofOrder(shop: PastShop, order: PastOrder): Entry[] {
  const { outcome, endedAt, refund, dispute } = order;
  const about = { subject: orderId(order), accountId: order.buyer?.id ?? null, actor: theShop };
  const nothing = { dispute: null, refunded: 0 };
  const disputed = { dispute: "needs_response", refunded: 0 };
  const became = (at: number, state: State, was: Paid, now: Omit<Paid, "state"> = nothing): Entry => ({
    ...about,
    at: at + (state === "failed" || state === "expired" ? 0 : soldAfterSeconds),
    action: `payment.${state}`,
    detail: { ...now, before: was },
  });
  const open = { state: "open", ...nothing };
  // entries about checkouts that the shop has forgotten tell nothing
  if (outcome === "expired" && order.createdAt <= shop.year.end - inSeconds(30 * day)) return [];
  if (outcome !== "paid") return [became(endedAt, outcome, open)];
  const good = { state: "succeeded", ...nothing };
  const entries = [became(endedAt, "succeeded", open), ...redeemed(order)];
  if (refund) {
    const now = { dispute: null, refunded: sumsOf(shop, order).refunded };
    entries.push(...refundEntries(shop, order, refund));
    entries.push(became(refund.at, refund.isPart ? "succeeded" : "refunded", good, now));
  }
  if (dispute) entries.push(became(dispute.at, "disputed", good, disputed));
  if (dispute?.closed) {
    const { at, status } = dispute.closed;
    const was = { state: "disputed", ...disputed };
    entries.push(
      became(at, status === "won" ? "succeeded" : "disputed", was, { dispute: status, refunded: 0 }),
    );
  }
  return entries;
}

function redeemed(order: PastOrder): Entry[] {
  const { owner, redeemedAt: at } = order;
  if (!owner) return [];
  const accountId = owner.id;
  const action = order.buyer ? ("licence.added" as const) : ("licence.redeemed" as const);
  const actor = order.buyer ? theShop : customer(accountId);
  return [{ at, actor, action, subject: licenceId(order, 0), accountId }];
}

/** Support proposed some refunds, and the owner made the others alone. */
export const isProposed = ({ number }: PastOrder) => number % 3 === 0;
export const refundId = (order: PastOrder) => idAt(order.refund?.at ?? 0, `refund ${order.number}`);
export const proposedBeforeSeconds = 1_500;

function refundEntries(shop: PastShop, order: PastOrder, { at, reason }: { at: number; reason: string }) {
  const detail = { refund: refundId(order), amount: sumsOf(shop, order).refunded };
  const about = { subject: orderId(order), accountId: order.buyer?.id ?? null, detail };
  const [sam, olga] = [staffActor(shop, "sam", at), staffActor(shop, "olga", at)];
  const proposed = at - proposedBeforeSeconds;
  const asked: Entry[] = isProposed(order)
    ? [
        { ...about, at: proposed, actor: sam, action: "payment.refund_proposed", reason },
        { ...about, at: at - 1, actor: olga, action: "payment.refund_approved" },
      ]
    : [{ ...about, at: at - 1, actor: olga, action: "payment.refund_requested", reason }];
  return [...asked, { ...about, at: at + 1, actor: theShop, action: "payment.refund_made" } satisfies Entry];
}

function ofTicket(shop: PastShop, ticket: PastTicket): Entry[] {
  const accountId = ticket.customer.id;
  const about = { subject: ticketId(ticket), accountId };
  const { openedAt, closed } = ticket;
  const opened: Entry = { ...about, at: openedAt, actor: customer(accountId), action: "ticket.opened" };
  if (!closed) return [opened];
  const { at, by, reason } = closed;
  return [opened, { ...about, at, actor: staffActor(shop, by, at), action: "ticket.closed", reason }];
}
