import { charge } from "@/contract/vocabulary/next-charge";
import type { Subscription } from "@/contract/wire/subscriptions";
import { formatDayOf } from "../format-time";

/** What a subscription does next, in a sentence; `level`: the name of what it pays for. */
export function subscriptionStatusText(one: Subscription, level: string): string {
  const price = one.amount === null ? null : charge(one.amount, one.currency, one);
  const renews = formatDayOf(one.renews_at);
  const ends = formatDayOf(one.ends_at);
  const texts = {
    pending: "Your first payment is on its way. Your license starts once it arrives.",
    trialing: `Free until ${renews}, then ${price ?? "its price"}.`,
    active: `Renews on ${renews}${price ? ` for ${price}` : ""}${one.ends_at ? `, and ends on ${ends}` : ""}.`,
    ending: `It won't renew. You keep ${level} until ${ends}.`,
    past_due: one.ends_at ? "Canceled. The last payment failed." : "The last payment failed.",
    paused: one.renews_at
      ? `Nothing is charged until ${renews}. Your license continues then.`
      : "Nothing is charged while it is paused.",
    ended: `Ended on ${ends}.`,
  } satisfies Record<Subscription["status"], string>;
  return texts[one.status];
}

/** `Visa ending in 4242`. */
export const cardText = ({ card }: Subscription): string | null =>
  card && `${card.brand.charAt(0).toUpperCase()}${card.brand.slice(1)} ending in ${card.last4}`;
