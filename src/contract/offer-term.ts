import type { Offer } from "./offers";

/** How long an offer lasts, in words for buyers. */
export function termText({ days }: Pick<Offer, "days">): string {
  if (days === null) return "Lifetime";
  return days === 1 ? "1 day" : `${days} days`;
}

/** The same with the number of computers, where it is for several. */
export const offerText = ({ days, devices = 1 }: Pick<Offer, "days"> & Partial<Pick<Offer, "devices">>) =>
  termText({ days }) + (devices > 1 ? `, ${devices.toLocaleString("en-US")} computers` : "");
