import { brand } from "@/brand/brand";
import { landing } from "@/brand/landing";
import { decimalText, priceText } from "@/contract/vocabulary/money";
import type { Offer } from "@/contract/wire/offers";
import { isWithout } from "./without";

export const inBrowser = typeof document !== "undefined";

/** A placeholder for CURRENCY in a built page, since one build serves any shop. */
export const currencyPlaceholder = "%currency-comes-here%";

/** A placeholder for CURRENCY in upper case, as in ISO 4217. */
export const currencyCodePlaceholder = "%currency-code-comes-here%";

/** The shop's currency, which the server wrote into the page. */
export const pageCurrency = (inBrowser && document.documentElement.dataset.currency) || "usd";

/** A price, by default in {@link pageCurrency}. */
export const pagePrice = (minor: number, currency = pageCurrency) =>
  inBrowser ? priceText(minor, currency) : `%price-${minor}%`;

/** {@link pagePrice} as a plain number, for programs. */
export const decimalPrice = (minor: number) =>
  inBrowser ? decimalText(minor, pageCurrency) : `%decimal-${minor}%`;

/** A placeholder in a built page for the price of the brand's own offer, which owners can change. */
export const ownAmountPlaceholder = 987_654_322;

/** A placeholder in a built page for {@link firstPrice}. */
export const firstPricePlace = "%first-price-comes-here%";

/** The price of the brand's own offer, as the server wrote it into the page. */
export const ownAmount = inBrowser ? amountInPage() : ownAmountPlaceholder;

function amountInPage(): number {
  const { offers } = document.documentElement.dataset;
  // our own server wrote it
  const [own] = offers ? (JSON.parse(offers) as Offer[]) : [];
  return own?.amount ?? brand.previewAmount;
}

/** Fills the price of the brand's own offer into one of its texts. */
export const withPrice = (text: string) =>
  text.replaceAll("{price}", isWithout("sale") ? noPrice : pagePrice(ownAmount));

/** What the price is where nothing is on sale. */
export const noPrice = "not on sale";
export const notOnSale = "Not on sale at the moment.";

/** The hero's line, as the server wrote it into the page: the brand's words about its own offer, or the lowest price of several. */
export const firstPrice = inBrowser
  ? (document.documentElement.dataset.firstPrice ?? withPrice(landing.hero.price))
  : firstPricePlace;
