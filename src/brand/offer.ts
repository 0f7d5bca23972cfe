import { join } from "node:path";
import { maxPrice, minPrice } from "@/contract/vocabulary/bounds";
import { amountRule, isPayable, minorUnits, money } from "@/contract/vocabulary/money";
import type { Brand } from "./read";

type Offer = { id: string; name: string; price: string; days: number | null };

/** The brand's own offer in that currency; before it goes on sale, {@link priceFault} says whether its price can be read. */
export function offerOf({ offer }: { offer: Offer }, currency: string) {
  const { price, ...rest } = offer;
  return { ...rest, amount: minorUnits(price, currency) ?? 0, currency };
}

export type Priced = Pick<Brand, "folder" | "offer">;

/** Why Stripe would refuse the brand's price at every checkout; null if it would not. */
export function priceFault({ folder, offer: { price } }: Priced, currency: string): string | null {
  const amount = minorUnits(price, currency);
  const at = `In ${join(folder, "brand.json")}, offer.price is "${price}"`;
  if (amount === null) return `${at}, which is no amount in ${currency.toUpperCase()}.`;
  const lowest = minPrice(currency);
  if (amount < lowest || amount > maxPrice) {
    const bound =
      amount < lowest ? `less than ${money(lowest, currency)}` : `more than ${money(maxPrice, currency)}`;
    return `${at}, and Stripe takes no ${bound}.`;
  }
  if (isPayable(amount, currency)) return null;
  return `${at}, but amounts in ${currency.toUpperCase()} ${amountRule(currency)?.words}.`;
}
