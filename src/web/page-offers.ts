import { brand } from "@/brand/brand";
import type { Offer } from "@/contract/offers";
import { currencyPlace } from "./page-currency";

/** Stands in a built page for what the shop sells, as JSON. */
export const offersPlace = "%offers-come-here%";

/** Stands in a built page for each further offer. */
export const furtherOffer: Offer = {
  id: "%offer-id%",
  name: "%offer-name%",
  amount: 987_654_321,
  currency: currencyPlace,
  days: 987_654_321,
  devices: 1,
  recurring: null,
};

/** What a shop sells whose pages are being built: the brand's own offer, and with `several` a further one. */
export const builtOffers = (several: boolean): Offer[] => [
  { ...brand.offer, currency: currencyPlace, devices: 1, recurring: null },
  ...(several ? [furtherOffer] : []),
];

/** What the shop sold when the server sent this page; undefined if the page does not say. */
export function offersOfPage(): Offer[] | undefined {
  const { offers } = document.documentElement.dataset;
  // our own server wrote it
  return offers ? (JSON.parse(offers) as Offer[]) : undefined;
}
