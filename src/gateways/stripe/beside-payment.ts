import type Stripe from "stripe";
import type { Also } from "@/domain/payments/checkout/checkout";
import { unlessRefused } from "./errors";

type Intent = Stripe.Checkout.Session["payment_intent"];

/** What Stripe holds about a payment besides itself. */
export async function extrasOf(stripe: Stripe, intent: Intent, { warnings, refunds: asked = false }: Also) {
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
export async function arrivalOf(stripe: Stripe, intent: Intent): Promise<Date | null> {
  if (intent === null || typeof intent === "string" || intent.status !== "succeeded") return null;
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
async function disputesOf(stripe: Stripe, intent: Intent): Promise<Stripe.Dispute[]> {
  if (intent === null || typeof intent === "string") return [];
  const charge = intent.latest_charge;
  if (charge === null || (typeof charge !== "string" && !charge.disputed)) return [];
  return stripe.disputes.list({ payment_intent: intent.id, limit: 100 }).autoPagingToArray({ limit: 100 });
}

/** Unless asked to, asks only if something of the charge is refunded. A failed refund no longer counts in the charge. */
async function refundsOf(
  stripe: Stripe,
  intent: Intent,
  asked: boolean,
): Promise<Stripe.Refund[] | "unread"> {
  if (intent === null || typeof intent === "string") return [];
  const charge = intent.latest_charge;
  if (typeof charge === "string") return "unread";
  if (charge === null || (charge.amount_refunded === 0 && !asked)) return [];
  return stripe.refunds.list({ payment_intent: intent.id, limit: 100 }).autoPagingToArray({ limit: 100 });
}

async function isWarned(stripe: Stripe, intent: Intent) {
  if (intent === null) return false;
  const id = typeof intent === "string" ? intent : intent.id;
  const found = await stripe.radar.earlyFraudWarnings.list({ payment_intent: id, limit: 1 });
  return found.data.length > 0;
}
