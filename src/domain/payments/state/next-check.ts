import { day } from "@/contract/vocabulary/time";
import { isOwed, type SubscriptionState } from "./subscription-state";
import type { SubscriptionFacts } from "../port/subscription-gateway";
import { isPayable, type DesiredChanges } from "./desired-changes";
import { paidBeyond } from "./seats";

/** A subscription that has ended but may still be paid, or is owed a refund, is checked daily for this long, then weekly. */
const dailyMilliseconds = 35 * day;
const mostMilliseconds = 180 * day;

/** When to check a subscription even if no event reports a change; null once Stripe can no longer change it. */
export function nextCheckAt(
  { invoices }: Pick<SubscriptionFacts, "invoices">,
  { endedAt }: SubscriptionState,
  { wanted, now }: { wanted: Pick<DesiredChanges, "refunds">; now: Date },
): Date | null {
  if (endedAt === null) return new Date(now.getTime() + day);
  const since = now.getTime() - endedAt.getTime();
  // its level may still change
  const hasSeveralEnds =
    new Set(paidBeyond({ invoices }, now).map(({ periodEndsAt: end }) => Number(end))).size > 1;
  const isOpen =
    wanted.refunds.length > 0 || hasSeveralEnds || invoices.some((one) => isOwed(one) || isPayable(one));
  if (since > mostMilliseconds || !isOpen) return null;
  return new Date(now.getTime() + (since > dailyMilliseconds ? 7 * day : day));
}
