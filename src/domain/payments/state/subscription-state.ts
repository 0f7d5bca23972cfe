import { day } from "@/contract/vocabulary/time";
import type { SubscriptionStatus } from "../../schema/subscriptions";
import type { InvoiceFacts, SubscriptionFacts } from "../port/subscription-gateway";

/*
 * A subscription's state as its customer sees it, computed from what Stripe holds now. Pure: it depends on no event.
 */

export type SubscriptionState = {
  /** `pending`: nothing was paid yet, and no trial has begun. */
  status: SubscriptionStatus | "pending";
  /** The next charge; null if none is known to come. */
  renewsAt: Date | null;
  endsAt: Date | null;
  endedAt: Date | null;
  /** The end of what was paid, or of its trial. */
  paidUntil: Date;
  /** Until when its licence is good. */
  entitledUntil: Date;
};

/** How long a licence goes on while a charge is coming or due. */
export const grace = 3 * day;
/** The same while its money is on its way: most debits arrive or fail within a week. */
const graceOnItsWay = 14 * day;
/** Stripe finalizes a draft within an hour; one that waits longer has a problem that the customer did not make. */
const draftMilliseconds = day;

type SubscriptionAtStripe = Pick<
  SubscriptionFacts,
  | "status"
  | "cancelsAt"
  | "endedAt"
  | "collectionPaused"
  | "resumesAt"
  | "periodEndsAt"
  | "trialEndsAt"
  | "startedAt"
  | "invoices"
>;

export function subscriptionState(held: SubscriptionAtStripe, now: Date): SubscriptionState {
  const paidUntil = paidUntilOf(held);
  const status = statusOf(held, paidUntil, now);
  const charge = status === "pending" ? null : nextCharge(held, paidUntil, now);
  return {
    status,
    renewsAt: renewsAt(held, status),
    endsAt: status === "ended" ? (held.endedAt ?? now) : held.cancelsAt,
    endedAt: status === "ended" ? (held.endedAt ?? now) : null,
    paidUntil,
    entitledUntil: entitledUntil(held, status, { paidUntil, charge, now }),
  };
}

/** A trial lasts as Stripe says now, and a paid period at least until its end. */
function paidUntilOf({ invoices, trialEndsAt, startedAt }: SubscriptionAtStripe): Date {
  const paid = invoices
    .filter((one) => isCovered(one, invoices))
    .flatMap(({ periodEndsAt }) => periodEndsAt ?? []);
  const ends = [...paid, ...(hasBegun({ invoices }) && trialEndsAt ? [trialEndsAt] : []), startedAt];
  return new Date(Math.max(...ends.map((end) => end.getTime())));
}

/** Whether it is paid, and with money: a switch also credits time whose own invoice was never paid. */
export const isCovered = ({ status, credits }: InvoiceFacts, all: InvoiceFacts[]): boolean =>
  status === "paid" &&
  credits.every((id) => {
    const credited = all.find((one) => one.id === id);
    return credited === undefined || isCovered(credited, all);
  });

/** Whether its first invoice is paid; a trial's asks for nothing. */
export const hasBegun = ({ invoices }: Pick<SubscriptionAtStripe, "invoices">): boolean =>
  invoices.some(({ isFirst, status }) => isFirst && status === "paid");

function statusOf(held: SubscriptionAtStripe, paidUntil: Date, now: Date): SubscriptionState["status"] {
  const { status, endedAt, cancelsAt, periodEndsAt } = held;
  if (endedAt !== null || status === "canceled" || status === "incomplete_expired") return "ended";
  if (!hasBegun(held)) return "pending";
  if (isPaused(held, paidUntil, now)) return "paused";
  const newest = held.invoices.findLast((one) => one.status !== "draft");
  if (status === "unpaid" || isDue(newest, now) || isDue(owedAfter(held, paidUntil)[0], now))
    return "past_due";
  if (!isKnown(status) && paidUntil <= now) return "past_due";
  // an end that lies behind further charges doesn't count yet
  if (cancelsAt !== null && cancelsAt <= periodEndsAt) return "ending";
  return status === "trialing" ? "trialing" : "active";
}

/** Those of https://docs.stripe.com/api/subscriptions/object#subscription_object-status that don't end it. */
const running: readonly string[] = ["trialing", "active", "past_due", "unpaid", "incomplete", "paused"];
const isKnown = (status: string): boolean => running.includes(status);

/** Stripe says so, or the running period was neither paid nor will be: its invoice was voided or never collected. */
function isPaused(held: SubscriptionAtStripe, paidUntil: Date, now: Date): boolean {
  const { status, collectionPaused, periodEndsAt } = held;
  if (status === "paused" || collectionPaused) return true;
  if (status === "unpaid" || !isKnown(status)) return false;
  return paidUntil <= now && periodEndsAt > now && !held.invoices.some((one) => isOwed(one));
}

/** A draft that nobody will finalize is not. */
export const isOwed = ({ status, isComing, onItsWay, tried, dueAt }: InvoiceFacts): boolean =>
  status === "open" ||
  (status === "draft" && isComing) ||
  (status === "uncollectible" && (onItsWay || tried || dueAt !== null));

/** Its last charge failed or waits for the customer, or its due date has passed. */
const isDue = (one: InvoiceFacts | undefined, now: Date): boolean =>
  one !== undefined &&
  (one.status === "open" || one.status === "uncollectible") &&
  !one.onItsWay &&
  (one.dueAt === null ? one.tried : one.dueAt <= now);

/** The charges that follow what was paid. */
const owedAfter = ({ invoices }: SubscriptionAtStripe, paidUntil: Date) =>
  invoices.filter(
    (one) => isOwed(one) && !one.isFirst && (one.periodEndsAt === null || one.periodEndsAt >= paidUntil),
  );

/** Stripe should have finalized and charged it. */
const isStuck = ({ status, isComing, createdAt }: InvoiceFacts, now: Date): boolean =>
  status === "draft" && isComing && createdAt.getTime() + draftMilliseconds < now.getTime();

/** What staff should look at in Stripe's dashboard, in a sentence each; usually nothing. */
export function oddities(
  { status, invoices }: Pick<SubscriptionAtStripe, "status" | "invoices">,
  now: Date,
): string[] {
  const isUnknown = !isKnown(status) && status !== "canceled" && status !== "incomplete_expired";
  return [
    ...(isUnknown ? [`has the status “${status}”, which this release doesn't know`] : []),
    ...(invoices.some((one) => isStuck(one, now))
      ? ["has an invoice that Stripe didn't finalize for a day"]
      : []),
    ...(invoices.some((one) => one.status === "paid" && !isCovered(one, invoices))
      ? ["was switched with credit for time that was never paid"]
      : []),
  ];
}

type Charge = { by: Date | null; grace: number };

/** The charge that is coming, due or on its way, with how long the licence waits for it; null if none is. */
function nextCharge(held: SubscriptionAtStripe, paidUntil: Date, now: Date): Charge | null {
  const owed = owedAfter(held, paidUntil);
  const waiting = owed.find((one) => one.onItsWay || isStuck(one, now));
  if (waiting) return { by: waiting.dueAt, grace: graceOnItsWay };
  if (owed[0]) return { by: owed[0].dueAt, grace };
  const { status, cancelsAt, periodEndsAt } = held;
  const goesOn = cancelsAt === null || cancelsAt > periodEndsAt;
  return goesOn && status !== "unpaid" ? { by: null, grace } : null;
}

function entitledUntil(
  { startedAt }: SubscriptionAtStripe,
  status: SubscriptionState["status"],
  { paidUntil, charge, now }: { paidUntil: Date; charge: Charge | null; now: Date },
): Date {
  if (status === "pending") return startedAt < now ? startedAt : now;
  if (status === "ended" || status === "paused") return paidUntil;
  if (status === "past_due" && charge === null) return new Date(paidUntil.getTime() + grace);
  if (charge === null) return paidUntil;
  return new Date(Math.max(paidUntil.getTime(), charge.by?.getTime() ?? 0) + charge.grace);
}

function renewsAt(
  { periodEndsAt, collectionPaused, resumesAt, status: atStripe }: SubscriptionAtStripe,
  status: SubscriptionState["status"],
) {
  if (status === "active" || status === "trialing") return periodEndsAt;
  if (status !== "paused" || atStripe === "paused") return null;
  // what falls due meanwhile is not collected
  if (!collectionPaused) return periodEndsAt;
  return resumesAt && resumesAt < periodEndsAt ? periodEndsAt : null;
}
