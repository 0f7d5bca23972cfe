import type Stripe from "stripe";
import type { SubscriptionFacts } from "@/domain/payments/port/subscription-gateway";
import { unlessClosed } from "./errors";

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

/** Leaves alone what is being paid, or was paid or voided meanwhile. https://docs.stripe.com/api/invoices/void */
export async function voidInvoice(stripe: Stripe, id: string): Promise<void> {
  await stripe.invoices.voidInvoice(id).catch(unlessClosed);
}
