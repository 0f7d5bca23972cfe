import type Stripe from "stripe";
import type { Checkout } from "../ledger";
import { emit } from "../events";
import { type World, idOf, seconds } from "../world";
import { bankDebit } from "./methods";

/** What a new session has besides what was asked for. */
export const blankSession = {
  object: "checkout.session",
  adaptive_pricing: { enabled: false },
  after_expiration: null,
  allowed_payment_method_types: null,
  billing_address_collection: null,
  client_secret: null,
  collected_information: null,
  consent: null,
  consent_collection: null,
  currency_conversion: null,
  custom_fields: [],
  custom_text: {
    after_submit: null,
    shipping_address: null,
    submit: null,
    terms_of_service_acceptance: null,
  },
  customer: null,
  customer_account: null,
  customer_creation: "if_required",
  discounts: [],
  integration_identifier: null,
  invoice: null,
  locale: null,
  managed_payments: null,
  mode: "payment",
  origin_context: null,
  payment_intent: null,
  payment_link: null,
  payment_method_collection: "if_required",
  payment_method_configuration_details: null,
  payment_method_options: {},
  payment_status: "unpaid",
  permissions: null,
  phone_number_collection: { enabled: false },
  recovered_from: null,
  saved_payment_method_options: null,
  setup_intent: null,
  shipping_address_collection: null,
  shipping_cost: null,
  shipping_options: [],
  status: "open",
  submit_type: null,
  subscription: null,
  total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
  ui_mode: "hosted_page",
  wallet_options: null,
} satisfies Partial<Stripe.Checkout.Session>;

export const noInvoiceData: Stripe.Checkout.Session.InvoiceCreation.InvoiceData = {
  account_tax_ids: null,
  custom_fields: null,
  description: null,
  footer: null,
  issuer: null,
  metadata: null,
  rendering_options: null,
};

export function customerDetails(email: string, name: string | null): Stripe.Checkout.Session.CustomerDetails {
  return {
    address: null,
    business_name: null,
    email,
    individual_name: null,
    name,
    phone: null,
    tax_exempt: "none",
    tax_ids: [],
  };
}

/** The ways to pay that a currency has. */
export function methodsFor(currency: string): string[] {
  const debit = bankDebit(currency);
  return debit ? ["card", debit.type] : ["card"];
}

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
