import type Stripe from "stripe";
import type { Has, ListOf } from "../part";

export type Product = Has<Stripe.Product, "active" | "name" | "metadata">;
export type Price = Has<
  Stripe.Price,
  "active" | "currency" | "lookup_key" | "metadata" | "product" | "recurring"
> & { unit_amount: number };

/** A configuration of the customer portal; with all features, of which Stripe shows the products only if expanded. */
export type PortalConfiguration = Omit<
  Has<Stripe.BillingPortal.Configuration, "active" | "is_default" | "login_page" | "metadata">,
  "features"
> & { features: PortalFeatures };
export type PortalFeatures = Stripe.BillingPortal.Configuration.Features & {
  subscription_update: { products: { product: string; prices: string[] }[] };
};

export type PortalSession = Has<
  Stripe.BillingPortal.Session,
  "configuration" | "customer" | "flow" | "return_url" | "url"
>;

type TaxId = { type: string; value: string };
export type Customer = Has<Stripe.Customer, "balance" | "email" | "invoice_settings" | "metadata"> & {
  deleted?: never;
  /** Shown in `tax_ids` when expanded. */
  taxIds: TaxId[];
};
/** What Stripe keeps of a customer that was deleted. */
export type DeletedCustomer = Stripe.DeletedCustomer;

export type SavedMethod = Has<Stripe.PaymentMethod, "customer" | "type" | "billing_details">;

export type Discount = Has<Stripe.Discount, "end" | "promotion_code" | "start" | "subscription"> & {
  source: { coupon: string; type: "coupon" };
};

export type Item = Has<Stripe.SubscriptionItem, "current_period_end" | "current_period_start"> & {
  price: Price;
};

/** A subscription; its first item is the one that is switched. */
export type Subscription = Omit<
  Has<
    Stripe.Subscription,
    | "automatic_tax"
    | "billing_cycle_anchor"
    | "cancel_at"
    | "cancel_at_period_end"
    | "currency"
    | "customer"
    | "default_payment_method"
    | "discounts"
    | "ended_at"
    | "latest_invoice"
    | "metadata"
    | "pause_collection"
    | "schedule"
    | "status"
    | "trial_end"
  >,
  "items"
> & { items: ListOf<[Item, ...Item[]]> };

export type Line = Has<
  Stripe.InvoiceLineItem,
  "amount" | "description" | "discount_amounts" | "discountable" | "parent" | "period"
>;

/** An invoice of a subscription. */
export type Bill = Omit<
  Has<
    Stripe.Invoice,
    | "amount_due"
    | "amount_paid"
    | "amount_remaining"
    | "attempt_count"
    | "billing_reason"
    | "currency"
    | "customer"
    | "next_payment_attempt"
    | "starting_balance"
    | "status_transitions"
    | "subtotal"
    | "total"
    | "total_discount_amounts"
    | "total_taxes"
  >,
  "lines" | "parent" | "status"
> & {
  status: "draft" | "open" | "paid" | "uncollectible" | "void";
  lines: ListOf<Line[]>;
  parent: {
    quote_details: null;
    subscription_details: { metadata: Stripe.Metadata; subscription: string };
    type: "subscription_details";
  };
};

export type BillPayment = Has<
  Stripe.InvoicePayment,
  "amount_requested" | "invoice" | "is_default" | "status"
> & {
  payment:
    | { payment_intent: string; type: "payment_intent" }
    | { payment_record: string; type: "payment_record"; payment_intent?: never };
};

/** An amount that the next invoice of a subscription takes up: part of a price that was switched. */
export type Pending = { id: string; created: number; subscription: string; line: Line };

export type Schedule = Omit<
  Has<
    Stripe.SubscriptionSchedule,
    "current_phase" | "customer" | "end_behavior" | "metadata" | "status" | "subscription"
  >,
  "phases"
> & { phases: Phase[] };
export type Phase = { start_date: number; end_date: number; price: string };

export type Clock = Has<Stripe.TestHelpers.TestClock, "frozen_time" | "status">;

/** What the bank says to a saved payment method from now on; without a row, what its number says. */
export type BankBehaviour = { id: string; mood: "works" | "declines" | "no_funds" | "asks" | "verifies" };

/** Something that happens once, such as the notice of a trial's end. */
export type OnceDone = { id: string; at: number };
