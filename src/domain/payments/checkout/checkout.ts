import type { Order, OrderMark } from "./order-terms";

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

export type Dispute = {
  status: DisputeStatus;
  /** When it took the money; before that, when it was opened. */
  at: Date;
  /** In the provider's words: https://docs.stripe.com/api/disputes/object#dispute_object-reason */
  reason: string | null;
  /** Minor units of `currency`. */
  amount: number | null;
  currency: string | null;
  /** Until when it must be answered; null if no answer is awaited. */
  answerBy: Date | null;
};

/** What Stripe holds about a checkout session at the moment. Money in minor units. */
export type CheckoutFacts = {
  sessionId: string;
  status: "open" | "complete" | "expired";
  /** This shop opens none but `payment`. */
  mode: string;
  /** Nothing is owed any more: it was paid, or a code took everything off. */
  paid: boolean;
  /** Of all lines, before codes and tax. */
  subtotal: number;
  /** What a promotion code took off. */
  off: number;
  /** All tax, whether added to the price or within it. */
  taxes: number;
  /** What is to be paid in the end. */
  total: number;
  /** How many of the one thing on sale; null if the session has other lines than this shop writes. */
  quantity: number | null;
  currency: string;
  livemode: boolean;
  email: string | null;
  createdAt: Date;
  /** What this shop wrote on the session when it created it, if this release can read it. */
  order: Order | null;
  /** What it can read of an order of any edition. */
  mark: OrderMark | null;
  /** What it wrote there when it replaced keys; see `key-editions.ts`. */
  writtenEditions: string | null;
  /**
   * Its `url` is Stripe's page of it; null if there is none yet, or it was not asked for. `unread`, here and below: the
   * key may not read it.
   */
  invoice: { url: string } | "unread" | null;
  /** `received` is the money that arrived, minor units. */
  intent: {
    id: string;
    createdAt: Date;
    processing: boolean;
    failure: string | null;
    received: number;
  } | null;
  charge: Charge | "unread" | null;
  disputes: Dispute[] | "unread";
  /** Whether the card network suspects fraud; null if that was not asked, or may not be. */
  warned: boolean | null;
};

export type Charge = {
  method: string | null;
  paidAt: Date;
  amountRefunded: number;
  /** In full. */
  refunded: boolean;
  /** When the refund that left nothing was made; null where it is not refunded in full, or the key may not read it. */
  refundedAt: Date | null;
};

export type CheckoutOrder = {
  order: Order;
  /** A promotion code to begin with. */
  code: string | null;
  successUrl: string;
  cancelUrl: string;
  email: string | null;
};

/** What a Stripe event is about. Its details are never trusted: Stripe is asked again. */
export type EventSubject = { sessionId: string } | { intentId: string; warning?: true };

/** Stripe's lists in which the sweep looks for what no webhook reported. */
export const changeLists = ["sessions", "refunds", "disputes", "warnings", "events"] as const;
export type ChangeList = (typeof changeLists)[number];

/** A page of a list: what its entries are about, and where the next page begins; null at the end. */
export type ChangePage = { subjects: EventSubject[]; next: string | null };

/** Events that can change a payment, oldest first; `more` if there are further ones. */
export type EventPage = {
  events: { id: string; at: Date; subject: EventSubject | null }[];
  more: boolean;
};

/** Evidence for a bank, in Stripe's fields: https://docs.stripe.com/api/disputes/evidence_object */
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

/** Stripe refused; `message` is Stripe's own sentence and may be shown. */
export class CheckoutRefused extends Error {
  override name = "CheckoutRefused";
}
/** There is no such promotion code, or it is no longer valid. */
export class CodeUnknown extends Error {
  override name = "CodeUnknown";
}
/** The promotion code would make an order of several keys free. */
export class CodeForOne extends Error {
  override name = "CodeForOne";
}
/** Stripe could not be reached or is failing; asking again later may help. */
export class CheckoutUnreachable extends Error {
  override name = "CheckoutUnreachable";
}

/** Stripe was reached, and answered with an error of its own (5xx) or that it is asked too often (429). */
export class CheckoutFailing extends CheckoutUnreachable {
  override name = "CheckoutFailing";
  constructor(
    readonly status: number,
    options?: ErrorOptions,
  ) {
    super(`Stripe answers with an error (${status})`, options);
  }
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

/** A promotion code: what it takes off one purchase, and how often it may be used. */
export type PromotionCode = {
  id: string;
  code: string;
  off: { percent: number } | { amount: number; currency: string } | null;
  uses: number;
  mostUses: number | null;
  expiresAt: Date | null;
  active: boolean;
};

export type NewPromotionCode = {
  code: string;
  off: { percent: number } | { amount: number; currency: string };
  mostUses: number | null;
  expiresAt: Date | null;
};

/**
 * The provider's endpoint for the shop's webhooks: whether one with its address is enabled, which of the events that
 * the shop follows it doesn't send, and how many enabled ones have that address.
 */
export type WebhookEndpoint = { enabled: boolean; lacks: string[]; count: number };

/** Names a refund: `request` is the hash of what was asked, `id` what releases before wrote instead. */
export type RefundRequest = { intentId: string; request: string; id: string | null };

/** A refund at the provider, in minor units. `stands`: it has neither failed nor been cancelled. */
export type RefundHeld = { id: string; amount: number; createdAt: Date; stands: boolean };

/** The payment provider, as the domain needs it. All calls may throw {@link CheckoutUnreachable}. */
export type CheckoutGateway = {
  /**
   * Opens a hosted checkout; throws {@link CheckoutRefused} with the provider's sentence, {@link CodeUnknown}, or
   * {@link CodeForOne} before there is a session. Buyers of several keys can't enter a code there.
   */
  open(order: CheckoutOrder): Promise<{ sessionId: string; url: string; livemode: boolean; createdAt: Date }>;
  /** What the provider holds now, or null for an unknown session. `warnings` asks for fraud warnings too. */
  read(sessionId: string, also?: { warnings: boolean }): Promise<CheckoutFacts | null>;
  /** The session that a payment intent belongs to, or null. */
  sessionOf(intentId: string): Promise<string | null>;
  /** A page of a list's entries since then, newest first; `from` is where the page before ended. */
  listChanges(list: ChangeList, since: Date, from: string | null): Promise<ChangePage>;
  /** What is written on the newest completed sessions; at most a hundred. */
  newestOrders(): Promise<Pick<CheckoutFacts, "order" | "mark">[]>;
  /** The events right after that one, or null if the provider knows that one no longer. */
  eventsAfter(event: string): Promise<EventPage | null>;
  /** The newest event that was made until then, or null if there is none. */
  newestEvent(until: Date): Promise<string | null>;
  /** Verifies a webhook's signature and age; null if invalid. Its subject may not be one of ours. */
  subjectOf(rawBody: string, signature: string): Promise<{ subject: EventSubject | null } | null>;
  /** Submits evidence for every dispute of a payment that awaits it; resolves to how many. */
  contest(intentId: string, evidence: DisputeEvidence): Promise<number>;
  /** The refund that the provider holds for a request, or null; read from all refunds of the payment. */
  refundOf(wanted: RefundRequest): Promise<RefundHeld | null>;
  /**
   * Refunds part or all of a payment, unless the provider holds a refund for this request: it is made once, however
   * often and late this is called. Throws {@link CheckoutRefused} with the provider's sentence.
   */
  refund(
    wanted: RefundRequest & { amount: number; attempt: number },
  ): Promise<RefundHeld & { isNew: boolean }>;
  /** What the provider has of the endpoint with this address; `unread` if the key may not list endpoints. */
  webhookEndpoint(url: string): Promise<WebhookEndpoint | "unread" | "missing">;
  /** Keeps the editions of an order's keys on its session. */
  writeEditions(sessionId: string, written: string): Promise<void>;
  /** Makes a promotion code that buyers can use at once; throws {@link CheckoutRefused} with the provider's sentence. */
  createCode(wanted: NewPromotionCode): Promise<PromotionCode>;
  /** The promotion codes there are, newest first. */
  codes(): Promise<PromotionCode[]>;
  /** Ends an active promotion code; throws {@link CodeUnknown}. */
  retireCode(code: string): Promise<PromotionCode>;
  /**
   * Tries everything that the shop asks of the provider, without effect. `writes` tries the calls that
   * change something too; each leaves an error in the provider's own log.
   */
  permissions(also: { writes: boolean }): Promise<KeyPermission[]>;
};
