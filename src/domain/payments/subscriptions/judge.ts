import { day } from "@/contract/time";
import type { SubscriptionStatus } from "../../schema/subscriptions";

/** What Stripe holds of a subscription: https://docs.stripe.com/api/subscriptions/object */
export type Standing = {
  /** In Stripe's words; one that this release doesn't know counts as `past_due`. */
  status: string;
  /** When it will be cancelled, by `cancel_at` or at the end of its period; null if it goes on. */
  cancelsAt: Date | null;
  endedAt: Date | null;
  /** Its invoices are made and not collected. */
  collectionPaused: boolean;
  periodEndsAt: Date;
  /** A payment of its newest invoice is on its way, as by bank debit. */
  processing: boolean;
};

export type Judged = {
  status: SubscriptionStatus;
  renewsAt: Date | null;
  endsAt: Date | null;
  endedAt: Date | null;
  /** Until when its licence is good. */
  entitledUntil: Date;
};

/** How long a licence goes on while its renewal is due and not yet paid. */
export const grace = 3 * day;

/** The same while a bank debit is on its way: most arrive or fail within a week, and until then nothing was paid. */
const graceOnItsWay = 14 * day;

/**
 * What a subscription is to its customer. `paidUntil` is the end of the last period that was paid, or of the trial:
 * Stripe's own period moves on before it is paid. Nothing here reads or writes.
 */
export function judge(held: Standing, paidUntil: Date): Judged {
  const status = statusOf(held);
  const renews = status === "active" || status === "trialing";
  return {
    status,
    renewsAt: renews ? held.periodEndsAt : null,
    endsAt: status === "ended" ? held.endedAt : held.cancelsAt,
    endedAt: held.endedAt,
    entitledUntil: entitledUntil(held, status, paidUntil),
  };
}

function statusOf({ status, cancelsAt, collectionPaused, endedAt }: Standing): SubscriptionStatus {
  if (endedAt !== null || status === "canceled" || status === "incomplete_expired") return "ended";
  if (status === "paused" || collectionPaused) return "paused";
  if (status === "active" || status === "trialing") return cancelsAt ? "ending" : status;
  return "past_due";
}

function entitledUntil(held: Standing, status: SubscriptionStatus, paidUntil: Date): Date {
  if (status === "ended" || status === "paused") return paidUntil;
  // staff may cancel at Stripe before the paid period ends: what was paid stays
  if (status === "ending") return paidUntil;
  return new Date(paidUntil.getTime() + (held.processing ? graceOnItsWay : grace));
}
