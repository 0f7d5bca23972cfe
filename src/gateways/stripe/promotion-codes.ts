import type Stripe from "stripe";
import { second } from "@/contract/vocabulary/time";
import { withTimeout } from "@/core/base/with-timeout";
import type { CheckoutOrder } from "@/domain/payments/port/stripe";
import {
  CodeFreesSeveral,
  type CodeOffered,
  CodeUnfit,
  CodeUnknown,
  type CodeUsed,
  type Discount,
  makesSeveralFree,
  type NewPromotionCode,
  type PromotionCode,
} from "@/domain/payments/port/promotion-code";
import { unlessMissing, unlessRefused } from "./errors";

const expand = ["data.promotion.coupon"];
const withAmounts = { expand: ["data.promotion.coupon.currency_options"] };
const withConditions = { expand: [...withAmounts.expand, "data.promotion.coupon.applies_to"] };

/**
 * The parameters that give a session its promotion code, or let the buyer enter one; Stripe accepts only one of them.
 * Throws {@link CodeUnknown}, {@link CodeFreesSeveral}, or {@link CodeUnfit} if Stripe refuses to look it up.
 */
export async function discountsOf(
  stripe: Stripe,
  { order, code }: Pick<CheckoutOrder, "order" | "code">,
): Promise<Pick<Stripe.Checkout.SessionCreateParams, "discounts" | "allow_promotion_codes">> {
  const several = order.quantity > 1;
  if (code === null) return several ? {} : { allow_promotion_codes: true };
  const found = await codeFor(stripe, code, several ? withAmounts : {});
  if (makesSeveralFree(discountOf(found), order)) throw new CodeFreesSeveral();
  return { discounts: [{ promotion_code: found.id }] };
}

export async function codeOffered(stripe: Stripe, code: string): Promise<CodeOffered> {
  const found = await codeFor(stripe, code, withConditions);
  const { coupon } = found.promotion;
  const { first_time_transaction: isFirst, minimum_amount: least } = found.restrictions;
  const isRead = coupon !== null && typeof coupon !== "string";
  return {
    id: found.id,
    limit: found.max_redemptions,
    discount: discountOf(found),
    lasts: isRead ? lastsOf(coupon) : null,
    isConditional:
      isFirst ||
      least !== null ||
      Boolean(found.customer ?? found.customer_account) ||
      (isRead && Boolean(coupon.applies_to?.products)),
  };
}

/** Throws {@link CodeUnfit} where Stripe refuses the text. */
const codeFor = (stripe: Stripe, code: string, also: { expand?: string[] }) =>
  unlessRefused(
    () => codeNamed(stripe, code, also),
    () => Promise.reject(new CodeUnfit()),
  );

/** A promotion code that buyers can use. https://docs.stripe.com/api/promotion_codes/list */
async function codeNamed(stripe: Stripe, code: string, also: { expand?: string[] } = {}) {
  const { data } = await stripe.promotionCodes.list({ code, active: true, limit: 1, ...also });
  if (!data[0]) throw new CodeUnknown();
  return data[0];
}

/** A code's discount, independent of currency; null if Stripe doesn't say. */
function discountOf({ promotion: { coupon } }: Stripe.PromotionCode): Discount | null {
  if (coupon === null || typeof coupon === "string") return null;
  const { percent_off: percent, amount_off: amount, currency, currency_options: more = {} } = coupon;
  if (percent !== null) return { percent };
  if (amount === null || currency === null) return null;
  const others = Object.entries(more).map(([name, { amount_off: off }]) => [name, off] as const);
  return { amounts: { ...Object.fromEntries(others), [currency]: amount } };
}

/** Creates a coupon for the code alone. https://docs.stripe.com/payments/checkout/discounts */
export async function createCode(stripe: Stripe, wanted: NewPromotionCode): Promise<PromotionCode> {
  const { code, off, lasts, mostUses, expiresAt } = wanted;
  const coupon = await stripe.coupons.create({
    ...(typeof lasts === "string"
      ? { duration: lasts }
      : { duration: "repeating", duration_in_months: lasts.months }),
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

/** https://docs.stripe.com/api/promotion_codes/list */
export async function pageOfCodes(stripe: Stripe, after: string | null, limit: number) {
  const starting = after === null ? {} : { starting_after: after };
  const { data, has_more: more } = await stripe.promotionCodes.list({ limit, expand, ...starting });
  return { codes: data.map(promotionCodeOf), more };
}

export const activeCode = async (stripe: Stripe, code: string): Promise<PromotionCode> =>
  promotionCodeOf(await codeNamed(stripe, code, { expand }));

export async function retireCode(stripe: Stripe, code: string): Promise<PromotionCode> {
  const { id } = await codeNamed(stripe, code);
  return promotionCodeOf(
    await stripe.promotionCodes.update(id, { active: false, expand: ["promotion.coupon"] }),
  );
}

function promotionCodeOf(made: Stripe.PromotionCode): PromotionCode {
  const { coupon } = made.promotion;
  return {
    id: made.id,
    code: made.code,
    ...(typeof coupon === "string" || coupon === null
      ? { off: null, lasts: null }
      : { off: offOf(coupon), lasts: lastsOf(coupon) }),
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

function lastsOf({ duration, duration_in_months: months }: Stripe.Coupon): PromotionCode["lasts"] {
  if (months) return { months };
  return duration === "once" ? "once" : "forever";
}

/** A code that Stripe refuses to end is used up there too. */
export async function switchOffCode(stripe: Stripe, id: string): Promise<void> {
  await unlessRefused(
    () => stripe.promotionCodes.update(id, { active: false }),
    () => null,
  );
}

/** A page of all open sessions, of which those that bear the code are taken. */
export async function openSessionsWithCode(stripe: Stripe, id: string, from: string | null) {
  const { data, has_more: more } = await stripe.checkout.sessions.list({
    status: "open",
    // jobs for people who wait, such as refunds, run between pages
    limit: 20,
    ...(from === null ? {} : { starting_after: from }),
  });
  return {
    sessionIds: data.filter((session) => codeIn(session) === id).map((session) => session.id),
    next: more ? (data.at(-1)?.id ?? null) : null,
  };
}

const codeIn = ({ discounts }: Stripe.Checkout.Session): string | null => {
  const named = discounts?.[0]?.promotion_code ?? null;
  return typeof named === "string" ? named : (named?.id ?? null);
};

/**
 * The code of a completed session. If the session was paid, its name and limit are only nice to know, and Stripe is asked
 * for two seconds at most; if it was free, the limit matters.
 */
export async function codeUsedIn(stripe: Stripe, session: Stripe.Checkout.Session): Promise<CodeUsed | null> {
  const id = codeIn(session);
  if (id === null || session.status !== "complete") return null;
  const asked = stripe.promotionCodes.retrieve(id).catch(unlessMissing);
  const found = await (session.amount_total === 0 ? asked : withTimeout(2 * second, asked).catch(() => null));
  return { id, name: found?.code ?? id, limit: found?.max_redemptions ?? null };
}
