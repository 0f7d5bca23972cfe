import type Stripe from "stripe";
import type { Also } from "@/domain/payments/port/stripe";
import type { Money } from "./money";

/** The payments of an order with what Stripe holds about each besides itself. */
export async function moneyOf(stripe: Stripe, intents: Stripe.PaymentIntent[], also: Also): Promise<Money> {
  const { warnings, refunds: asked = false } = also;
  const [refunds, disputes, warned] = await Promise.all([
    Promise.all(intents.map((intent) => refundsOf(stripe, intent, asked))),
    Promise.all(intents.map((intent) => disputesOf(stripe, intent))),
    warnings ? Promise.all(intents.map((intent) => isWarned(stripe, intent))) : [],
  ]);
  return { intents, refunds: refunds.flat(), disputes: disputes.flat(), warned: warned.some(Boolean) };
}

/**
 * When a delayed payment arrived: a card's charge is as old as its money, a debit's charge as old as the order.
 * https://docs.stripe.com/api/balance_transactions/object
 */
export async function arrivalOf(stripe: Stripe, intent: Stripe.PaymentIntent | null): Promise<Date | null> {
  if (intent?.status !== "succeeded") return null;
  const charge = intent.latest_charge;
  if (charge === null || typeof charge === "string" || charge.payment_method_details?.type === "card")
    return null;
  const id = charge.balance_transaction;
  if (typeof id !== "string") return null;
  return new Date((await stripe.balanceTransactions.retrieve(id)).created * 1000);
}

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
