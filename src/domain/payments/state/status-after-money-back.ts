import type { PaymentStatus } from "../../schema/licences";
import type { Payment } from "../../schema/payments";
import { paymentStatusOf } from "../port/disputes";

type Paid = Pick<
  Payment,
  | "state"
  | "disputeStatus"
  | "disputedAt"
  | "refundedAt"
  | "refundKeeps"
  | "periodEndsAt"
  | "paidAmount"
  | "paidAt"
>;

/**
 * What refunds and disputes of a subscription's payments do to its licence. A lost dispute of any payment ends it, and an
 * open one holds it. A full refund ends it if it is of the current period: of that period's last invoice with money, since
 * a switch leaves several. Earlier periods are used up. Staff may refund and leave everything as it was. `fellAt`: when it
 * ended, or since when it is held. An open dispute ends nothing yet: other payments are given back only once it is lost.
 */
export function statusAfterMoneyBack(paid: Paid[]): { paymentStatus: PaymentStatus; fellAt: Date | null } {
  const disputed = paid.filter(({ state }) => state === "disputed");
  const lost = disputed.filter((one) => paymentStatusOf(one.disputeStatus) === "revoked");
  const refundedAt = earliest(periodsOf(paid).flatMap((period) => givenBackAt(period, paid) ?? []));
  const fellAt = earlier(disputedAtOf(lost), refundedAt);
  if (lost.length > 0) return { paymentStatus: "revoked", fellAt };
  if (refundedAt) return { paymentStatus: "refunded", fellAt };
  return { paymentStatus: disputed.length > 0 ? "disputed" : "good", fellAt: disputedAtOf(disputed) };
}

/** Whether a full refund of one of a subscription's payments now would end its licence. */
export const endsIfRefunded = <One extends Paid>(paid: One[], refunded: One, now: Date): boolean =>
  statusAfterMoneyBack(paid).paymentStatus === "good" &&
  statusAfterMoneyBack(
    paid.map((one) =>
      one === refunded ? { ...one, state: "refunded", refundKeeps: false, refundedAt: now } : one,
    ),
  ).paymentStatus === "refunded";

/** The payments with money of each period. */
function periodsOf(paid: Paid[]): Paid[][] {
  const withMoney = paid.filter(({ paidAmount }) => paidAmount !== null && paidAmount > 0);
  return [...Map.groupBy(withMoney, ({ periodEndsAt }) => periodEndsAt?.getTime()).values()];
}

/** When the last money of a period went back while the period ran; null if it didn't. */
function givenBackAt(period: Paid[], paid: Paid[]): Date | null {
  if (!period.every(({ refundedAt, refundKeeps }) => refundedAt !== null && !refundKeeps)) return null;
  const end = period[0]?.periodEndsAt ?? null;
  const at = latest(period.flatMap(({ refundedAt }) => refundedAt ?? []));
  // a payment of no period of the subscription's own item ends none either
  if (at === null || end === null) return null;
  const isSucceeded = paid.some(
    ({ periodEndsAt, paidAt }) =>
      periodEndsAt !== null && periodEndsAt > end && paidAt !== null && paidAt <= at,
  );
  return at < end && !isSucceeded ? at : null;
}

const disputedAtOf = (paid: Paid[]): Date | null => earliest(paid.flatMap((one) => one.disputedAt ?? []));

const earliest = (times: Date[]): Date | null =>
  times.length === 0 ? null : new Date(Math.min(...times.map((at) => at.getTime())));

const latest = (times: Date[]): Date | null =>
  times.length === 0 ? null : new Date(Math.max(...times.map((at) => at.getTime())));

const earlier = (one: Date | null, other: Date | null): Date | null =>
  earliest([one, other].flatMap((at) => at ?? []));
