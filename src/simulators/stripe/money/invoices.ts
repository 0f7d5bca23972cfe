import type { Invoice, Session } from "../ledger";
import { type World, seconds } from "../world";

/**
 * The paid invoice that `invoice_creation` makes for a session:
 * https://docs.stripe.com/receipts?payment-ui=checkout#paid-invoices
 */
export function invoiceFor(world: World, session: Session): Invoice {
  const id = world.ids.next("in_1");
  const total = session.amount_total ?? 0;
  return world.ledger.put("invoices", {
    id,
    object: "invoice",
    amount_paid: total,
    created: seconds(world),
    currency: session.currency ?? "usd",
    customer_email: session.customer_details?.email ?? null,
    customer_name: session.customer_details?.name ?? null,
    hosted_invoice_url: `${world.url}/i/${id}`,
    livemode: session.livemode,
    number: id.slice(-8).toUpperCase(),
    status: "paid",
    total,
    total_excluding_tax: total - (session.total_details?.amount_tax ?? 0),
  });
}
