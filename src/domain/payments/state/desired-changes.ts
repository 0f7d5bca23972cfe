import { hour } from "@/contract/vocabulary/time";
import { isRenewal, type Payment } from "../../schema/payments";
import type { InvoiceFacts, SubscriptionFacts } from "../port/subscription-gateway";
import type { SubscriptionState } from "./subscription-state";

/*
 * What Stripe should hold of a subscription, by what it holds and what the shop holds. Nothing here reads or writes.
 */

/** Why the shop ends a subscription, as the log says it. */
export type EndReason = "revoked" | "erased" | "refunded" | "lost" | "not sold" | "second" | "lifetime";

/** What the shop holds that decides about a subscription. */
export type ShopFacts = {
  /** Why and since when its licence has ended for good, or it gets none; null while the licence is good. */
  over: { reason: Exclude<EndReason, "second" | "lifetime">; at: Date | null } | null;
  /** The same account had bought another subscription, which was paid earlier and was running. */
  isDuplicate: boolean;
  /** Whoever holds its licence holds a lifetime that covers it. */
  hasLifetime: boolean;
  /** The customer's default card at the last check; null at the first. */
  generalCard: string | null;
  /** `isUnwanted`: the first came too late to begin anything. */
  payments: (Pick<
    Payment,
    "id" | "sessionId" | "state" | "paidAt" | "paidAmount" | "refundedAmount" | "periodEndsAt"
  > & { isUnwanted: boolean })[];
};

export type DesiredChanges = {
  end: { at: "now" | Date; reason: EndReason } | null;
  /** Ids of invoices. */
  voids: string[];
  refunds: { payment: string; amount: number }[];
  /** The new default card, and what is owed and paid with it. */
  charge: { card: string; invoice: string | null } | null;
};

type SubscriptionAtStripe = Pick<
  SubscriptionFacts,
  "status" | "endedAt" | "cancelsAt" | "periodEndsAt" | "cards" | "invoices"
>;

/** What of Stripe's is to change; nothing in it if all is as it should be. */
export function desiredChanges(
  held: SubscriptionAtStripe,
  state: SubscriptionState,
  shop: ShopFacts,
  now: Date,
): DesiredChanges {
  const end = desiredEnd(held, state, shop, now);
  const isOver = shop.over !== null || shop.isDuplicate;
  return {
    end: end && differs(held, end.at) ? end : null,
    voids: held.invoices
      .filter(isPayable)
      .filter(
        ({ periodEndsAt }) =>
          end !== null || (isLeft(held) && (periodEndsAt === null || periodEndsAt <= now)),
      )
      .map(({ id }) => id),
    refunds: shop.payments.flatMap((payment) => {
      const amount = (payment.paidAmount ?? 0) - payment.refundedAmount;
      const isOurs = payment.state !== "disputed" && payment.state !== "refunded" && amount > 0;
      return isOurs && entitlesNothing(payment, held, shop) ? [{ payment: payment.id, amount }] : [];
    }),
    charge: isOver || end?.at === "now" ? null : desiredCharge(held, state, shop, now),
  };
}

/** Somebody could pay it; what is being paid can't be voided. */
export const isPayable = ({ status, isProcessing }: InvoiceFacts): boolean =>
  (status === "open" || status === "uncollectible") && !isProcessing;

export const changesNothing = ({ end, voids, refunds, charge }: DesiredChanges): boolean =>
  end === null && voids.length === 0 && refunds.length === 0 && charge === null;

function desiredEnd(
  held: SubscriptionAtStripe,
  state: SubscriptionState,
  shop: ShopFacts,
  now: Date,
): DesiredChanges["end"] {
  if (shop.over) return { at: "now", reason: shop.over.reason };
  if (shop.isDuplicate) return { at: "now", reason: "second" };
  if (!shop.hasLifetime) return null;
  return { at: state.status === "pending" ? "now" : endOfPaid(held, state, now), reason: "lifetime" };
}

/** The end of a subscription that runs only as long as it is paid. */
export function endOfPaid(
  { periodEndsAt }: Pick<SubscriptionAtStripe, "periodEndsAt">,
  { paidUntil }: SubscriptionState,
  now: Date,
) {
  if (paidUntil <= now) return "now";
  // a longer period that was credited since is no longer paid
  return periodEndsAt > now && periodEndsAt.getTime() < paidUntil.getTime() + hour ? periodEndsAt : paidUntil;
}

/** An earlier end is left as it is. */
const differs = ({ endedAt, cancelsAt }: SubscriptionAtStripe, at: "now" | Date): boolean =>
  endedAt === null && (at === "now" || cancelsAt === null || cancelsAt > at);

/** Whether a payment came although nothing may be charged any more, or its subscription should not have begun. */
function entitlesNothing(
  { sessionId, isUnwanted, paidAt, periodEndsAt }: ShopFacts["payments"][number],
  held: SubscriptionAtStripe,
  { over, isDuplicate, hasLifetime }: ShopFacts,
): boolean {
  if (isDuplicate || isUnwanted) return true;
  if (paidAt === null || !isRenewal({ sessionId })) return false;
  // a debit that was on its way when the lifetime came
  if (hasLifetime && isAfter(paidAt, held.endedAt)) return true;
  if (over && (over.reason === "not sold" || isAfter(paidAt, over.at))) return true;
  return (
    isLeft(held) && isAfter(paidAt, periodEndsAt) && (held.endedAt === null || isAfter(paidAt, held.endedAt))
  );
}

/** It charges nothing more on its own, but what is owed may be paid while its period runs. */
const isLeft = ({ status, endedAt }: SubscriptionAtStripe): boolean =>
  endedAt !== null || status === "unpaid";

const isAfter = (at: Date, other: Date | null) => other !== null && at > other;

/** Once for each change of the default: a card that was given to the subscription itself stays. */
function desiredCharge(
  { cards: { own, general }, endedAt, invoices }: SubscriptionAtStripe,
  { status }: SubscriptionState,
  { generalCard }: ShopFacts,
  now: Date,
): DesiredChanges["charge"] {
  if (endedAt !== null || !general || generalCard === null) return null;
  if (general === generalCard || general === own) return null;
  const owed = invoices.findLast((one) => one.status === "open");
  // while it is paused, its customer reads that nothing is charged
  const isCharged = status !== "pending" && status !== "paused" && (owed?.periodEndsAt ?? now) >= now;
  return { card: general, invoice: owed && isCharged && !owed.onItsWay ? owed.id : null };
}
