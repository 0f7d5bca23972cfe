import type { PaymentStatus } from "../../schema/licences";
import type { Payment } from "../../schema/payments";
import { paymentStatusOf } from "../settle/disputes";

type Paid = Pick<
  Payment,
  "state" | "disputeStatus" | "disputedAt" | "refundedAt" | "refundKeeps" | "periodEndsAt" | "paidAmount"
>;

/**
 * What a subscription's payments make of its licence, newest period first. A dispute of any of them holds the licence
 * or, lost, ends it; a full refund ends it only if it is of the current period, since earlier ones are used up.
 * A switch leaves several invoices of one period: it is given back with the last of them. Staff may refund and leave
 * everything as it was.
 */
export function standingOf(paid: Paid[]): { paymentStatus: PaymentStatus; fellAt: Date | null } {
  const disputed = paid.filter(({ state }) => state === "disputed");
  const isLost = disputed.some((one) => paymentStatusOf(one.disputeStatus) === "revoked");
  if (disputed.length > 0) {
    return {
      paymentStatus: isLost ? "revoked" : "disputed",
      fellAt: earliest(disputed.map((one) => one.disputedAt)),
    };
  }
  const current = paid.filter(
    ({ periodEndsAt, paidAmount }) =>
      periodEndsAt?.getTime() === paid[0]?.periodEndsAt?.getTime() && paidAmount !== 0,
  );
  const isGivenBack =
    current.length > 0 && current.every((one) => one.state === "refunded" && !one.refundKeeps);
  if (!isGivenBack) return { paymentStatus: "good", fellAt: null };
  return { paymentStatus: "refunded", fellAt: latest(current.map((one) => one.refundedAt)) };
}

/** Whether a full refund of one of a subscription's payments, newest period first, would end its licence. */
export const endsIfRefunded = <One extends Paid>(paid: One[], refunded: One): boolean =>
  standingOf(paid).paymentStatus === "good" &&
  standingOf(paid.map((one) => (one === refunded ? { ...one, state: "refunded", refundKeeps: false } : one)))
    .paymentStatus === "refunded";

function latest(times: (Date | null)[]): Date | null {
  const known = times.flatMap((at) => at?.getTime() ?? []);
  return known.length === 0 ? null : new Date(Math.max(...known));
}

function earliest(times: (Date | null)[]): Date | null {
  const known = times.flatMap((at) => at?.getTime() ?? []);
  return known.length === 0 ? null : new Date(Math.min(...known));
}
