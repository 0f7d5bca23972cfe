import { join } from "node:path";
import { minorUnits } from "@/contract/vocabulary/money";
import { priceFault } from "@/contract/vocabulary/prices";
import type { Brand } from "./read";

/** The brand's own offer in that currency; before it goes on sale, {@link offerFault} says whether its price can be read. */
export function offerOf({ offer }: Pick<Brand, "offer">, currency: string) {
  const { price, ...rest } = offer;
  return { ...rest, amount: minorUnits(price, currency) ?? 0, currency };
}

export type Priced = Pick<Brand, "folder" | "offer">;

/** Why Stripe would refuse the brand's price at every checkout; null if it would not. */
export function offerFault({ folder, offer: { price } }: Priced, currency: string): string | null {
  const at = `In ${join(folder, "brand.json")}, offer.price is "${price}"`;
  const amount = minorUnits(price, currency);
  if (amount === null) return `${at}, which is no amount in ${currency.toUpperCase()}.`;
  const fault = priceFault(amount, currency);
  return fault && `${at}. ${fault}`;
}
