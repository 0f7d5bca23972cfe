import type { DisputeTaking, StripeRefund } from "../../schema/money-back";
import type { Payment } from "../../schema/payments";
import type { CheckoutFacts, DisputeHeld } from "../port/stripe";
import { hasMoney } from "../port/disputes";

/*
 * Which refunds and takings of disputes a payment has, by what Stripe holds and what we held. Nothing here reads or
 * writes.
 */

type Owner = Pick<Payment, "id" | "currency">;
/** The rows that a payment's refunds should be. */
export function wantedRefunds(
  payment: Owner,
  held: StripeRefund[],
  listed: CheckoutFacts["refunds"],
): StripeRefund[] {
  // of a charge without refunds Stripe lists none: those that it had have failed
  const failed = held.filter((row) => !listed.some(({ id }) => id === row.id));
  return [
    ...listed.map(({ id, amount, currency, status, at }) => ({
      id,
      paymentId: payment.id,
      amount,
      currency,
      status,
      at,
    })),
    ...failed.map((row) => ({ ...row, status: endedStatus(row) })),
  ];
}

const endedStatus = ({ status }: StripeRefund) => (status === "canceled" ? status : ("failed" as const));

/**
 * Each time that a dispute took the money, and when it gave it back. Where Stripe tells no such movement, the status
 * decides: a dispute that has the money took it when it was opened, and one that gave it back did so when we learned.
 */
export function takingsOf(
  payment: Owner,
  dispute: DisputeHeld,
  held: DisputeTaking[],
  now: Date,
): DisputeTaking[] {
  const { id, amount, currency, status, at } = dispute;
  const takings = dispute.moves.reduce(moved, []);
  const last = takings.at(-1);
  const known = (taking: number) => held.find((row) => row.id === id && row.taking === taking);
  if (hasMoney(status) && (!last || last.returnedAt)) {
    const takenAt = last ? (known(takings.length)?.takenAt ?? now) : at;
    takings.push({ takenAt, returnedAt: null });
  }
  if (status === "won" && !last) takings.push({ takenAt: at, returnedAt: null });
  const open = takings.at(-1);
  if (!hasMoney(status) && open) open.returnedAt ??= known(takings.length - 1)?.returnedAt ?? now;
  return takings.map((taking, index) => ({
    id,
    taking: index,
    paymentId: payment.id,
    amount: amount ?? 0,
    currency: currency ?? payment.currency,
    status,
    ...taking,
  }));
}

type Taking = Pick<DisputeTaking, "takenAt" | "returnedAt">;

function moved(takings: Taking[], { at, taken }: DisputeHeld["moves"][number]): Taking[] {
  const last = takings.at(-1);
  if (taken) return !last || last.returnedAt ? [...takings, { takenAt: at, returnedAt: null }] : takings;
  if (last && !last.returnedAt) last.returnedAt = at;
  return takings;
}
