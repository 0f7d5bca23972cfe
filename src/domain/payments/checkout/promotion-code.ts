import type { CodeLasts } from "@/contract/wire/desk/codes";

/** A promotion code: its discount on one purchase, and how often buyers may use it. */
export type PromotionCode = {
  id: string;
  code: string;
  off: { percent: number } | { amount: number; currency: string } | null;
  /** Of a subscription: its first payment, those of its first months, or all. */
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
  /** What buyers type; the id if the key may not read codes. */
  name: string;
  limit: number | null;
};

/** There is no such promotion code, or it is no longer valid. */
export class CodeUnknown extends Error {
  override name = "CodeUnknown";
}
/** The provider refuses a promotion code for this order, or to tell of it; customers may see `message`, if there is one. */
export class CodeUnfit extends Error {
  override name = "CodeUnfit";
}
/** The promotion code would make an order of several keys free. */
export class CodeForOne extends Error {
  override name = "CodeForOne";
}
