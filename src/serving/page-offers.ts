import { brand } from "@/brand/brand";
import { landing } from "@/brand/landing";
import { offerOf } from "@/brand/offer";
import { chargeText, decimalText, priceText } from "@/contract/vocabulary/money";
import { perText, saleText, termText } from "@/contract/wire/offer-term";
import type { Offer } from "@/contract/wire/offers";
import {
  currencyCodePlaceholder,
  currencyPlaceholder,
  firstPricePlace,
  noPrice,
  notOnSale,
  ownAmountPlaceholder,
} from "../web/page/currency";
import {
  brandOffer,
  firstLevelInData,
  firstOffer,
  furtherOffer,
  lastsText,
  offersPlaceholder,
} from "../web/page/offers";
import { actText, chargeSentence, priceTail, purchaseTextOf } from "../web/parts/offers/charge";
import { originPlaceholder } from "./manifest";

type Shown = { origin: string; offers: readonly Offer[] | undefined; currency: string };
/** What stands in a built page, and the HTML that takes its place. */
type Places = Readonly<Record<string, string>>;

/**
 * Writes the shop's address, its offers, if they are known, and its currency into a built page, and in a page for
 * several offers a row for each further offer. In one pass: nothing that is put in is searched for places again.
 */
export function withShop(built: string, { origin, offers: known, currency }: Shown): string {
  const offers = known ?? [];
  const html = known?.length === 0 ? withoutPrices(built) : built;
  const [first = brandOffer(offerOf(brand, currency).amount, currency)] = offers;
  const amounts = (text: string) =>
    text.replace(amount, (_, kind: keyof typeof amountTexts, minor: string) =>
      amountTexts[kind](Number(minor) === ownAmountPlaceholder ? first.amount : Number(minor), currency),
    );
  const filled = (text: string, places: Places): string => {
    const known = Object.keys(places).toSorted((a, b) => b.length - a.length);
    const place = new RegExp(
      [...known.map((one) => RegExp.escape(one)), amount.source, act.source].join("|"),
      "g",
    );
    return text.replace(place, (found: string) => {
      if (Object.hasOwn(places, found)) return places[found] ?? "";
      const [, purchase] = act.exec(found) ?? [];
      if (purchase === undefined) return amounts(found);
      const words = actText({ ...first, id: "" }, purchaseTextOf(first, purchase));
      return words === purchase ? filled(words, places) : Bun.escapeHTML(words);
    });
  };
  const priceOf = (offer: Offer) => priceText(offer.amount, currency) + perText(offer);
  const terms = { quantity: 1, code: undefined, now: null };
  const everywhere: Places = {
    [originPlaceholder]: origin,
    [currencyPlaceholder]: currency,
    [currencyCodePlaceholder]: currency.toUpperCase(),
    [offersPlaceholder]: known ? Bun.escapeHTML(JSON.stringify(known)) : "",
    [firstPricePlace]: Bun.escapeHTML(firstPrice(offers, priceOf, priceText(first.amount, currency))),
    [Bun.escapeHTML(chargeSentence(firstOffer, terms))]: Bun.escapeHTML(
      amounts(chargeSentence(first, terms)),
    ),
    [saleText(firstOffer)]: Bun.escapeHTML(priceTail(first, undefined, new Date())),
    [firstOffer.level.name]: Bun.escapeHTML(first.level.name),
    [firstLevelInData]: JSON.stringify(first.level.name).slice(1, -1).replaceAll("<", "\\u003c"),
    "%first-term%": Bun.escapeHTML(termText(first)),
    "%first-lasts%": Bun.escapeHTML(lastsText(first)),
  };
  const rows = (place: Offer, shown: readonly Offer[]): Places => {
    const row = rowOf(html, place);
    const drawn = (offer: Offer) =>
      filled(row, {
        ...everywhere,
        [place.id]: Bun.escapeHTML(offer.id),
        [place.name]: Bun.escapeHTML(offer.name),
        [`%price-${place.amount}%`]: priceOf(offer),
        [saleText(place)]: saleText(offer),
      });
    return row === "" ? {} : { [row]: shown.map(drawn).join("") };
  };
  return filled(html, {
    ...everywhere,
    ...rows(firstOffer, [first]),
    ...rows(furtherOffer, offers.slice(1)),
  });
}

/** A page of a shop with nothing on sale, also for search engines. */
const withoutPrices = (html: string) =>
  html
    .replaceAll(/,"offers":\{"@type":"Offer"[^}]*\}/g, "")
    .replaceAll(firstPricePlace, notOnSale)
    .replaceAll(`%price-${ownAmountPlaceholder}%`, noPrice);

const amountTexts = { price: priceText, charge: chargeText, decimal: decimalText };
const amount = /%(price|charge|decimal)-(\d+)%/g;
const act = /%first-act\((.*?)\)%/;

function firstPrice(offers: readonly Offer[], priceOf: (offer: Offer) => string, own: string): string {
  const { price, from } = landing.hero;
  const [first] = offers;
  if (offers.length < 2) return first?.recurring ? priceOf(first) : price.replaceAll("{price}", () => own);
  const cheapest = offers.reduce((least, offer) => (offer.amount < least.amount ? offer : least));
  return from.replaceAll("{price}", () => priceOf(cheapest));
}

/** The row of a placeholder, a `<label>`; empty if there is none. */
function rowOf(html: string, place: Offer): string {
  const at = html.indexOf(place.name);
  if (at === -1) return "";
  const end = "</label>";
  return html.slice(html.lastIndexOf("<label", at), html.indexOf(end, at) + end.length);
}
