import type { Coupon, PromotionCode } from "../ledger";
import { isUsable, couponJson } from "../money/totals";
import { seconds } from "../world";
import { found, invalid } from "./errors";
import {
  amountOf,
  currencyIn,
  decimal,
  type Form,
  integer,
  onlyKnown,
  part,
  required,
  text,
  texts,
} from "./form";
import { type Call, page } from "./lists";

/** https://docs.stripe.com/api/coupons/create */
export function createCoupon({ world, params }: Call): Coupon {
  onlyKnown(params, [
    "percent_off",
    "amount_off",
    "applies_to",
    "currency",
    "currency_options",
    "duration",
    "duration_in_months",
    "name",
  ]);
  const percent = decimal(params, "percent_off");
  const amount = amountOf(params, "amount_off", text(params, "currency") ?? "");
  if ((percent === undefined) === (amount === undefined))
    throw invalid("You must pass either percent_off or amount_off.", { param: "percent_off" });
  if (percent !== undefined && (percent <= 0 || percent > 100))
    throw invalid("Invalid percent_off: it must be above 0 and at most 100.", { param: "percent_off" });
  const products = texts(part(params, "applies_to") ?? {}, "products");
  const made = world.ledger.put("coupons", {
    ...(products.length > 0 ? { applies_to: { products } } : {}),
    currency_options: Object.fromEntries(
      Object.entries(part(params, "currency_options") ?? {}).map(([currency, option]) => [
        currency,
        { amount_off: (typeof option === "string" ? undefined : integer(option, "amount_off")) ?? 0 },
      ]),
    ),
    id: world.ids.next("", 8),
    object: "coupon",
    amount_off: amount ?? null,
    created: seconds(world),
    currency: amount === undefined ? null : currencyIn(params),
    ...durationIn(params),
    livemode: world.live,
    name: text(params, "name") ?? null,
    percent_off: percent ?? null,
    times_redeemed: 0,
  });
  return couponJson(made);
}

function durationIn(params: Form): Pick<Coupon, "duration" | "duration_in_months"> {
  const duration = text(params, "duration") ?? "once";
  const months = integer(params, "duration_in_months");
  if (duration !== "once" && duration !== "repeating" && duration !== "forever")
    throw invalid("Invalid duration: must be one of forever, once, or repeating", { param: "duration" });
  if ((duration === "repeating") !== (months !== undefined))
    throw invalid("`duration_in_months` is for coupons that repeat, and they need it.", {
      param: "duration_in_months",
    });
  return { duration, duration_in_months: months ?? null };
}

export const listCoupons = (call: Call) =>
  page(call, call.world.ledger.coupons, { noun: "coupon", show: couponJson, keep: () => true });

/** https://docs.stripe.com/api/promotion_codes/create */
export function createPromotionCode({ world, params }: Call): PromotionCode {
  onlyKnown(params, ["promotion", "code", "max_redemptions", "expires_at", "restrictions"]);
  const restrictions = part(params, "restrictions") ?? {};
  const coupon = required(part(params, "promotion") ?? {}, "coupon");
  found(world.ledger.coupons.get(coupon), "coupon", coupon, "promotion[coupon]");
  const code = required(params, "code");
  if (!/^[A-Za-z0-9-]+$/.test(code)) throw invalid(`Invalid promotion code: ${code}`, { param: "code" });
  const taken = world.ledger.promotionCodes
    .newest()
    .some((made) => made.active && made.code.toLowerCase() === code.toLowerCase());
  if (taken)
    throw invalid(`An active promotion code with \`code: ${code}\` already exists.`, { param: "code" });
  return world.ledger.put("promotionCodes", {
    id: world.ids.next("promo_1"),
    object: "promotion_code",
    active: true,
    code,
    created: seconds(world),
    expires_at: integer(params, "expires_at") ?? null,
    livemode: world.live,
    max_redemptions: integer(params, "max_redemptions") ?? null,
    promotion: { coupon, type: "coupon" },
    restrictions: {
      first_time_transaction: text(restrictions, "first_time_transaction") === "true",
      minimum_amount: integer(restrictions, "minimum_amount") ?? null,
      minimum_amount_currency: text(restrictions, "minimum_amount_currency") ?? null,
    },
    times_redeemed: 0,
  });
}

/** Switches a code on or off. */
export function updatePromotionCode({ world, id, params }: Call): PromotionCode {
  onlyKnown(params, ["active"]);
  const held = found(world.ledger.promotionCodes.get(id), "promotion code", id, "promotion_code");
  return world.ledger.put("promotionCodes", { ...held, active: text(params, "active") === "true" });
}

/** https://docs.stripe.com/api/promotion_codes/retrieve */
export function readPromotionCode({ world, id }: Call): PromotionCode {
  const held = found(world.ledger.promotionCodes.get(id), "promotion code", id, "promotion_code");
  return { ...held, active: isUsable(world, held) };
}

/** https://docs.stripe.com/api/promotion_codes/list; ignores the code's case. */
export function listPromotionCodes(call: Call) {
  const code = text(call.params, "code")?.toLowerCase();
  const active = text(call.params, "active");
  const usable = (made: PromotionCode) => isUsable(call.world, made);
  return page(call, call.world.ledger.promotionCodes, {
    noun: "promotion code",
    show: (made) => ({ ...made, active: usable(made) }),
    keep: (made) =>
      (code === undefined || made.code.toLowerCase() === code) &&
      (active === undefined || String(usable(made)) === active),
  });
}

/** The promotion code of `discounts[0]`; buyers then can't enter another. */
export function discountIn({ world, params }: Call, discounts: (string | Form)[]): PromotionCode | null {
  const [first, second] = discounts;
  if (first === undefined) return null;
  if (second !== undefined) throw invalid("You may only specify one discount.", { param: "discounts" });
  if ("allow_promotion_codes" in params)
    throw invalid("You may only specify one of these parameters: allow_promotion_codes, discounts.");
  const id = typeof first === "string" ? first : required(first, "promotion_code");
  const param = "discounts[0][promotion_code]";
  const code = found(world.ledger.promotionCodes.get(id), "promotion code", id, param);
  if (!isUsable(world, code))
    throw invalid("This promotion code is expired or has been used up.", { code: "promotion_code_expired" });
  return code;
}
