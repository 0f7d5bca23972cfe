import type Stripe from "stripe";
import { StripeRefusal } from "../api/errors";
import type { Checkout } from "../ledger";
import { type World, idOf } from "../world";

/** The least that Stripe charges, minor units: https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts */
export const minimum = 50;

/** The promotion code that a session has. */
export function codeOf(
  world: World,
  { discounts }: Stripe.Checkout.Session,
): Stripe.PromotionCode | undefined {
  return world.ledger.promotionCodes.get(idOf(discounts?.[0]?.promotion_code) ?? "");
}

export const couponOf = (world: World, code: Stripe.PromotionCode): Stripe.Coupon | undefined =>
  world.ledger.coupons.get(idOf(code.promotion.coupon) ?? "");

/** The session and its lines with a promotion code, or none; throws what Stripe says of an amount that is too small. */
export function priced(
  world: World,
  { session, lineItems }: Pick<Checkout, "session" | "lineItems">,
  code: Stripe.PromotionCode | null,
): Pick<Checkout, "session" | "lineItems"> {
  const subtotal = lineItems.reduce((sum, item) => sum + item.amount_subtotal, 0);
  const coupon = code && couponOf(world, code);
  const off = coupon ? discountOf(coupon, subtotal) : 0;
  const { tax, added } = taxOn(world, session, subtotal - off);
  const total = subtotal - off + added;
  if (total > 0 && total < minimum) throw tooSmall(session.currency ?? "usd");
  const [first, ...others] = lineItems;
  // the shop's sessions have one line, so the first one bears it all
  const line = first && {
    ...first,
    amount_discount: off,
    amount_tax: tax,
    amount_total: first.amount_subtotal - off + added,
  };
  return {
    session: {
      ...session,
      amount_subtotal: subtotal,
      amount_total: total,
      discounts: code ? [{ coupon: null, promotion_code: code.id }] : [],
      total_details: { amount_discount: off, amount_shipping: 0, amount_tax: tax },
    },
    lineItems: line ? [line, ...others] : [],
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
