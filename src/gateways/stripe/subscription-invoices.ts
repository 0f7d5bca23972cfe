import Stripe from "stripe";
import type { SubscriptionFacts } from "@/domain/payments/subscriptions/subscription-gateway";
import { unlessClosed } from "./errors";
import { isOnItsWay } from "./on-its-way";

/** The most that Stripe lists at once. */
export const pageSize = 100;
/** Eighty years of months. */
const mostInvoices = 1_000;

/** The invoices of a subscription, newest first. */
export async function invoicesOf(stripe: Stripe, which: { subscription: string }) {
  const listed = stripe.invoices.list({ ...which, limit: pageSize });
  const invoices = await listed.autoPagingToArray({ limit: mostInvoices });
  return invoices.flatMap((invoice) => (invoice.id ? [{ ...invoice, id: invoice.id }] : []));
}

/** An invoice with all its lines, of which Stripe shows ten. */
export async function readInvoice(stripe: Stripe, id: string): Promise<Stripe.Invoice & { id: string }> {
  const invoice = await stripe.invoices.retrieve(id);
  if (!invoice.lines.has_more) return { ...invoice, id };
  const listed = stripe.invoices.listLineItems(id, { limit: pageSize });
  const data = await listed.autoPagingToArray({ limit: mostInvoices });
  return { ...invoice, id, lines: { ...invoice.lines, data, has_more: false } };
}

/** Whether any payment of an invoice is on its way, or being moved; it may have several. */
export async function moneyOf(stripe: Stripe, invoice: string) {
  const intents = (await paymentsOfInvoice(stripe, invoice)).flatMap((one) => intentIn(one) ?? []);
  return {
    onItsWay: intents.some(isOnItsWay),
    isProcessing: intents.some(({ status }) => status === "processing" || status === "requires_capture"),
  };
}

/**
 * The payment of an invoice, with its charge and what all payments of the invoice received; null if nothing had to be paid,
 * or nothing through Stripe.
 */
export async function intentOfInvoice(stripe: Stripe, invoice: string): Promise<Stripe.PaymentIntent | null> {
  const data = await paymentsOfInvoice(stripe, invoice);
  const one = data.find(({ status }) => status === "paid") ?? data[0];
  const intent = one ? intentIn(one) : null;
  const received = data.reduce((sum, each) => sum + (intentIn(each)?.amount_received ?? 0), 0);
  return intent && { ...intent, amount_received: received };
}

async function paymentsOfInvoice(stripe: Stripe, invoice: string): Promise<Stripe.InvoicePayment[]> {
  const { data } = await stripe.invoicePayments.list({
    invoice,
    limit: pageSize,
    expand: ["data.payment.payment_intent.latest_charge"],
  });
  return data;
}

function intentIn({
  payment: { payment_intent: intent },
}: Stripe.InvoicePayment): Stripe.PaymentIntent | null {
  return intent && typeof intent !== "string" ? intent : null;
}

export type StoredInvoice = Awaited<ReturnType<typeof invoicesOf>>[number];

/** What the next invoice asks, with codes and tax. https://docs.stripe.com/api/invoices/create_preview */
export async function previewNext(
  stripe: Stripe,
  { id, nextDiscounts }: Pick<SubscriptionFacts, "id" | "nextDiscounts">,
): Promise<number> {
  const preview = await stripe.invoices.createPreview({
    subscription: id,
    // an empty list would mean all of them
    ...(nextDiscounts && {
      discounts: nextDiscounts.length === 0 ? "" : nextDiscounts.map((discount) => ({ discount })),
    }),
  });
  return preview.amount_due;
}

/** What is being paid, or was paid or voided meanwhile, stays. https://docs.stripe.com/api/invoices/void */
export async function voidInvoice(stripe: Stripe, id: string): Promise<void> {
  await stripe.invoices.voidInvoice(id).catch(unlessClosed);
}
