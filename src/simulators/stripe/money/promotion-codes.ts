import type Stripe from "stripe";
import type { Checkout } from "../ledger";
import { type World, seconds } from "../world";
import { codeOf, couponOf, priced } from "./totals";

/** An active code as a buyer types it, whatever its case. */
export function activeCode(world: World, typed: string): Stripe.PromotionCode | undefined {
  return world.ledger.promotionCodes.newest().find((code) => {
    return code.code.toLowerCase() === typed.trim().toLowerCase() && isUsable(world, code);
  });
}

/** Neither switched off, nor over, nor used up. */
export function isUsable(world: World, code: Stripe.PromotionCode): boolean {
  const coupon = couponOf(world, code);
  const over = code.expires_at !== null && code.expires_at <= seconds(world);
  const spent = [code, coupon].some(
    (one) => one?.max_redemptions != null && one.times_redeemed >= one.max_redemptions,
  );
  return code.active && coupon?.valid === true && !over && !spent;
}

/** Gives an open session a code, or with null takes it away. */
export function applyCode(world: World, checkout: Checkout, code: Stripe.PromotionCode | null): Checkout {
  const changed = { ...checkout, ...priced(world, checkout, code) };
  world.ledger.put("checkouts", changed);
  return changed;
}

/** Counts the use of a session's code once it is complete. */
export function countUse(world: World, session: Stripe.Checkout.Session): void {
  const code = codeOf(world, session);
  const coupon = code && couponOf(world, code);
  if (!code || !coupon) return;
  const used = { ...code, times_redeemed: code.times_redeemed + 1 };
  world.ledger.put("coupons", { ...coupon, times_redeemed: coupon.times_redeemed + 1 });
  world.ledger.put("promotionCodes", { ...used, active: isUsable(world, used) });
}
