import { StripeRefusal } from "../api/errors";
import type { Checkout, Coupon, LineItem, PromotionCode, Session } from "../ledger";
import { type World, seconds } from "../world";

/**
 * The least that Stripe charges, in minor units: https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts
 */
export const minimum = 50;

/** A coupon as Stripe shows it, which includes these two fields only if expanded. */
export function couponJson(coupon: Coupon): Coupon {
  const { applies_to: _products, currency_options: _options, ...seen } = coupon;
  return seen;
}

export const couponOf = (world: World, code: PromotionCode): Coupon | undefined =>
  world.ledger.coupons.get(code.promotion?.coupon ?? "");

/** The session and its line with a promotion code, or without; throws Stripe's error if the amount is too small. */
export function priced(
  world: World,
  { session, lineItems: [line], ...rest }: Checkout,
  code: PromotionCode | null,
): Checkout {
  const subtotal = session.amount_subtotal ?? 0;
  const coupon = code && couponOf(world, code);
  if (code && coupon) expectFits(session, line, code, coupon);
  const off = coupon ? discountOf(coupon, session) : 0;
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

function discountOf(coupon: Coupon, { amount_subtotal: asked, currency }: Session): number {
  const subtotal = asked ?? 0;
  if (coupon.percent_off !== null) return Math.round((subtotal * coupon.percent_off) / 100);
  return Math.min(amountOff(coupon, currency) ?? 0, subtotal);
}

/** The amount that a coupon takes off in a currency; undefined if it has none for that currency. */
export function amountOff(coupon: Coupon, currency: string | null | undefined): number | undefined {
  if (coupon.currency === currency) return coupon.amount_off ?? undefined;
  return coupon.currency_options?.[currency ?? ""]?.amount_off;
}

const unfit = (message: string) =>
  new StripeRefusal(400, { type: "invalid_request_error", message, param: "discounts" });

/** Throws Stripe's error if an order does not qualify for a code. */
function expectFits(
  { amount_subtotal: asked, currency }: Session,
  { price }: LineItem,
  { restrictions }: PromotionCode,
  coupon: Coupon,
) {
  // what is asked now, or after a trial
  const subtotal = price?.unit_amount ?? asked;
  // a line with `price_data` has a product of its own, to which no coupon can apply
  if (coupon.applies_to && !coupon.applies_to.products?.includes(price?.product ?? ""))
    throw unfit(
      "This promotion code cannot be redeemed because it does not apply to anything in this order.",
    );
  if (coupon.percent_off === null && amountOff(coupon, currency) === undefined)
    throw unfit(`This promotion code cannot be used with the currency ${currency}.`);
  const { minimum_amount: least, minimum_amount_currency: unit } = restrictions ?? {};
  if (least && (unit !== currency || (subtotal ?? 0) < least))
    throw unfit(
      "This promotion code cannot be redeemed because the order does not reach its minimum amount.",
    );
}

/** The tax on a net amount, and how much of it is added to it. */
export function taxOn(
  { tax: { percent, within } }: World,
  { automatic_tax }: Pick<Session, "automatic_tax">,
  net: number,
) {
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

/** The active code that a buyer typed, ignoring case. */
export function activeCode(world: World, typed: string): PromotionCode | undefined {
  return world.ledger.promotionCodes.newest().find((code) => {
    return code.code.toLowerCase() === typed.trim().toLowerCase() && isUsable(world, code);
  });
}

/** Whether a code is active, not expired and not used up. */
export function isUsable(world: World, code: PromotionCode): boolean {
  const coupon = couponOf(world, code);
  const over = code.expires_at !== null && code.expires_at <= seconds(world);
  const spent = code.max_redemptions !== null && code.times_redeemed >= code.max_redemptions;
  return code.active && coupon !== undefined && !over && !spent;
}

/** Applies a code to an open session; null removes it. */
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
