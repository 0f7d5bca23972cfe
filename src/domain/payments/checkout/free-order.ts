import type { OrderTerms } from "./order-terms";

/** A promotion code's discount; amounts in minor units, by currency in lower case. */
export type Discount = { percent: number } | { amounts: Record<string, number> };

type Asked = Pick<OrderTerms, "amount" | "currency" | "quantity">;

/**
 * Whether a code would make an order of several keys free: one code would then give up to a hundred keys. Ignores a
 * code's minimum and list of products: the provider refuses the code anyway where the order does not meet them. Counts
 * a discount that can't be read as 100 %.
 */
export const freesSeveral = (discount: Discount | null, { amount, currency, quantity }: Asked): boolean =>
  quantity > 1 && takesEverything(discount, amount * quantity, currency);

function takesEverything(discount: Discount | null, asked: number, currency: string): boolean {
  if (discount === null) return true;
  if ("amounts" in discount) return (discount.amounts[currency] ?? 0) >= asked;
  // however the provider rounds, less than one minor unit comes to nothing
  return (asked * (100 - discount.percent)) / 100 < 1;
}
