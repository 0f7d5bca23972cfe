import type Stripe from "stripe";
import type { Method } from "./methods";

type GivenIntent = Pick<
  Stripe.PaymentIntent,
  | "id"
  | "amount"
  | "created"
  | "currency"
  | "description"
  | "metadata"
  | "payment_method_types"
  | "receipt_email"
>;

export function blankIntent(given: GivenIntent): Stripe.PaymentIntent {
  return {
    object: "payment_intent",
    allowed_payment_method_types: null,
    amount_capturable: 0,
    amount_received: 0,
    application: null,
    application_fee_amount: null,
    automatic_payment_methods: null,
    canceled_at: null,
    cancellation_reason: null,
    capture_method: "automatic_async",
    client_secret: `${given.id}_secret_standin`,
    confirmation_method: "automatic",
    customer: null,
    customer_account: null,
    excluded_payment_method_types: null,
    last_payment_error: null,
    latest_charge: null,
    livemode: false,
    managed_payments: null,
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_configuration_details: null,
    payment_method_options: {},
    payment_record: null,
    processing: null,
    review: null,
    setup_future_usage: null,
    shipping: null,
    source: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: "requires_payment_method",
    transfer_data: null,
    transfer_group: null,
    ...given,
  };
}

type GivenCharge = Pick<Stripe.Charge, "id" | "created" | "payment_method"> & {
  intent: Stripe.PaymentIntent;
  email: string;
  name: string | null;
  method: Method;
};

/** A charge that is neither paid nor refused yet. */
export function blankCharge(given: GivenCharge): Stripe.Charge {
  const { intent, email, name, method, ...own } = given;
  return {
    object: "charge",
    amount: intent.amount,
    amount_captured: 0,
    amount_refunded: 0,
    application: null,
    application_fee: null,
    application_fee_amount: null,
    balance_transaction: null,
    billing_details: { address: null, email, name, phone: null, tax_id: null },
    calculated_statement_descriptor: "STAND-IN",
    captured: false,
    currency: intent.currency,
    customer: null,
    description: intent.description,
    disputed: false,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    on_behalf_of: null,
    outcome: null,
    paid: false,
    payment_intent: intent.id,
    payment_method_details: method.details,
    receipt_email: intent.receipt_email,
    receipt_number: null,
    receipt_url: null,
    refunded: false,
    review: null,
    shipping: null,
    source: null,
    source_transfer: null,
    statement_descriptor: null,
    statement_descriptor_suffix: null,
    status: "pending",
    transfer_data: null,
    transfer_group: null,
    ...own,
  };
}
