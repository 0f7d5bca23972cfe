import type { CodeLasts } from "@/contract/wire/desk/codes";
import type { OrderTerms } from "./order-terms";

/** A promotion code: its discount on one purchase, and how often buyers may use it. */
export type PromotionCode = {
  id: string;
  code: string;
  off: { percent: number } | { amount: number; currency: string } | null;
  /** The payments of a subscription that it reduces: the first, those of the first months, or all. */
  lasts: CodeLasts | null;
  uses: number;
  mostUses: number | null;
  expiresAt: Date | null;
  active: boolean;
};

export type NewPromotionCode = {
  code: string;
  off: { percent: number } | { amount: number; currency: string };
  lasts: CodeLasts;
  mostUses: number | null;
  expiresAt: Date | null;
};

/** A promotion code of an order. `limit`: how often buyers may use it; null if that is not limited or not known. */
export type CodeUsed = {
  /** The provider's, which no other code ever has. */
  id: string;
  /** What buyers type; the id if the provider did not say in time. */
  name: string;
  limit: number | null;
};

/** What the provider says of an active promotion code before there is an order. */
export type CodeOffered = Pick<CodeUsed, "id" | "limit"> & {
  /** Null if it can't be read. */
  discount: Discount | null;
  lasts: CodeLasts | null;
  /** Only the provider can tell: a first purchase, a minimum, certain customers or products. */
  isConditional: boolean;
};

/** A promotion code's discount; amounts in minor units, by currency in lower case. */
export type Discount = { percent: number } | { amounts: Record<string, number> };

type CodeTerms = Pick<OrderTerms, "amount" | "currency" | "quantity">;

/**
 * Whether a code would make an order of several keys free: one code would then give up to a hundred keys. Ignores a
 * code's minimum and list of products: the provider refuses the code anyway where the order does not meet them. Counts
 * a discount that can't be read as 100 %.
 */
export const makesSeveralFree = (
  discount: Discount | null,
  { amount, currency, quantity }: CodeTerms,
): boolean => quantity > 1 && takesEverything(discount, amount * quantity, currency);

function takesEverything(discount: Discount | null, asked: number, currency: string): boolean {
  if (discount === null) return true;
  if ("amounts" in discount) return (discount.amounts[currency] ?? 0) >= asked;
  // however the provider rounds, less than one minor unit comes to nothing
  return (asked * (100 - discount.percent)) / 100 < 1;
}

/** What a code takes off an order, in minor units; null if it takes nothing off in the order's currency. */
export function takenOff(discount: Discount, { amount, currency, quantity }: CodeTerms): number | null {
  const asked = amount * quantity;
  if ("percent" in discount) return Math.round((asked * discount.percent) / 100);
  const off = discount.amounts[currency];
  return off === undefined ? null : Math.min(off, asked);
}

/** There is no such promotion code, or it is no longer valid. */
export class CodeUnknown extends Error {
  override name = "CodeUnknown";
}
/** The provider refuses a promotion code for this order, or to look it up; customers may see `message`, if there is one. */
export class CodeUnfit extends Error {
  override name = "CodeUnfit";
}
/** The promotion code would make an order of several keys free. */
export class CodeFreesSeveral extends Error {
  override name = "CodeFreesSeveral";
}
