import type Stripe from "stripe";
import { isOnItsWay } from "./on-its-way";

/** The payments of an invoice, newest first, with their charges. https://docs.stripe.com/api/invoice-payment/list */
export async function paymentsOfInvoice(stripe: Stripe, invoice: string): Promise<Stripe.InvoicePayment[]> {
  const { data } = await stripe.invoicePayments.list({
    invoice,
    limit: 100,
    expand: ["data.payment.payment_intent.latest_charge"],
  });
  return data;
}

/** Whether any payment of an invoice is on its way, or being moved; it may have several. */
export async function moneyOnItsWay(stripe: Stripe, invoice: string) {
  const intents = (await paymentsOfInvoice(stripe, invoice)).flatMap(intentIn);
  return {
    onItsWay: intents.some(isOnItsWay),
    isProcessing: intents.some(({ status }) => status === "processing" || status === "requires_capture"),
  };
}

/**
 * The intents that paid an invoice, each with its share, or else those that are meant to; the one that Stripe itself made
 * comes first. None if nothing had to be paid, or nothing was paid through Stripe.
 */
export function intentsOf(
  payments: Stripe.InvoicePayment[],
  { status }: Pick<Stripe.Invoice, "status">,
): Stripe.PaymentIntent[] {
  const isPaid = status === "paid";
  return payments
    .filter((one) => (one.status === "paid") === isPaid)
    .toSorted((one, other) => Number(other.is_default) - Number(one.is_default))
    .flatMap((one) =>
      intentIn(one).map((intent) => (isPaid ? { ...intent, amount_received: one.amount_paid ?? 0 } : intent)),
    );
}

const intentIn = ({ payment: { payment_intent: intent } }: Stripe.InvoicePayment): Stripe.PaymentIntent[] =>
  intent && typeof intent !== "string" ? [intent] : [];

/** All intents that paid the same invoice as this one; none if it paid no invoice. */
export async function paymentsOfSameInvoice(
  stripe: Stripe,
  intentId: string,
): Promise<Stripe.PaymentIntent[]> {
  const invoice = await invoicePaidBy(stripe, intentId);
  return invoice === null ? [] : intentsOf(await paymentsOfInvoice(stripe, invoice), { status: "paid" });
}

/** The invoice that an intent paid, or a part of it. */
export async function invoicePaidBy(stripe: Stripe, intentId: string): Promise<string | null> {
  const payment = { type: "payment_intent", payment_intent: intentId } as const;
  const { data } = await stripe.invoicePayments.list({ payment, limit: 1 });
  const invoice = data[0]?.invoice ?? null;
  return typeof invoice === "string" ? invoice : (invoice?.id ?? null);
}
