import type { Offer } from "./offers";

type OfferTerm = Pick<Offer, "days"> & Partial<Pick<Offer, "recurring">>;

/** How long an offer lasts, in words for buyers. */
export function termText({ days, recurring = null }: OfferTerm): string {
  if (recurring !== null) return `Every ${recurring.interval}, until you cancel${trialText(recurring)}`;
  if (days === null) return "Lifetime";
  return days === 1 ? "1 day" : `${days} days`;
}

function trialText({ trial_days: days }: NonNullable<Offer["recurring"]>): string {
  if (days === null) return "";
  return days === 1 ? ", first day free" : `, first ${days} days free`;
}

/** The same with the number of computers, where it is for several. */
export const offerText = ({ devices = 1, ...time }: OfferTerm & Partial<Pick<Offer, "devices">>) =>
  termText(time) + (devices > 1 ? `, ${devices.toLocaleString("en-US")} computers` : "");
