import type Stripe from "stripe";
import { openStore, type Store } from "../store";

/** A checkout session with the parts that Stripe keeps beside it. */
export type Checkout = {
  id: string;
  session: Stripe.Checkout.Session;
  lineItems: Stripe.LineItem[];
  /** `payment_intent_data`, applied when the payment intent is made. */
  intent: { metadata: Stripe.Metadata };
};

/** One event on its way to the endpoint; its id is the event's. */
export type Delivery = {
  id: string;
  state: "waiting" | "delivered" | "dropped" | "abandoned";
  /** Unix milliseconds at which the event was made. */
  since: number;
  attempts: Attempt[];
};

/** Status 0: no answer. */
export type Attempt = { at: number; status: number; note: string };

/** The answer to a call with an `Idempotency-Key`. */
export type Reply = { id: string; at: number; fingerprint: string; status: number; body: string };

/** Expanded properties are never stored: every reference in a row is an id. */
type Rows = {
  checkouts: Checkout;
  intents: Stripe.PaymentIntent;
  charges: Stripe.Charge;
  refunds: Stripe.Refund;
  disputes: Stripe.Dispute;
  warnings: Stripe.Radar.EarlyFraudWarning;
  coupons: Stripe.Coupon;
  promotionCodes: Stripe.PromotionCode;
  invoices: Stripe.Invoice;
  events: Stripe.Event;
  deliveries: Delivery;
  replies: Reply;
};

export type Ledger = Store<Rows>;

export const openLedger = (folder: string | undefined): Ledger =>
  openStore<Rows>(
    {
      checkouts: null,
      intents: null,
      charges: null,
      refunds: null,
      disputes: null,
      warnings: null,
      coupons: null,
      promotionCodes: null,
      invoices: null,
      events: null,
      deliveries: null,
      replies: null,
    },
    folder === undefined ? undefined : { folder, file: "ledger.jsonl" },
  );
