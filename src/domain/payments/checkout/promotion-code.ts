import type { CodeLasts } from "@/contract/desk/codes";

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
