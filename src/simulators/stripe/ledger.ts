import type Stripe from "stripe";
import { openStore, rows } from "../base/store";
import type * as Billing from "./billing/rows";
import type { Bill } from "./billing/rows";
import type { Kept } from "./part";

export type Session = Kept<Stripe.Checkout.Session, "id" | "expires_at" | "payment_method_types">;
export type LineItem = Kept<Stripe.LineItem, "amount_subtotal" | "amount_total" | "currency" | "description">;
export type Intent = Kept<Stripe.PaymentIntent, "amount">;
export type Charge = Kept<
  Stripe.Charge,
  "amount" | "amount_refunded" | "currency" | "disputed" | "paid" | "refunded"
>;
export type BalanceTransaction = Omit<
  Kept<
    Stripe.BalanceTransaction,
    "amount" | "created" | "currency" | "fee" | "net" | "reporting_category" | "type"
  >,
  "source"
> & { source: string | null };
/** `items`: the balance transactions that it paid out, which Stripe shows only as a list. */
export type Payout = Kept<Stripe.Payout, "amount" | "automatic" | "currency"> & { items: string[] };
export type Refund = Kept<Stripe.Refund, "amount" | "status">;
export type Dispute = Kept<Stripe.Dispute, "status">;
export type Warning = Kept<Stripe.Radar.EarlyFraudWarning, never>;
export type Coupon = Kept<Stripe.Coupon, "amount_off" | "percent_off" | "times_redeemed">;
export type PromotionCode = Kept<
  Stripe.PromotionCode,
  "active" | "code" | "expires_at" | "max_redemptions" | "times_redeemed"
>;
/** An invoice of an order or of a subscription. */
export type Invoice = Kept<Stripe.Invoice, "currency" | "total"> | Bill;

/** A checkout session with the data that Stripe stores with it. */
export type Checkout = {
  id: string;
  session: Session;
  lineItems: [LineItem];
  /** `payment_intent_data`, applied when the payment intent is created. */
  intent: { metadata: Stripe.Metadata };
  /** What becomes a subscription once it is paid, in mode `subscription`. */
  plan?: Plan;
};

export type Plan = {
  price: string;
  /** `subscription_data`. */
  metadata: Stripe.Metadata;
  trialDays: number | null;
};

/** One event to deliver, under the event's id, followed by the endpoint's where that was made by a call. */
export type Delivery = {
  id: string;
  state: "waiting" | "delivered" | "dropped" | "abandoned";
  /** When the event was created, in Unix milliseconds. */
  since: number;
  attempts: Attempt[];
};

/** The id of its event. */
export const eventOf = ({ id }: Pick<Delivery, "id">): string => id.split(" ")[0] ?? "";

/** Status 0: no answer. */
export type Attempt = { at: number; status: number; note: string };

/** The answer to a call with an `Idempotency-Key`. */
export type Reply = { id: string; at: number; fingerprint: string; status: number; body: string };

/** The subscription of an invoice, or "" for an order's. */
const subscriptionOf = ({ parent }: Invoice): string => parent?.subscription_details?.subscription ?? "";

export type Ledger = ReturnType<typeof openLedger>;

export const openLedger = (folder: string | undefined) =>
  openStore(
    {
      checkouts: rows<Checkout>(),
      intents: rows<Intent>(),
      charges: rows<Charge>(),
      balanceTransactions: rows<BalanceTransaction>(),
      payouts: rows<Payout>(),
      refunds: rows<Refund>(),
      disputes: rows<Dispute>(),
      warnings: rows<Warning>(),
      coupons: rows<Coupon>(),
      promotionCodes: rows<PromotionCode>(),
      invoices: rows<Invoice>((invoice) => subscriptionOf(invoice)),
      products: rows<Billing.Product>(),
      prices: rows<Billing.Price>(),
      customers: rows<Billing.Customer | Billing.DeletedCustomer>(),
      methods: rows<Billing.SavedMethod>((method) => method.customer ?? ""),
      moods: rows<Billing.BankBehaviour>(),
      discounts: rows<Billing.Discount>(),
      subscriptions: rows<Billing.Subscription>((subscription) => subscription.customer),
      pending: rows<Billing.Pending>((pending) => pending.subscription),
      invoicePayments: rows<Billing.BillPayment>((payment) => payment.invoice),
      schedules: rows<Billing.Schedule>(),
      clocks: rows<Billing.Clock>(),
      portalConfigurations: rows<Billing.PortalConfiguration>(),
      portalSessions: rows<Billing.PortalSession>(),
      done: rows<Billing.OnceDone>(),
      events: rows<Stripe.Event>(),
      deliveries: rows<Delivery>(),
      replies: rows<Reply>(),
    },
    folder === undefined ? undefined : { folder, file: "ledger.jsonl" },
  );
