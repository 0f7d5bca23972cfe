import { money } from "@/contract/money";
import type { By } from "@/core/actor";
import { record } from "@/core/audit";
import { commit } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { Refusal } from "@/core/refusal";
import { expectPayable } from "../../bills/payable";
import { authorize } from "../../permissions";
import { type CheckoutGateway, CodeUnknown, type PromotionCode } from "../checkout/checkout";

type NewCode = {
  code: string;
  /** An amount in minor units of the shop's currency; a percentage of 100. */
  off: { percent: number } | { amount: number };
  /** Null for any number of uses, and below for no end. */
  mostUses: number | null;
  expiresAt: Date | null;
};

/**
 * Creates a promotion code at Stripe. Refuses with `amount_uneven`; throws `CheckoutRefused` and `CheckoutUnreachable`.
 */
export async function createCode(
  ctx: Ctx,
  gateway: CheckoutGateway,
  { off, ...wanted }: NewCode,
  by: By,
): Promise<PromotionCode> {
  authorize(by, "code.create");
  if ("amount" in off) expectPayable(off.amount, ctx.currency);
  const made = await gateway.createCode({
    ...wanted,
    off: "amount" in off ? { ...off, currency: ctx.currency } : off,
  });
  const detail = { takes_off: offInWords(made.off), uses: made.mostUses };
  await commit(ctx.store, [record(ctx, { ...by, action: "code.created", subject: made.code, detail })]);
  return made;
}

/** Ends a promotion code. Refuses with `code_unknown`. */
export async function retireCode(
  ctx: Ctx,
  gateway: CheckoutGateway,
  code: string,
  by: By,
): Promise<PromotionCode> {
  authorize(by, "code.retire");
  const ended = await gateway.retireCode(code).catch((error: unknown) => {
    throw error instanceof CodeUnknown ? new Refusal("code_unknown") : error;
  });
  await commit(ctx.store, [record(ctx, { ...by, action: "code.retired", subject: ended.code })]);
  return ended;
}

/** `20 %`, `USD 2.00` */
export function offInWords(off: PromotionCode["off"]): string {
  if (off === null) return "-";
  return "percent" in off ? `${off.percent} %` : money(off.amount, off.currency);
}
