import type Stripe from "stripe";
import type { Checkout } from "../ledger";
import { emit } from "../events";
import { type World, idOf, seconds } from "../world";
import { blankSession } from "./blank-session";
import { bankDebit } from "./methods";
import { priced } from "./totals";

export type Order = {
  lineItems: Stripe.LineItem[];
  currency: string;
  successUrl: string;
  cancelUrl: string | null;
  metadata: Stripe.Metadata;
  clientReference: string | null;
  email: string | null;
  /** Null: all that the currency offers. */
  methodTypes: string[] | null;
  expiresAt: number;
  intent: Checkout["intent"];
  /** What it begins with. */
  code: Stripe.PromotionCode | null;
  /** Whether the buyer may enter one. */
  codesAllowed: boolean;
  automaticTax: boolean;
  taxIds: boolean;
  /** Null where no invoice is made. */
  invoice: { metadata: Stripe.Metadata } | null;
};

export function createSession(world: World, order: Order): Stripe.Checkout.Session {
  const id = world.ids.next(world.live ? "cs_live_a1" : "cs_test_a1", 56);
  const blank = blankSession({
    id,
    amount_total: order.lineItems.reduce((sum, item) => sum + item.amount_total, 0),
    cancel_url: order.cancelUrl,
    client_reference_id: order.clientReference,
    created: seconds(world),
    currency: order.currency,
    customer_email: order.email,
    expires_at: order.expiresAt,
    livemode: world.live,
    metadata: order.metadata,
    payment_method_types: order.methodTypes ?? offered(order.currency),
    success_url: order.successUrl,
    url: `${world.publicUrl}/c/pay/${id}`,
  });
  const asked = { session: { ...blank, ...extras(order) }, lineItems: order.lineItems };
  const { session, lineItems } = priced(world, asked, order.code);
  world.ledger.put("checkouts", { id, session, lineItems, intent: order.intent });
  return session;
}

function extras({ codesAllowed, automaticTax, taxIds, invoice }: Order): Partial<Stripe.Checkout.Session> {
  return {
    allow_promotion_codes: codesAllowed || null,
    automatic_tax: {
      enabled: automaticTax,
      liability: automaticTax ? { type: "self" } : null,
      provider: automaticTax ? "stripe" : null,
      status: automaticTax ? "complete" : null,
    },
    ...(taxIds ? { tax_id_collection: { enabled: true, required: "never" } } : {}),
    invoice_creation: invoice && { enabled: true, invoice_data: { ...noInvoiceData, ...invoice } },
  };
}

const noInvoiceData: Stripe.Checkout.Session.InvoiceCreation.InvoiceData = {
  account_tax_ids: null,
  custom_fields: null,
  description: null,
  footer: null,
  issuer: null,
  metadata: null,
  rendering_options: null,
};

export function updateSession(world: World, checkout: Checkout, change: Partial<Stripe.Checkout.Session>) {
  const session = { ...checkout.session, ...change };
  world.ledger.put("checkouts", { ...checkout, session });
  return session;
}

/** Closes an open session and cancels a payment begun in it. */
export function expireSession(world: World, checkout: Checkout): Stripe.Checkout.Session {
  cancelIntent(world, checkout);
  const session = updateSession(world, checkout, { status: "expired", url: null });
  emit(world, "checkout.session.expired", session);
  return session;
}

/** Cancels the payment that was begun in a session, if any. */
export function cancelIntent(world: World, { session }: Checkout): void {
  const intent = world.ledger.intents.get(idOf(session.payment_intent) ?? "");
  if (!intent) return;
  const canceled: Stripe.PaymentIntent = {
    ...intent,
    status: "canceled",
    canceled_at: seconds(world),
    cancellation_reason: "automatic",
  };
  world.ledger.put("intents", canceled);
  emit(world, "payment_intent.canceled", canceled);
}

/** Expires every open session whose time is up. */
export function expireDue(world: World) {
  for (const checkout of world.ledger.checkouts.newest())
    if (checkout.session.status === "open" && checkout.session.expires_at <= seconds(world))
      expireSession(world, checkout);
}

function offered(currency: string): string[] {
  const debit = bankDebit(currency);
  return debit ? ["card", debit.type] : ["card"];
}
