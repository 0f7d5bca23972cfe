import { StripeRefusal } from "../api/errors";
import type { Checkout, Coupon, PromotionCode, Session } from "../ledger";
import { type World, seconds } from "../world";

/** The least that Stripe charges, minor units: https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts */
export const minimum = 50;

const couponOf = (world: World, code: PromotionCode): Coupon | undefined =>
  world.ledger.coupons.get(code.promotion?.coupon ?? "");

/** The session and its one line with a promotion code, or none; throws what Stripe says of an amount that is too small. */
export function priced(
  world: World,
  { session, lineItems: [line], ...rest }: Checkout,
  code: PromotionCode | null,
): Checkout {
  const subtotal = session.amount_subtotal ?? 0;
  const coupon = code && couponOf(world, code);
  const off = coupon ? discountOf(coupon, subtotal) : 0;
  const { tax, added } = taxOn(world, session, subtotal - off);
  const total = subtotal - off + added;
  if (total > 0 && total < minimum) throw tooSmall(session.currency ?? "usd");
  return {
    ...rest,
    session: {
      ...session,
      amount_total: total,
      discounts: code ? [{ coupon: null, promotion_code: code.id }] : [],
      total_details: { amount_discount: off, amount_tax: tax },
    },
    lineItems: [{ ...line, amount_discount: off, amount_tax: tax, amount_total: total }],
  };
}

function discountOf({ percent_off: percent, amount_off: amount }: Coupon, subtotal: number): number {
  if (percent !== null) return Math.round((subtotal * percent) / 100);
  return Math.min(amount ?? 0, subtotal);
}

function taxOn({ tax: { percent, within } }: World, { automatic_tax }: Session, net: number) {
  if (!automatic_tax?.enabled) return { tax: 0, added: 0 };
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
export function activeCode(world: World, typed: string): PromotionCode | undefined {
  return world.ledger.promotionCodes.newest().find((code) => {
    return code.code.toLowerCase() === typed.trim().toLowerCase() && isUsable(world, code);
  });
}

/** Neither switched off, nor over, nor used up. */
export function isUsable(world: World, code: PromotionCode): boolean {
  const coupon = couponOf(world, code);
  const over = code.expires_at !== null && code.expires_at <= seconds(world);
  const spent = code.max_redemptions !== null && code.times_redeemed >= code.max_redemptions;
  return code.active && coupon !== undefined && !over && !spent;
}

/** Gives an open session a code, or with null takes it away. */
export function applyCode(world: World, checkout: Checkout, code: PromotionCode | null): Checkout {
  return world.ledger.put("checkouts", priced(world, checkout, code));
}

/** An amount in minor units as people read it, such as `$5.00`. */
export function money(amount: number | null | undefined, currency: string | null | undefined): string {
  const format = new Intl.NumberFormat("en-US", { style: "currency", currency: currency ?? "usd" });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format((amount ?? 0) / 10 ** digits);
}

/** Counts the use of a session's code once it is complete. */
export function countUse(world: World, { discounts }: Session): void {
  const code = world.ledger.promotionCodes.get(discounts?.[0]?.promotion_code ?? "");
  const coupon = code && couponOf(world, code);
  if (!code || !coupon) return;
  const used = { ...code, times_redeemed: code.times_redeemed + 1 };
  world.ledger.put("coupons", { ...coupon, times_redeemed: coupon.times_redeemed + 1 });
  world.ledger.put("promotionCodes", { ...used, active: isUsable(world, used) });
}
