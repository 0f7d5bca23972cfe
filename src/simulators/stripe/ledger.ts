import type Stripe from "stripe";
import { openStore, rows } from "../store";

/** Some fields of an SDK object, with the SDK's own types; references are ids, never expanded. */
export type Part<T> = T extends readonly (infer E)[]
  ? Part<E>[]
  : T extends object
    ? { [K in keyof T]?: string extends T[K] ? Exclude<T[K], object> : Part<T[K]> }
    : T;

/** An object with the fields that some reader uses; those in `Sure` are always present. */
type Kept<T, Sure extends keyof T> = Part<T> & Pick<T, Sure | Extract<keyof T, "id" | "created">>;

export type Session = Kept<Stripe.Checkout.Session, "id" | "expires_at" | "payment_method_types">;
export type LineItem = Kept<Stripe.LineItem, "amount_subtotal" | "amount_total" | "currency" | "description">;
export type Intent = Kept<Stripe.PaymentIntent, "amount">;
export type Charge = Kept<
  Stripe.Charge,
  "amount" | "amount_refunded" | "currency" | "disputed" | "paid" | "refunded"
>;
export type Refund = Kept<Stripe.Refund, "amount" | "status">;
export type Dispute = Kept<Stripe.Dispute, "status">;
export type Warning = Kept<Stripe.Radar.EarlyFraudWarning, never>;
export type Coupon = Kept<Stripe.Coupon, "amount_off" | "percent_off" | "times_redeemed">;
export type PromotionCode = Kept<
  Stripe.PromotionCode,
  "active" | "code" | "expires_at" | "max_redemptions" | "times_redeemed"
>;
export type Invoice = Kept<Stripe.Invoice, "currency" | "total">;

/** A checkout session with the data that Stripe keeps beside it. */
export type Checkout = {
  id: string;
  session: Session;
  lineItems: [LineItem];
  /** `payment_intent_data`, applied when the payment intent is created. */
  intent: { metadata: Stripe.Metadata };
};

/** One event to deliver to the endpoint, under the event's id. */
export type Delivery = {
  id: string;
  state: "waiting" | "delivered" | "dropped" | "abandoned";
  /** When the event was created, in Unix milliseconds. */
  since: number;
  attempts: Attempt[];
};

/** Status 0: no answer. */
export type Attempt = { at: number; status: number; note: string };

/** The answer to a call with an `Idempotency-Key`. */
export type Reply = { id: string; at: number; fingerprint: string; status: number; body: string };

export type Ledger = ReturnType<typeof openLedger>;

export const openLedger = (folder: string | undefined) =>
  openStore(
    {
      checkouts: rows<Checkout>(),
      intents: rows<Intent>(),
      charges: rows<Charge>(),
      refunds: rows<Refund>(),
      disputes: rows<Dispute>(),
      warnings: rows<Warning>(),
      coupons: rows<Coupon>(),
      promotionCodes: rows<PromotionCode>(),
      invoices: rows<Invoice>(),
      events: rows<Stripe.Event>(),
      deliveries: rows<Delivery>(),
      replies: rows<Reply>(),
    },
    folder === undefined ? undefined : { folder, file: "ledger.jsonl" },
  );
