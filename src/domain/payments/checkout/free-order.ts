import type { OrderTerms } from "./order-terms";

/** What a promotion code takes off; amounts in minor units, by currency in lower case. */
export type Discount = { percent: number } | { amounts: Record<string, number> };

type Asked = Pick<OrderTerms, "amount" | "currency" | "quantity">;

/**
 * Whether a code would make an order of several keys free: one code would then give up to a hundred keys. A minimum or
 * a list of products that the code is limited to doesn't count: where it is not met, the provider refuses the code
 * anyway. A discount that can't be read counts as everything.
 */
export const freesSeveral = (discount: Discount | null, { amount, currency, quantity }: Asked): boolean =>
  quantity > 1 && takesEverything(discount, amount * quantity, currency);

function takesEverything(discount: Discount | null, asked: number, currency: string): boolean {
  if (discount === null) return true;
  if ("amounts" in discount) return (discount.amounts[currency] ?? 0) >= asked;
  // however the provider rounds, nothing is left of less than one minor unit
  return (asked * (100 - discount.percent)) / 100 < 1;
}
