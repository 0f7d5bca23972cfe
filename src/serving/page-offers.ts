import { brand } from "@/brand/brand";
import { offerOf } from "@/brand/offer";
import { landing } from "@/brand/landing";
import { perText, saleText, termText } from "@/contract/wire/offer-term";
import type { Offer } from "@/contract/wire/offers";
import {
  currencyPlaceholder,
  firstPricePlace,
  noPrice,
  notOnSale,
  ownAmountPlaceholder,
  withPrice,
} from "../web/page/currency";
import { brandOffer, firstOffer, furtherOffer, lastsText, offersPlaceholder } from "../web/page/offers";
import { actText, chargeSentence, priceTail } from "../web/parts/offers/charge";

/** Writes the shop's offers, if they are known, into a built page, and in a page for several offers a row for each further offer. */
export function withOffers(html: string, known: readonly Offer[] | undefined, currency: string): string {
  const offers = known ?? [];
  const [first = brandOffer(offerOf(brand, currency).amount, currencyPlaceholder)] = offers;
  const own = first.amount;
  const priced = known?.length === 0 ? withoutPrices(html) : html;
  const page = withFirst(priced, first)
    .replaceAll(offersPlaceholder, () => (known ? Bun.escapeHTML(JSON.stringify(known)) : ""))
    .replaceAll(firstPricePlace, () => Bun.escapeHTML(firstPrice(offers)))
    .replaceAll(`%price-${ownAmountPlaceholder}%`, `%price-${own}%`)
    .replaceAll(`%charge-${ownAmountPlaceholder}%`, `%charge-${own}%`)
    .replaceAll(`%decimal-${ownAmountPlaceholder}%`, `%decimal-${own}%`);
  const row = rowOf(page, furtherOffer);
  return row === undefined
    ? page
    : page.replace(row, () =>
        offers
          .slice(1)
          .map((offer) => rowFor(row, furtherOffer, offer))
          .join(""),
      );
}

/** A page of a shop with nothing on sale, also for search engines. */
const withoutPrices = (html: string) =>
  html
    .replaceAll(/,"offers":\{"@type":"Offer"[^}]*\}/g, "")
    .replaceAll(firstPricePlace, notOnSale)
    .replaceAll(`%price-${ownAmountPlaceholder}%`, noPrice);

/** Writes the shop's first offer into a built page, but for its price. */
function withFirst(html: string, first: Offer): string {
  const row = rowOf(html, firstOffer);
  const page = row === undefined ? html : html.replace(row, () => rowFor(row, firstOffer, first));
  const terms = { quantity: 1, code: undefined, now: null };
  const texts = [
    [chargeSentence(firstOffer, terms), chargeSentence(first, terms)],
    [saleText(firstOffer), priceTail(first, undefined, new Date())],
    ["%first-term%", termText(first)],
    ["%first-lasts%", lastsText(first)],
  ] as const;
  return texts
    .reduce(
      (text, [place, words]) => text.replaceAll(Bun.escapeHTML(place), () => Bun.escapeHTML(words)),
      page,
    )
    .replaceAll(/%first-act\((.*?)\)%/g, (_, purchase) => actText(first, purchase));
}

function firstPrice(offers: readonly Offer[]): string {
  const { price, from } = landing.hero;
  const [first] = offers;
  if (offers.length < 2) return first?.recurring ? priceOf(first) : withPrice(price);
  const cheapest = offers.reduce((least, offer) => (offer.amount < least.amount ? offer : least));
  return from.replaceAll("{price}", priceOf(cheapest));
}

/** The row of a placeholder, a `<label>`. */
function rowOf(html: string, place: Offer): string | undefined {
  const at = html.indexOf(place.name);
  if (at === -1) return undefined;
  const end = "</label>";
  return html.slice(html.lastIndexOf("<label", at), html.indexOf(end, at) + end.length);
}

const rowFor = (row: string, place: Offer, offer: Offer) =>
  row
    .replaceAll(place.id, () => Bun.escapeHTML(offer.id))
    .replaceAll(`%price-${place.amount}%`, priceOf(offer))
    .replaceAll(saleText(place), saleText(offer))
    .replaceAll(place.name, () => Bun.escapeHTML(offer.name));

const priceOf = (offer: Offer) => `%price-${offer.amount}%${perText(offer)}`;
