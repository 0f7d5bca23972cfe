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
  /** `received` is the money that arrived, minor units. */
  intent: {
    id: string;
    createdAt: Date;
    processing: boolean;
    failure: string | null;
    received: number;
  } | null;
  /** `unread`, here and below: the key may not read it. */
  charge: Charge | "unread" | null;
  disputes: DisputeStatus[] | "unread";
  /** Whether the card network suspects fraud; null where nobody asked, or may not. */
  warned: boolean | null;
};

export type Charge = { method: string | null; paidAt: Date; amountRefunded: number; refunded: boolean };

export type CheckoutOrder = {
  order: Order;
  productName: string;
  successUrl: string;
  cancelUrl: string;
  email: string | null;
};

/** What an event of Stripe's is about; what it says of it is asked again, never believed. */
export type EventSubject = { sessionId: string } | { intentId: string; warning?: true };

/** Where something may have happened that no webhook told of, each with its own list at Stripe. */
export const sweptLists = ["sessions", "refunds", "disputes", "warnings", "events"] as const;
export type SweptList = (typeof sweptLists)[number];

/** One page of a list: what its entries are about, and where the next one begins; null at the end. */
export type SweptPage = { subjects: EventSubject[]; next: string | null };

/** What a bank is shown, in Stripe's words: https://docs.stripe.com/api/disputes/evidence_object */
export type DisputeEvidence = {
  product_description: string;
  service_date: string;
  customer_email_address?: string;
  customer_purchase_ip?: string;
  access_activity_log: string;
  refund_policy_disclosure: string;
  refund_refusal_explanation: string;
  uncategorized_text: string;
};

/** Stripe said no; `message` is its own sentence, fit to show. */
export class CheckoutRefused extends Error {
  override name = "CheckoutRefused";
}
/** Stripe could not be reached or is failing; asking again later may help. */
export class CheckoutUnreachable extends Error {
  override name = "CheckoutUnreachable";
}

/** Stripe refuses the shop's key itself: it was rolled or deleted, or never was one. */
export class CheckoutKeyRefused extends CheckoutUnreachable {
  override name = "CheckoutKeyRefused";
}
/** The key is a restricted one and lacks a permission, by Stripe's name for it where that is known. */
export class CheckoutForbidden extends CheckoutUnreachable {
  override name = "CheckoutForbidden";
  constructor(
    readonly permission: string | null,
    options?: ErrorOptions,
  ) {
    super(`The Stripe key lacks the permission ${permission ?? "for this"}`, options);
  }
}

/** One of the permissions that the shop's key needs. */
export type KeyPermission = {
  /** Stripe's name for it, as in its refusals. */
  name: string;
  /** As the form for restricted keys in Stripe's dashboard lists it. */
  label: string;
  /** What happens without it. */
  without: string;
  /** Whether the shop can't sell, or can't judge what it sold, without it. */
  vital: boolean;
  granted: boolean;
};

/** The payment provider, as the domain needs it. All calls may throw {@link CheckoutUnreachable}. */
export type CheckoutGateway = {
  /** Opens a hosted checkout; throws {@link CheckoutRefused} with the provider's sentence. */
  open(order: CheckoutOrder): Promise<{ sessionId: string; url: string; livemode: boolean; createdAt: Date }>;
  /** What the provider holds now, or null when it knows no such session. `warnings` asks for those too. */
  read(sessionId: string, also?: { warnings: boolean }): Promise<CheckoutFacts | null>;
  /** The session that a payment intent belongs to, or null. */
  sessionOf(intentId: string): Promise<string | null>;
  /** A page of what has been on a list since then, newest first; `from` is where an earlier page ended. */
  touched(list: SweptList, since: Date, from: string | null): Promise<SweptPage>;
  /** Checks signature and age of a webhook; null when they don't hold. Its subject may be none of ours. */
  subjectOf(rawBody: string, signature: string): Promise<{ subject: EventSubject | null } | null>;
  /** Sends evidence for every dispute of a payment that waits for it; resolves to how many did. */
  contest(intentId: string, evidence: DisputeEvidence): Promise<number>;
  /** Until when a dispute of the payment waits for an answer; null when none does. */
  answerBy(intentId: string): Promise<Date | null>;
  /**
   * Tries everything that the shop asks of the provider, without effect. `writes` tries the calls that
   * change something too; each leaves an error in the provider's own log.
   */
  permissions(also: { writes: boolean }): Promise<KeyPermission[]>;
};
