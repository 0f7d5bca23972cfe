import type { CodeLasts } from "@/contract/wire/desk/codes";
import { money } from "@/contract/vocabulary/money";
import type { Actor, By } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { expectPayable } from "../../bills/bill";
import { authorize, expectConfirmed } from "../../permissions";
import { type CheckoutGateway, CheckoutRefused, CheckoutUnreachable } from "../port/stripe";
import { CodeUnknown, type PromotionCode } from "../port/promotion-code";

type NewCode = {
  code: string;
  /** An amount in minor units of the shop's currency; a percentage of 100. */
  off: { percent: number } | { amount: number };
  lasts: CodeLasts;
  /** Null for any number of uses, and below for no end. */
  mostUses: number | null;
  expiresAt: Date | null;
};

/**
 * Creates a promotion code at Stripe. Refuses with `amount_uneven`, and with `checkout_refused` or
 * `checkout_unreachable`.
 */
export async function createCode(
  ctx: Ctx,
  gateway: CheckoutGateway,
  { off, ...wanted }: NewCode,
  by: By,
): Promise<PromotionCode> {
  authorize(by, "code.create");
  expectConfirmed(ctx, by, "code.create");
  if ("amount" in off) expectPayable(off.amount, ctx.currency);
  const made = await gateway
    .createCode({ ...wanted, off: "amount" in off ? { ...off, currency: ctx.currency } : off })
    .catch(refuse);
  const detail = { takes_off: offInWords(made.off), lasts: lastsInWords(made.lasts), uses: made.mostUses };
  await commit(ctx.store, [record(ctx, { ...by, action: "code.created", subject: made.code, detail })]);
  return made;
}

/** Ends a promotion code. Refuses with `code_unknown`, and as {@link createCode}. */
export async function retireCode(
  ctx: Ctx,
  gateway: CheckoutGateway,
  code: string,
  by: By,
): Promise<PromotionCode> {
  authorize(by, "code.retire");
  await gateway.activeCode(code).catch((error: unknown) => {
    if (error instanceof CodeUnknown) throw new Refusal("code_unknown", { subject: true });
    refuse(error);
  });
  expectConfirmed(ctx, by, "code.retire");
  const ended = await gateway.retireCode(code).catch(refuse);
  await commit(ctx.store, [record(ctx, { ...by, action: "code.retired", subject: ended.code })]);
  return ended;
}

/** A page of the promotion codes at Stripe, newest first. Refuses as {@link createCode}. */
export async function codesShown(
  gateway: CheckoutGateway,
  { after, most }: { after: string | null; most: number },
  actor: Actor,
): Promise<{ codes: PromotionCode[]; more: boolean }> {
  authorize(actor, "code.read");
  return gateway.codesAfter(after, most).catch(refuse);
}

function refuse(error: unknown): never {
  if (error instanceof CodeUnknown) throw new Refusal("code_unknown");
  if (error instanceof CheckoutRefused) throw new Refusal("checkout_refused", { sentence: error.message });
  if (error instanceof CheckoutUnreachable) throw new Refusal("checkout_unreachable", {}, { cause: error });
  throw error;
}

/** `20%`, `USD 2.00` */
export function offInWords(off: PromotionCode["off"]): string {
  if (off === null) return "-";
  return "percent" in off ? `${off.percent}%` : money(off.amount, off.currency);
}

/** `once`, `3 months`, `forever` */
export function lastsInWords(lasts: PromotionCode["lasts"]): string {
  if (lasts === null) return "-";
  return typeof lasts === "string" ? lasts : `${lasts.months} ${lasts.months === 1 ? "month" : "months"}`;
}
