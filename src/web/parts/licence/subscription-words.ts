import { charge } from "@/contract/vocabulary/next-charge";
import type { Subscription } from "@/contract/wire/subscriptions";
import { formatDay, formatDayOf } from "../format-time";

/** What a subscription does next, in a sentence. */
export function subscriptionStatusText(one: Subscription): string {
  const price = one.amount === null ? null : charge(one.amount, one.currency, one);
  const texts = {
    pending: "Your first payment is on its way. Your license begins once it has arrived.",
    trialing: `Trial until ${formatDayOf(one.renews_at)}, then ${price ?? "its price"}.`,
    active: `Renews on ${formatDayOf(one.renews_at)}${price ? ` for ${price}` : ""}${
      one.ends_at ? `, and ends on ${formatDayOf(one.ends_at)}` : ""
    }.`,
    ending: `Ends on ${formatDayOf(one.ends_at)}.`,
    past_due: one.ends_at ? "Canceled. The last payment failed." : "The last payment failed.",
    paused: one.renews_at
      ? `Nothing is charged until ${formatDayOf(one.renews_at)}; your license goes on then.`
      : "Paused: nothing is charged.",
    ended: `Ended on ${formatDayOf(one.ends_at)}.`,
  } satisfies Record<Subscription["status"], string>;
  return texts[one.status];
}

/** What it changes to, if the customer switched to a cheaper or shorter offer. */
export const changeText = ({ changes_at: at }: Subscription, to: string | undefined): string | null =>
  at === null ? null : `Changes to ${to ?? "another offer"} on ${formatDay(new Date(at))}.`;

/** `Visa ending in 4242`. */
export const cardText = ({ card }: Subscription): string | null =>
  card && `${card.brand.charAt(0).toUpperCase()}${card.brand.slice(1)} ending in ${card.last4}`;
