import { brand } from "@/brand/brand";
import { offerOf } from "@/brand/offer";
import { landing } from "@/brand/landing";
import { perText, saleText } from "@/contract/wire/offer-term";
import type { Offer } from "@/contract/wire/offers";
import { firstPricePlace, ownAmountPlaceholder, withPrice } from "../web/page/currency";
import { furtherOffer, offersPlaceholder } from "../web/page/offers";

/** Writes the shop's offers, if they are known, into a built page, and in a page for several offers a row for each further offer. */
export function withOffers(html: string, offers: readonly Offer[], currency: string): string {
  const own = offers[0]?.amount ?? offerOf(brand, currency).amount;
  const page = html
    .replaceAll(offersPlaceholder, () => (offers.length > 0 ? Bun.escapeHTML(JSON.stringify(offers)) : ""))
    .replaceAll(firstPricePlace, () => Bun.escapeHTML(firstPrice(offers)))
    .replaceAll(`%price-${ownAmountPlaceholder}%`, `%price-${own}%`)
    .replaceAll(`%charge-${ownAmountPlaceholder}%`, `%charge-${own}%`)
    .replaceAll(`%decimal-${ownAmountPlaceholder}%`, `%decimal-${own}%`);
  const row = rowOf(page);
  return row === undefined ? page : page.replace(row, () => offers.slice(1).map(rowFor(row)).join(""));
}

function firstPrice(offers: readonly Offer[]): string {
  const { price, from } = landing.hero;
  if (offers.length < 2) return withPrice(price);
  const cheapest = offers.reduce((least, offer) => (offer.amount < least.amount ? offer : least));
  return from.replaceAll("{price}", priceOf(cheapest));
}

/** The sample row for a further offer, a `<label>`. */
function rowOf(html: string): string | undefined {
  const at = html.indexOf(furtherOffer.name);
  if (at === -1) return undefined;
  const end = "</label>";
  return html.slice(html.lastIndexOf("<label", at), html.indexOf(end, at) + end.length);
}

const rowFor = (row: string) => (offer: Offer) =>
  row
    .replaceAll(furtherOffer.id, () => Bun.escapeHTML(offer.id))
    .replaceAll(`%price-${furtherOffer.amount}%`, priceOf(offer))
    .replaceAll(saleText(furtherOffer), saleText(offer))
    .replaceAll(furtherOffer.name, () => Bun.escapeHTML(offer.name));

const priceOf = (offer: Offer) => `%price-${offer.amount}%${perText(offer)}`;
