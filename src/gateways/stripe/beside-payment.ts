import type Stripe from "stripe";
import type { Also } from "@/domain/payments/port/stripe";
import { unlessRefused } from "./errors";
import type { Money } from "./money";

/** The payments of an order with what Stripe holds about each besides itself. */
export async function moneyOf(stripe: Stripe, intents: Stripe.PaymentIntent[], also: Also): Promise<Money> {
  const each = await Promise.all(intents.map((intent) => besides(stripe, intent, also)));
  return {
    intents,
    refunds: all(each.map(({ refunds }) => refunds)),
    disputes: all(each.map(({ disputes }) => disputes)),
    warned: each.some(({ warned }) => warned),
  };
}

function all<One>(lists: (One[] | "unread")[]): One[] | "unread" {
  const read = lists.filter((list) => list !== "unread");
  return read.length < lists.length ? "unread" : read.flat();
}

async function besides(
  stripe: Stripe,
  intent: Stripe.PaymentIntent,
  { warnings, refunds: asked = false }: Also,
) {
  const [refunds, disputes, warned] = await Promise.all([
    unlessRefused(
      () => refundsOf(stripe, intent, asked),
      () => "unread" as const,
    ),
    unlessRefused(
      () => disputesOf(stripe, intent),
      () => "unread" as const,
    ),
    warnings
      ? unlessRefused(
          () => isWarned(stripe, intent),
          () => null,
        )
      : null,
  ]);
  return { refunds, disputes, warned };
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
  return unlessRefused(
    async () => new Date((await stripe.balanceTransactions.retrieve(id)).created * 1000),
    () => null,
  );
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
): Promise<Stripe.Refund[] | "unread"> {
  const charge = intent.latest_charge;
  if (typeof charge === "string") return "unread";
  if (charge === null || (charge.amount_refunded === 0 && !asked)) return [];
  return stripe.refunds.list({ payment_intent: intent.id, limit: 100 }).autoPagingToArray({ limit: 100 });
}

async function isWarned(stripe: Stripe, { id }: Stripe.PaymentIntent) {
  const found = await stripe.radar.earlyFraudWarnings.list({ payment_intent: id, limit: 1 });
  return found.data.length > 0;
}
