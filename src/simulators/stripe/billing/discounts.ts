import { emit } from "../events";
import type { Coupon, PromotionCode } from "../ledger";
import { type World, seconds } from "../world";
import type { Discount, Subscription } from "./rows";
import { after } from "./time";

type Given = {
  coupon: Coupon;
  code: PromotionCode | null;
  customer: string;
  subscription: string;
  session?: string | undefined;
};

/** The discount that a coupon becomes when it is used. */
export function newDiscount(
  world: World,
  { coupon, code, customer, subscription, session }: Given,
): Discount {
  const start = seconds(world);
  const months = coupon.duration === "repeating" ? (coupon.duration_in_months ?? 1) : null;
  const discount: Discount = {
    id: world.ids.next("di_1"),
    object: "discount",
    checkout_session: session ?? null,
    customer,
    end: months === null ? null : after(start, "month", months),
    invoice: null,
    invoice_item: null,
    promotion_code: code?.id ?? null,
    source: { coupon: coupon.id, type: "coupon" },
    start,
    subscription,
    subscription_item: null,
  };
  world.ledger.put("discounts", discount);
  emit(world, "customer.discount.created", discount);
  return discount;
}

export type Discounted = { discount: Discount; coupon: Coupon };

/** The discounts of a subscription that apply at a moment. */
export function discountsAt(
  world: World,
  { discounts }: Pick<Subscription, "discounts">,
  moment: number,
): Discounted[] {
  return discounts.flatMap((id) => {
    const discount = world.ledger.discounts.get(id);
    const coupon = discount && world.ledger.coupons.get(discount.source.coupon);
    if (!discount || !coupon || (discount.end !== null && discount.end <= moment)) return [];
    return [{ discount, coupon }];
  });
}

/** The discounts that remain after an invoice with an amount: those for one invoice are used up. */
export const remaining = (world: World, discounts: string[]): string[] =>
  discounts.filter((id) => {
    const coupon = world.ledger.coupons.get(world.ledger.discounts.get(id)?.source.coupon ?? "");
    return coupon?.duration !== "once";
  });
