import type { Offer } from "./offers";

type OfferTerm = Pick<Offer, "days"> & Partial<Pick<Offer, "recurring">>;

/** How long an offer lasts, in words for buyers. */
export function termText({ days, recurring = null }: OfferTerm): string {
  if (recurring !== null) return `Every ${recurring.interval}, until you cancel${trialText(recurring)}`;
  return timeText(days);
}

function trialText({ trial_days: days }: NonNullable<Offer["recurring"]>): string {
  if (days === null) return "";
  return days === 1 ? ", first day free" : `, first ${daysText(days)} free`;
}

/** ` / month` after the price of what renews. */
export const perText = ({ recurring }: Pick<Offer, "recurring">) =>
  recurring === null ? "" : ` / ${recurring.interval}`;

/** What a buyer reads beside the price: `Lifetime`, `30 days`, `7 days free`. */
export function saleText({ devices, days, recurring }: Pick<Offer, "days" | "devices" | "recurring">) {
  const trial = recurring?.trial_days ?? null;
  const free = trial === null ? "Cancel any time" : `${daysText(trial)} free`;
  return (recurring === null ? timeText(days) : free) + computersText(devices);
}

/** The term with the number of computers, where it is for several. */
export const offerText = ({ devices = 1, ...time }: OfferTerm & Partial<Pick<Offer, "devices">>) =>
  termText(time) + computersText(devices);

const computersText = (devices: number) =>
  devices > 1 ? `, ${devices.toLocaleString("en-US")} computers` : "";

const timeText = (days: number | null) => (days === null ? "Lifetime" : daysText(days));

/** `1 day`, `30 days` */
export const daysText = (days: number) => (days === 1 ? "1 day" : `${days} days`);
