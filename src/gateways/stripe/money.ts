import type Stripe from "stripe";
import type {
  PaymentExtras,
  Charge,
  CheckoutFacts,
  DisputeHeld,
  PaymentRefund,
} from "@/domain/payments/port/stripe";
import { disputeStatuses } from "@/domain/payments/port/disputes";
import { cardOf } from "./books";
import { unlessClosed } from "./errors";
import { keepsName, requestName } from "./refund";

/** The payments of an order with what Stripe holds about each besides itself. */
export async function moneyOf(
  stripe: Stripe,
  intents: Stripe.PaymentIntent[],
  also: PaymentExtras,
): Promise<Money> {
  const { warnings, refunds: asked = false } = also;
  const [refunds, disputes, warned] = await Promise.all([
    Promise.all(intents.map((intent) => refundsOf(stripe, intent, asked))),
    Promise.all(intents.map((intent) => disputesOf(stripe, intent))),
    warnings ? Promise.all(intents.map((intent) => isWarned(stripe, intent))) : [],
  ]);
  return { intents, refunds: refunds.flat(), disputes: disputes.flat(), warned: warned.some(Boolean) };
}

/** When the money of a session arrived, if Stripe says so, and when it was charged. */
export type Arrival = Pick<CheckoutFacts, "chargedAt"> & { arrivedAt: Date | null };

export const noArrival: Arrival = { arrivedAt: null, chargedAt: null };

/**
 * A card's charge is as old as its money. A debit's charge is as old as the order, and its balance transaction as its
 * submission to the bank, if Stripe has made one: only the event is as old as the money.
 * https://support.stripe.com/questions/changes-to-balance-transaction-behavior-for-debit-payment-methods
 */
export async function arrivalOf(
  stripe: Stripe,
  session: Stripe.Checkout.Session,
  intent: Stripe.PaymentIntent | null,
): Promise<Arrival> {
  const charge = intent?.status === "succeeded" ? intent.latest_charge : null;
  if (charge === null || typeof charge === "string") return noArrival;
  const madeAt = dateIn(charge.created);
  if (charge.payment_method_details?.type === "card") return { arrivedAt: madeAt, chargedAt: madeAt };
  const id = charge.balance_transaction;
  const [arrivedAt, moved] = await Promise.all([
    reportedAt(stripe, session),
    typeof id === "string" ? stripe.balanceTransactions.retrieve(id) : null,
  ]);
  return { arrivedAt, chargedAt: moved ? dateIn(moved.created) : madeAt };
}

/** Of the newest; a payment is usually settled within seconds of its event. */
const mostEvents = 500;

/** When Stripe reported that a delayed payment had arrived; it lists events for thirty days. */
async function reportedAt(stripe: Stripe, { id, created }: Stripe.Checkout.Session): Promise<Date | null> {
  const type = "checkout.session.async_payment_succeeded";
  const listed = stripe.events.list({ type, created: { gte: created }, limit: 100 });
  // a refused list holds up no sale
  const events = await listed
    .autoPagingToArray({ limit: mostEvents })
    .catch((error: unknown) => unlessClosed(error) ?? []);
  const event = events.find(({ data }) => "id" in data.object && data.object.id === id);
  return event ? dateIn(event.created) : null;
}

const dateIn = (seconds: number) => new Date(seconds * 1000);

/** Asks only if the charge may have a dispute, so that an ordinary payment costs one request. */
async function disputesOf(stripe: Stripe, intent: Stripe.PaymentIntent): Promise<Stripe.Dispute[]> {
  const charge = intent.latest_charge;
  if (charge === null || (typeof charge !== "string" && !charge.disputed)) return [];
  return stripe.disputes.list({ payment_intent: intent.id, limit: 100 }).autoPagingToArray({ limit: 100 });
}

/** Unless asked to, asks only if something of the charge is refunded. A failed refund no longer counts in the charge. */
async function refundsOf(
  stripe: Stripe,
  intent: Stripe.PaymentIntent,
  asked: boolean,
): Promise<Stripe.Refund[]> {
  const charge = intent.latest_charge;
  if (charge === null || (typeof charge !== "string" && charge.amount_refunded === 0 && !asked)) return [];
  return stripe.refunds.list({ payment_intent: intent.id, limit: 100 }).autoPagingToArray({ limit: 100 });
}

async function isWarned(stripe: Stripe, { id }: Stripe.PaymentIntent) {
  const found = await stripe.radar.earlyFraudWarnings.list({ payment_intent: id, limit: 1 });
  return found.data.length > 0;
}

/** The payments of an order, of which an invoice may have several, and what Stripe holds besides. */
export type Money = {
  intents: Stripe.PaymentIntent[];
  refunds: Stripe.Refund[];
  disputes: Stripe.Dispute[];
  warned: boolean | null;
};

export const noMoney: Money = { intents: [], refunds: [], disputes: [], warned: null };

/** The payments themselves, as if they were one, and what came back of them. */
export function moneyIn(
  { intents, refunds, disputes, warned }: Money,
  mayArrive: (intent: Stripe.PaymentIntent) => boolean,
): Pick<CheckoutFacts, "intent" | "charge" | "refunds" | "disputes" | "warned"> {
  const [first] = intents;
  return {
    intent: first
      ? {
          id: first.id,
          onItsWay: intents.some(mayArrive),
          failure: first.last_payment_error?.message ?? null,
          received: sumOf(intents.map(({ amount_received: received }) => received)),
        }
      : null,
    charge: chargeOf(intents, refunds),
    refunds: refunds.map(refundIn),
    disputes: disputes.map(disputeOf),
    warned,
  };
}

const sumOf = (amounts: number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

function chargeOf(intents: Stripe.PaymentIntent[], refunds: Stripe.Refund[]): Charge | null {
  const charges = intents.flatMap(({ latest_charge: one }) => (one && typeof one !== "string" ? one : []));
  const [first] = charges;
  if (!first) return null;
  const refunded = charges.every((one) => one.refunded);
  return {
    id: first.id,
    card: cardOf(first),
    method: first.payment_method_details?.type ?? first.payment_method,
    amountRefunded: sumOf(charges.map(({ amount_refunded: amount }) => amount)),
    refunded,
    refundedAt: refunded ? lastOf(refunds) : null,
  };
}

/** Refunds from before Stripe gave them a status have succeeded. */
const refundIn = ({ id, amount, currency, created, status, metadata }: Stripe.Refund): PaymentRefund => ({
  id,
  amount,
  currency,
  status: refundStatuses.find((known) => known === (status ?? "succeeded")) ?? "pending",
  at: new Date(created * 1000),
  keeps: metadata?.[keepsName] === "yes",
  request: metadata?.[requestName] ?? null,
});
const refundStatuses = ["pending", "requires_action", "succeeded", "failed", "canceled"] as const;

/** When the last valid refund was made, which left nothing. */
function lastOf(refunds: Stripe.Refund[]): Date | null {
  const valid = refunds.filter(({ status }) => status !== "failed" && status !== "canceled");
  return valid.length === 0 ? null : new Date(Math.max(...valid.map(({ created }) => created)) * 1000);
}

/**
 * A dispute status unknown to this version suspends the licence until a person has checked. An inquiry takes the money
 * when it becomes a dispute, and a won dispute may take it again.
 * https://docs.stripe.com/api/disputes/object#dispute_object-balance_transactions
 */
function disputeOf(dispute: Stripe.Dispute): DisputeHeld {
  const { status, created, balance_transactions: moved, evidence_details: evidence } = dispute;
  const taken = moved.filter(({ amount }) => amount < 0).map((one) => one.created);
  const dueBy = status.endsWith("needs_response") ? evidence.due_by : null;
  return {
    status: disputeStatuses.find((known) => known === status) ?? "under_review",
    at: new Date(Math.max(created, ...taken) * 1000),
    reason: dispute.reason,
    amount: dispute.amount,
    currency: dispute.currency,
    answerBy: dueBy ? new Date(dueBy * 1000) : null,
    id: dispute.id,
    moves: moved
      .filter(({ amount }) => amount !== 0)
      .toSorted((one, other) => one.created - other.created)
      .map(({ amount, created: at }) => ({ at: new Date(at * 1000), taken: amount < 0 })),
  };
}
