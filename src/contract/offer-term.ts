import type { Offer } from "./offers";

/** How long an offer runs, as buyers read it. */
export function termText({ days }: Pick<Offer, "days">): string {
  if (days === null) return "Lifetime";
  return days === 1 ? "1 day" : `${days} days`;
}
