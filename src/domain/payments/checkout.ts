/** A dispute as Stripe names its status: https://docs.stripe.com/api/disputes/object#dispute_object-status */
export type DisputeStatus =
  | "warning_needs_response"
  | "warning_under_review"
  | "warning_closed"
  | "needs_response"
  | "under_review"
  | "won"
  | "lost"
  | "prevented"
  | "appeal_needs_response"
  | "appeal_under_review";

/**
 * What was asked for, kept on the session at Stripe. The seal proves that this shop wrote it, so that
 * an order can be recognised even after the database was lost.
 */
export type Order = { id: string; amount: number; currency: string; seal: string };

/** What Stripe holds of one checkout session at the moment of asking. Money in minor units. */
export type CheckoutFacts = {
  sessionId: string;
  status: "open" | "complete" | "expired";
  paid: boolean;
  amount: number;
  currency: string;
  livemode: boolean;
  email: string | null;
  createdAt: Date;
  /** What this shop wrote on the session when it created it. */
  order: Order | null;
  intent: { id: string; processing: boolean; failure: string | null } | null;
  charge: { method: string | null; paidAt: Date; amountRefunded: number; refunded: boolean } | null;
  disputes: DisputeStatus[];
};

export type CheckoutOrder = {
  order: Order;
  productName: string;
  successUrl: string;
  cancelUrl: string;
  email: string | null;
};

/** What an event of Stripe's is about; what it says of it is asked again, never believed. */
export type EventSubject = { sessionId: string } | { intentId: string } | null;

/** Stripe said no; `message` is its own sentence, fit to show. */
export class CheckoutRefused extends Error {
  override name = "CheckoutRefused";
}
/** Stripe could not be reached or is failing; asking again later may help. */
export class CheckoutUnreachable extends Error {
  override name = "CheckoutUnreachable";
}

/** The payment provider, as the domain needs it. All calls may throw {@link CheckoutUnreachable}. */
export type CheckoutGateway = {
  /** Opens a hosted checkout; throws {@link CheckoutRefused} with the provider's sentence. */
  open(order: CheckoutOrder): Promise<{ sessionId: string; url: string; livemode: boolean; createdAt: Date }>;
  /** What the provider holds now, or null when it knows no such session. */
  read(sessionId: string): Promise<CheckoutFacts | null>;
  /** The session that a payment intent belongs to, or null. */
  sessionOf(intentId: string): Promise<string | null>;
  /** Every session to which something happened since then: paid, refunded or disputed. */
  touchedSince(since: Date): AsyncIterable<string>;
  /** Checks signature and age of a webhook; null when they don't hold. */
  subjectOf(rawBody: string, signature: string): Promise<{ subject: EventSubject } | null>;
};
