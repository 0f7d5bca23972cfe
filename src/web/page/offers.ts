import { brand } from "@/brand/brand";
import type { Offer } from "@/contract/wire/offers";
import { currencyPlaceholder, ownAmountPlaceholder } from "./currency";

/** A placeholder in a built page for the shop's offers, as JSON. */
export const offersPlaceholder = "%offers-come-here%";

/** A placeholder in a built page for each further offer. */
export const furtherOffer: Offer = {
  id: "%offer-id%",
  name: "%offer-name%",
  amount: 987_654_321,
  currency: currencyPlaceholder,
  days: 987_654_321,
  devices: 1,
  recurring: null,
};

/** What the brand itself sells. */
export function brandOffer(amount: number, currency: string): Offer {
  const { id, name, days } = brand.offer;
  return { id, name, amount, currency, days, devices: 1, recurring: null };
}

/** The offers for building pages: the brand's own with a placeholder for its price and, with `several`, one for further offers. */
export const builtOffers = (several: boolean): Offer[] => [
  brandOffer(ownAmountPlaceholder, currencyPlaceholder),
  ...(several ? [furtherOffer] : []),
];

/** The shop's offers when the server sent this page; undefined if the page holds none. */
export function offersOfPage(): Offer[] | undefined {
  const { offers } = document.documentElement.dataset;
  // our own server wrote it
  return offers ? (JSON.parse(offers) as Offer[]) : undefined;
}
