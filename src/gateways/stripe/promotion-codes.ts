import type Stripe from "stripe";
import { CodeUnknown, type NewPromotionCode, type PromotionCode } from "@/domain/payments/checkout";

const expand = ["data.promotion.coupon"];

/** Stripe's id of a promotion code that buyers can use. https://docs.stripe.com/api/promotion_codes/list */
export async function codeNamed(stripe: Stripe, code: string): Promise<string> {
  const { data } = await stripe.promotionCodes.list({ code, active: true, limit: 1 });
  if (!data[0]) throw new CodeUnknown();
  return data[0].id;
}

/** A code is a coupon of its own with one promotion code. https://docs.stripe.com/payments/checkout/discounts */
export async function createCode(stripe: Stripe, wanted: NewPromotionCode): Promise<PromotionCode> {
  const { code, off, mostUses, expiresAt } = wanted;
  const coupon = await stripe.coupons.create({
    duration: "once",
    name: code,
    ...("percent" in off ? { percent_off: off.percent } : { amount_off: off.amount, currency: off.currency }),
  });
  const made = await stripe.promotionCodes.create({
    promotion: { type: "coupon", coupon: coupon.id },
    code,
    ...(mostUses === null ? {} : { max_redemptions: mostUses }),
    ...(expiresAt === null ? {} : { expires_at: Math.floor(expiresAt.getTime() / 1000) }),
  });
  return promotionCodeOf({ ...made, promotion: { ...made.promotion, coupon } });
}

export async function listCodes(stripe: Stripe): Promise<PromotionCode[]> {
  const all = stripe.promotionCodes.list({ limit: 100, expand });
  return (await all.autoPagingToArray({ limit: 1_000 })).map(promotionCodeOf);
}

export async function retireCode(stripe: Stripe, code: string): Promise<PromotionCode> {
  const id = await codeNamed(stripe, code);
  return promotionCodeOf(
    await stripe.promotionCodes.update(id, { active: false, expand: ["promotion.coupon"] }),
  );
}

function promotionCodeOf(made: Stripe.PromotionCode): PromotionCode {
  const { coupon } = made.promotion;
  return {
    id: made.id,
    code: made.code,
    off: typeof coupon === "string" || coupon === null ? null : offOf(coupon),
    uses: made.times_redeemed,
    mostUses: made.max_redemptions,
    expiresAt: made.expires_at === null ? null : new Date(made.expires_at * 1000),
    active: made.active,
  };
}

function offOf({ percent_off: percent, amount_off: amount, currency }: Stripe.Coupon): PromotionCode["off"] {
  if (percent !== null) return { percent };
  return amount !== null && currency !== null ? { amount, currency } : null;
}
