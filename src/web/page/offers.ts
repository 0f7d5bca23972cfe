import { brand } from "@/brand/brand";
import { termText } from "@/contract/wire/offer-term";
import type { Offer } from "@/contract/wire/offers";
import { currencyPlaceholder, inBrowser, ownAmount, ownAmountPlaceholder, pageCurrency } from "./currency";

/** A placeholder in a built page for the shop's offers, as JSON. */
export const offersPlaceholder = "%offers-come-here%";

/** The brand's, of which pages are built. */
const ownLevel = { level: { id: brand.premium.type, name: brand.premium.name }, includes: [], features: [] };

/** A placeholder in a built page for each further offer. */
export const furtherOffer: Offer = {
  id: "%offer-id%",
  name: "%offer-name%",
  amount: 987_654_321,
  currency: currencyPlaceholder,
  days: 987_654_321,
  devices: 1,
  ...ownLevel,
  recurring: null,
};

/** A placeholder in a built page for the shop's first offer, with a term that no other text has. */
export const firstOffer: Offer = {
  id: "%first-id%",
  name: "%first-name%",
  amount: ownAmountPlaceholder,
  currency: currencyPlaceholder,
  days: 987_654_322,
  devices: 1,
  ...ownLevel,
  level: { ...ownLevel.level, name: "%first-level%" },
  recurring: null,
};

/** What the brand itself sells, for a page that doesn't know the shop's offers. */
export function brandOffer(amount: number, currency: string): Offer {
  const { id, name, days } = brand.offer;
  return { id, name, amount, currency, days, devices: 1, ...ownLevel, recurring: null };
}

/** The offers for building pages: placeholders for the first and, with `several`, for further ones. */
export const builtOffers = (several: boolean): Offer[] => [firstOffer, ...(several ? [furtherOffer] : [])];

/** The name of the level that the shop's first offer sells, and a placeholder for it. */
export const firstLevel = inBrowser ? offerOfPage().level.name : firstOffer.level.name;

/** The same placeholder in the data that search engines read. */
export const firstLevelInData = "%first-level-in-data%";

/** Whether a level's name says anything: the shop sells others, or didn't begin with it. */
export const saysLevel = ({ id }: Offer["level"]): boolean =>
  id !== brand.premium.type || (inBrowser && (offersOfPage() ?? []).some(({ level }) => level.id !== id));

/** How long the shop's first offer lasts, and a placeholder for it. */
export const firstTerm = inBrowser ? termText(offerOfPage()) : "%first-term%";

/** The same on the key beside a form; nothing where it ends. */
export const firstLasts = inBrowser ? lastsText(offerOfPage()) : "%first-lasts%";

export function lastsText(offer: Offer): string {
  return isForLife(offer) ? ", lifetime" : "";
}

export function isForLife({ days, recurring }: Pick<Offer, "days" | "recurring">): boolean {
  return days === null && recurring === null;
}

/** The shop's first offer. */
export function offerOfPage(): Offer {
  return offersOfPage()?.[0] ?? brandOffer(ownAmount, pageCurrency);
}

/** The shop's offers when the server sent this page; undefined if the page holds none. */
export function offersOfPage(): Offer[] | undefined {
  const { offers } = document.documentElement.dataset;
  // our own server wrote it
  return offers ? (JSON.parse(offers) as Offer[]) : undefined;
}
