import type Stripe from "stripe";
import type { StoredInvoice } from "./subscription-invoices";

/**
 * Each charge after discounts that last, without tax; null if their terms are unknown.
 * https://docs.stripe.com/api/discounts/object
 */
export function netOf(
  { discounts }: Stripe.Subscription,
  { amount, periodEndsAt }: { amount: number; periodEndsAt: Date },
): number | null {
  let left = amount;
  for (const one of discounts) {
    const coupon = typeof one === "string" ? null : one.source.coupon;
    if (typeof one === "string" || coupon === null || typeof coupon === "string") return null;
    const isOver = one.end !== null && one.end * 1000 <= periodEndsAt.getTime();
    if (coupon.duration === "once" || isOver) continue;
    left -= coupon.amount_off ?? Math.round((left * (coupon.percent_off ?? 0)) / 100);
  }
  return Math.max(left, 0);
}

/** Of today's discounts, their months may end, or a draft may use one that is for a single invoice. */
export function discountsLeft(
  { discounts }: Stripe.Subscription,
  { invoices, periodEndsAt }: { invoices: StoredInvoice[]; periodEndsAt: Date },
): string[] | null {
  const drafts = invoices.filter(({ status }) => status === "draft");
  const used = new Set(drafts.flatMap((draft) => draft.discounts.map(idOf)));
  const left = discounts.filter((one) => {
    if (typeof one === "string") return true;
    const { coupon } = one.source;
    const isOnce = coupon !== null && typeof coupon !== "string" && coupon.duration === "once";
    const isOver = one.end !== null && one.end * 1000 <= periodEndsAt.getTime();
    return !isOver && !(isOnce && used.has(one.id));
  });
  return left.length === discounts.length ? null : left.flatMap((one) => idOf(one) ?? []);
}

const idOf = (one: string | { id: string }) => (typeof one === "string" ? one : one.id);
