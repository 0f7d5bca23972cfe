import type Stripe from "stripe";
import type { Table } from "./table";

/** A checkout session with the parts that Stripe keeps beside it. */
export type Checkout = {
  id: string;
  session: Stripe.Checkout.Session;
  lineItems: Stripe.LineItem[];
  /** `payment_intent_data`, applied when the payment intent is made. */
  intent: { metadata: Stripe.Metadata; description: string | null; descriptor: string | null };
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

/** What an `Idempotency-Key` was answered with. */
export type Reply = { id: string; at: number; fingerprint: string; status: number; body: string };

/** A webhook endpoint or clock setting made while running. */
export type Setting = { id: string; value: string };

/** Expanded properties are never stored: every reference in a row is an id. */
export type Tables = {
  checkouts: Table<Checkout>;
  intents: Table<Stripe.PaymentIntent>;
  charges: Table<Stripe.Charge>;
  refunds: Table<Stripe.Refund>;
  disputes: Table<Stripe.Dispute>;
  warnings: Table<Stripe.Radar.EarlyFraudWarning>;
  events: Table<Stripe.Event>;
  deliveries: Table<Delivery>;
  replies: Table<Reply>;
  settings: Table<Setting>;
};

export type TableName = keyof Tables;
export type RowOf<N extends TableName> = Tables[N] extends Table<infer R> ? R : never;
