import type { Stage } from "../../../support/shop/stage";
import type { Invoice, Subscription } from "./oracle";

type Ledger = Stage["stripe"]["ledger"];

const later = ["boleto_display_details", "display_bank_transfer_instructions", "verify_with_microdeposits"];

/** Reads what Stripe holds of subscriptions, with all money, as the oracle takes it. */
export function booksOf(ledger: Ledger, sessions: readonly string[]): Subscription[] {
  const charges = Map.groupBy(ledger.charges.all(), ({ payment_intent: intent }) => String(intent));
  const refunds = Map.groupBy(ledger.refunds.all(), ({ charge }) => String(charge));
  const disputes = Map.groupBy(ledger.disputes.all(), ({ charge }) => String(charge));
  return sessions.flatMap((session) => {
    const at = ledger.checkouts.get(session)?.session;
    const one = ledger.subscriptions.get(String(at?.subscription));
    if (!at || !one) return [];
    const items = one.items.data.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    const offered =
      items.find(({ price }) => price.metadata["offer"] !== undefined) ??
      // nobody took the item away that was known
      items.toSorted((a, b) => a.created - b.created)[0];
    return {
      id: one.id,
      session,
      created: one.created,
      status: one.status,
      endedAt: one.ended_at,
      cancelAt: one.cancel_at,
      cancelAtPeriodEnd: one.cancel_at_period_end,
      collectionPaused: one.pause_collection !== null,
      trialStart: one.trial_start ?? null,
      trialEnd: one.trial_end,
      periodEnd: one.items.data[0].current_period_end,
      ownItem: offered?.id ?? "",
      email: at.customer_details?.email ?? null,
      yearly: items.reduce(
        (sum, { price, quantity }) =>
          sum + (price.unit_amount ?? 0) * (quantity ?? 1) * (price.recurring?.interval === "year" ? 1 : 12),
        0,
      ),
      invoices: ledger.invoices
        .group(one.id)
        .flatMap((bill) => ("lines" in bill && bill.lines ? [invoice(bill)] : [])),
    };
  });

  function invoice(bill: ReturnType<Ledger["invoices"]["all"]>[number]): Invoice {
    const intents = ledger.invoicePayments
      .group(bill.id ?? "")
      .flatMap(({ payment }) => ledger.intents.get(payment.payment_intent ?? "") ?? []);
    const paid = intents.flatMap(({ id }) => charges.get(id) ?? []).filter((charge) => charge.paid);
    return {
      id: bill.id ?? "",
      isFirst: bill.billing_reason === "subscription_create",
      status: bill.status as Invoice["status"],
      created: bill.created,
      attempted: bill.attempted ?? false,
      tries: bill.attempt_count ?? 0,
      advances: bill.auto_advance ?? false,
      paidAt: bill.status === "paid" ? (bill.status_transitions?.paid_at ?? null) : null,
      lines: (bill.lines?.data ?? []).map(({ amount, period, parent }) => ({
        amount: amount ?? 0,
        end: period?.end ?? 0,
        item: parent?.subscription_item_details?.subscription_item ?? null,
        credits: parent?.subscription_item_details?.proration_details?.credited_items?.invoice ?? null,
      })),
      received: intents.reduce(
        (sum, { status, amount_received: got }) => sum + (status === "succeeded" ? (got ?? 0) : 0),
        0,
      ),
      refunds: paid
        .flatMap(({ id }) => refunds.get(id) ?? [])
        .filter(({ status }) => status === "pending" || status === "succeeded")
        .map(({ id, amount, created }) => ({ id, amount, at: created })),
      refundFailed: paid.flatMap(({ id }) => refunds.get(id) ?? []).some(({ status }) => status === "failed"),
      disputes: paid
        .flatMap(({ id }) => disputes.get(id) ?? [])
        .map(({ status, created, balance_transactions: moved = [] }) => ({
          status,
          at: Math.max(
            created,
            ...moved.flatMap(({ amount = 0, created: at = 0 }) => (amount < 0 ? [at] : [])),
          ),
        })),
      processing: intents.some(({ status }) => status === "processing"),
      onItsWay: intents.some(
        ({ status, next_action: action }) =>
          status === "processing" || (status === "requires_action" && later.includes(action?.type ?? "")),
      ),
    };
  }
}
