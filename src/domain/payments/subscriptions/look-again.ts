import { day } from "@/contract/time";
import { isOwed, type Standing } from "./standing";
import type { SubscriptionFacts } from "./subscription-gateway";
import { isPayable } from "./wanted";

/** What has ended and may still be paid is looked at daily this long, and then weekly. */
const dailyMilliseconds = 35 * day;
const mostMilliseconds = 180 * day;

/** When a subscription is to be looked at although no event told of anything; null once Stripe can't change it any more. */
export function lookAgainAt(
  { invoices }: Pick<SubscriptionFacts, "invoices">,
  { endedAt }: Standing,
  now: Date,
): Date | null {
  if (endedAt === null) return new Date(now.getTime() + day);
  const since = now.getTime() - endedAt.getTime();
  if (since > mostMilliseconds || !invoices.some((one) => isOwed(one) || isPayable(one))) return null;
  return new Date(now.getTime() + (since > dailyMilliseconds ? 7 * day : day));
}
