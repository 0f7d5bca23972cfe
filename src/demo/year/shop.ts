import { brand } from "@/brand/brand";
import { offerOf } from "@/brand/offer";
import type { Ctx } from "@/core/database/context";
import { endsOf, type HeldLicence } from "@/domain/licences/entitlement/time";
import type { LevelName } from "@/domain/levels/ladder";
import type { PaymentStatus } from "@/domain/schema/licences";
import { idAt } from "./ids";
import type { PastOffer, PastOrder, Year } from "./plan";

/** What the year looks like in this shop's currency and to its staff. */
export type PastShop = {
  ctx: Ctx;
  year: Year;
  offers: Record<
    PastOffer,
    { id: string; name: string; amount: number; days: number | null; level: LevelName }
  >;
  /** The promotion code that some buyers used, which takes off this many per cent. */
  code: { code: string; percent: number };
  /** The accounts of staff. */
  staff: Record<"olga" | "sam", string>;
  /** A hash that no password has. */
  passwordHash: string;
  /** When each redeemed licence ends; null is a lifetime. */
  ends: ReadonlyMap<string, Date | null>;
};

/** The offers with which the year was sold; amounts can be paid in any currency. */
export function pastOffers({ currency }: Pick<Ctx, "currency">): PastShop["offers"] {
  const { type, name } = brand.premium;
  const premium = { ...offerOf(brand, currency), level: { id: type, name } };
  const amount = Math.round((premium.amount * 0.4) / 10) * 10;
  const studio = { id: "studio", name: "Studio" };
  return {
    premium,
    quarter: { id: "quarter", name: "Three months", amount, days: 90, level: premium.level },
    studio: { ...studio, amount: 3 * premium.amount, days: null, level: studio },
  };
}

export const moment = (seconds: number) => new Date(seconds * 1000);

/** Of money, minor units: the price, what the code took off, what was paid and what was refunded. */
export function sumsOf({ offers, code }: Pick<PastShop, "offers" | "code">, order: PastOrder) {
  const price = offers[order.offer].amount * order.quantity;
  const off = order.hasCode ? Math.round((price * code.percent) / 100) : 0;
  const paid = price - off;
  const refunded = order.refund ? (order.refund.isPart ? Math.round((paid * 0.4) / 10) * 10 : paid) : 0;
  return { off, paid, refunded };
}

/** What a payment's refund or dispute means for its licences, and since when. */
export function fallOf({ refund, dispute }: PastOrder): {
  paymentStatus: PaymentStatus;
  fellAt: Date | null;
} {
  if (refund && !refund.isPart) return { paymentStatus: "refunded", fellAt: moment(refund.at) };
  if (!dispute || dispute.closed?.status === "won") return { paymentStatus: "good", fellAt: null };
  return { paymentStatus: dispute.closed ? "revoked" : "disputed", fellAt: moment(dispute.at) };
}

export const orderId = (order: PastOrder) => idAt(order.createdAt, `order ${order.number}`);
export const licenceId = ({ number, endedAt }: PastOrder, index: number) =>
  idAt(endedAt, `licence ${number} ${index}`);

/** The ends of all redeemed licences, account by account, by the shop's own rule. */
export function endsOfYear({ ctx, year, offers }: Pick<PastShop, "ctx" | "year" | "offers">) {
  const held = new Map<string, HeldLicence[]>();
  for (const order of year.orders) {
    if (!order.owner) continue;
    const { paymentStatus, fellAt } = fallOf(order);
    const { days, level } = offers[order.offer];
    const licence: HeldLicence = {
      id: licenceId(order, 0),
      chain: level.id,
      livemode: ctx.livemode,
      days,
      fixedEndsAt: null,
      paidUntil: null,
      redeemedAt: moment(order.redeemedAt),
      paymentStatus,
      paymentFellAt: fellAt,
      suspendedAt: null,
      revokedAt: null,
      extensions: [],
    };
    held.set(order.owner.id, [...(held.get(order.owner.id) ?? []), licence]);
  }
  return new Map([...held.values()].flatMap((licences) => [...endsOf(licences, ctx)]));
}
