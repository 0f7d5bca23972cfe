import type Stripe from "stripe";
import { StripeRefusal } from "../api/errors";
import type { Checkout } from "../ledger";
import { type World, idOf, seconds } from "../world";

/** The least that Stripe charges, minor units: https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts */
export const minimum = 50;

/** The promotion code that a session has. */
function codeOf(world: World, { discounts }: Stripe.Checkout.Session): Stripe.PromotionCode | undefined {
  return world.ledger.promotionCodes.get(idOf(discounts?.[0]?.promotion_code) ?? "");
}

const couponOf = (world: World, code: Stripe.PromotionCode): Stripe.Coupon | undefined =>
  world.ledger.coupons.get(idOf(code.promotion.coupon) ?? "");

/** The session and its one line with a promotion code, or none; throws what Stripe says of an amount that is too small. */
export function priced(
  world: World,
  { session, lineItems, ...rest }: Checkout,
  code: Stripe.PromotionCode | null,
): Checkout {
  const subtotal = session.amount_subtotal ?? 0;
  const coupon = code && couponOf(world, code);
  const off = coupon ? discountOf(coupon, subtotal) : 0;
  const { tax, added } = taxOn(world, session, subtotal - off);
  const total = subtotal - off + added;
  if (total > 0 && total < minimum) throw tooSmall(session.currency ?? "usd");
  const amounts = { amount_discount: off, amount_tax: tax, amount_total: total };
  return {
    ...rest,
    session: {
      ...session,
      amount_total: total,
      discounts: code ? [{ coupon: null, promotion_code: code.id }] : [],
      total_details: { amount_discount: off, amount_shipping: 0, amount_tax: tax },
    },
    lineItems: lineItems.map((line) => ({ ...line, ...amounts })),
  };
}

function discountOf({ percent_off: percent, amount_off: amount }: Stripe.Coupon, subtotal: number): number {
  if (percent !== null) return Math.round((subtotal * percent) / 100);
  return Math.min(amount ?? 0, subtotal);
}

function taxOn({ tax: { percent, within } }: World, { automatic_tax }: Stripe.Checkout.Session, net: number) {
  if (!automatic_tax.enabled) return { tax: 0, added: 0 };
  const tax = Math.round((net * percent) / (within ? 100 + percent : 100));
  return { tax, added: within ? 0 : tax };
}

export function tooSmall(currency: string): StripeRefusal {
  return new StripeRefusal(400, {
    type: "invalid_request_error",
    message: `The Checkout Session's total amount due must add up to at least $0.50 ${currency}.`,
    code: "amount_too_small",
  });
}

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
  return world.ledger.put("checkouts", priced(world, checkout, code));
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
