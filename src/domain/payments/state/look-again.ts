import { day } from "@/contract/vocabulary/time";
import { isOwed, type SubscriptionState } from "./subscription-state";
import type { SubscriptionFacts } from "../port/subscription-gateway";
import { isPayable, type Wanted } from "./wanted";

/** What has ended and may still be paid, or has money to give back, is looked at daily this long, and then weekly. */
const dailyMilliseconds = 35 * day;
const mostMilliseconds = 180 * day;

/** When a subscription is to be looked at although no event told of anything; null once Stripe can't change it any more. */
export function lookAgainAt(
  { invoices }: Pick<SubscriptionFacts, "invoices">,
  { endedAt }: SubscriptionState,
  { wanted, now }: { wanted: Pick<Wanted, "giveBack">; now: Date },
): Date | null {
  if (endedAt === null) return new Date(now.getTime() + day);
  const since = now.getTime() - endedAt.getTime();
  const isOpen = wanted.giveBack.length > 0 || invoices.some((one) => isOwed(one) || isPayable(one));
  if (since > mostMilliseconds || !isOpen) return null;
  return new Date(now.getTime() + (since > dailyMilliseconds ? 7 * day : day));
}
