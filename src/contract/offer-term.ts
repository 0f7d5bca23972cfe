import type { Offer } from "./offers";

/** How long an offer lasts, in words for buyers. */
export function termText({ days }: Pick<Offer, "days">): string {
  if (days === null) return "Lifetime";
  return days === 1 ? "1 day" : `${days} days`;
}
