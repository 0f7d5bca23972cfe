import type { Offer } from "@/contract/offers";
import { decimalsOf } from "@/contract/money";

/** `$5` or `$2.50`, as the product cards write prices. */
export function priceText(minor: number, currency: string): string {
  const places = decimalsOf(currency);
  const amount = minor / 10 ** places;
  return new Intl.NumberFormat("en-US", {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
    minimumFractionDigits: Number.isInteger(amount) ? 0 : places,
    maximumFractionDigits: places,
  }).format(amount);
}

export function termText({ days }: Pick<Offer, "days">): string {
  if (days === null) return "Lifetime";
  return days === 1 ? "1 day" : `${days} days`;
}
