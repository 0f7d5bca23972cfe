import type { StripeRefundStatus } from "../../schema/money-back";
import type { SubscriptionGateway } from "./subscription-gateway";
import type { BooksGateway, BuyerFacts, PaidCard } from "./books-gateway";
import type { AccountGateway, WatchedEvents } from "./account-gateway";
import type { Order, WrittenOrder } from "./order-terms";
import type { CodeOffered, CodeUsed, NewPromotionCode, PromotionCode } from "./promotion-code";

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
  /** When the dispute took the money; before that, when it was opened. */
  at: Date;
  /** In the provider's words: https://docs.stripe.com/api/disputes/object#dispute_object-reason */
  reason: string | null;
  /** Minor units of `currency`. */
  amount: number | null;
  currency: string | null;
  /** The deadline for evidence; null if Stripe awaits none. */
  answerBy: Date | null;
};

/** A dispute as Stripe holds it. `moves`: when it took the money, or gave it back, oldest first. */
export type DisputeHeld = Dispute & { id: string; moves: { at: Date; taken: boolean }[] };

/** What Stripe holds about a checkout session now. Money in minor units. */
export type CheckoutFacts = {
  sessionId: string;
  status: "open" | "complete" | "expired";
  /** Stripe's mode of the session; `renewal` for an invoice. */
  mode: string;
  /** Nothing is owed any more: the buyer paid, or a code took everything off. */
  paid: boolean;
  /**
   * When that was, which never changes: when the money arrived or, for a free order, when its session was opened. Null if
   * Stripe doesn't say, or we did not ask.
   */
  paidAt: Date | null;
  /** When it was charged: the money of a delayed payment arrives days later. Null for an invoice, or if we did not ask. */
  chargedAt: Date | null;
  /** The sum of all lines, before codes and tax. */
  subtotal: number;
  /** What a promotion code took off. */
  off: number;
  /** All tax, whether added to the price or within it. */
  taxes: number;
  /** What the buyer pays. */
  total: number;
  /** How many licences; null if the session has other lines than this shop writes. */
  quantity: number | null;
  currency: string;
  livemode: boolean;
  email: string | null;
  createdAt: Date;
  /** Stripe's id of the subscription that it began or renews. */
  subscription: string | null;
  /** The end of the period that it pays; null unless it is for a subscription. */
  periodEndsAt: Date | null;
  /** What was taken from the customer's credit. */
  credit: number;
  /** If the session begins a subscription: its price, interval, and the length of its first period or trial. */
  recurring: { amount: number | null; every: string | null; firstDays: number | null } | null;
  /** When its trial began, and Stripe's fingerprint of the card or account to charge afterwards. */
  trial: { at: Date; card: string | null } | null;
  /** If the session's subscription was paid or on trial: since when, and when it ended, if it did. */
  began: { at: Date; endedAt: Date | null } | null;
  /** Its subscription has ended. */
  ended: boolean;
  /** The order in the metadata of the session, which this shop or another wrote; null for an invoice. */
  order: WrittenOrder | null;
  /** The metadata that it wrote when it replaced keys; see `key-versions.ts`. */
  writtenKeyVersions: string | null;
  /** `url` is Stripe's page of the invoice; null if there is none yet, or we did not ask. */
  invoice: { url: string; number: string | null } | null;
  /** What the buyer said of themselves for the tax. */
  buyer: BuyerFacts;
  /** `received` is the money that arrived, in minor units; for an invoice, from all of its payments, of which this is the first. */
  intent: {
    id: string;
    /** Nothing was received yet, but money may still arrive without a new order: a debit, a voucher, a transfer. */
    onItsWay: boolean;
    failure: string | null;
    received: number;
  } | null;
  charge: Charge | null;
  /** The refunds of the charge, also pending and failed ones; unless asked for, empty if all of them failed. */
  refunds: PaymentRefund[];
  disputes: DisputeHeld[];
  /** The promotion code of a completed session. */
  code: CodeUsed | null;
  /** Whether the card network suspects fraud; null if we did not ask. */
  warned: boolean | null;
};

/** A refund of a payment, in minor units. https://docs.stripe.com/api/refunds/object */
export type PaymentRefund = {
  id: string;
  amount: number;
  currency: string;
  status: StripeRefundStatus;
  at: Date;
  /** Staff made it without ending what was bought. */
  keeps: boolean;
  /** The request of staff that it was made for, if it was. */
  request: string | null;
};

export type Charge = {
  /** Of an invoice that several payments paid, the first. */
  id: string;
  method: string | null;
  card: PaidCard | null;
  amountRefunded: number;
  /** Whether it is refunded in full. */
  refunded: boolean;
  /** When the refund that left nothing was made; null without a full refund, or if Stripe doesn't say. */
  refundedAt: Date | null;
};

export type CheckoutOrder = {
  order: Order;
  /** A promotion code that the checkout opens with. */
  code: string | null;
  successUrl: string;
  cancelUrl: string;
  email: string | null;
};

/** What a Stripe event is about; of a customer, their subscription. We never trust an event's details, and ask Stripe again. */
export type EventSubject =
  | { sessionId: string }
  | { subscription: string }
  | { customer: string }
  | { invoice: string }
  | { intentId: string; warning?: true; refund?: true };

/** What a session itself says, whoever opened it. */
export type SessionFacts = Pick<
  CheckoutFacts,
  "sessionId" | "status" | "subtotal" | "currency" | "livemode" | "createdAt" | "order" | "writtenKeyVersions"
>;

/**
 * What to fetch with a payment: fraud warnings, its refunds even where none still counts, and when the money arrived.
 */
export type PaymentExtras = { warnings?: boolean; refunds?: boolean; arrival?: boolean };

/** The lists of Stripe's that reconciliation reads for what no webhook reported. */
export const changeLists = ["sessions", "refunds", "disputes", "warnings", "events"] as const;
export type ChangeList = (typeof changeLists)[number];

/** A page of a list: what its entries are about, and where the next page begins; null at the end. */
export type ChangePage = { subjects: EventSubject[]; next: string | null };

/** Events that can change a payment, oldest first; `more` if the provider has further ones. */
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
  refund_refusal_explanation?: string;
  uncategorized_text?: string;
};

/** Stripe refused; customers may see `message`, Stripe's own sentence. */
export class CheckoutRefused extends Error {
  override name = "CheckoutRefused";
}
/** Stripe is unreachable or failing; asking again later may help. */
export class CheckoutUnreachable extends Error {
  override name = "CheckoutUnreachable";
}

/** Stripe failed (5xx), or says that we ask too often (429). */
export class CheckoutFailing extends CheckoutUnreachable {
  override name = "CheckoutFailing";
  constructor(
    readonly status: number,
    options?: ErrorOptions,
  ) {
    super(`Stripe answers with an error (${status})`, options);
  }
}
/** Stripe refuses the shop's key itself: the key was rolled or deleted, or never existed. */
export class CheckoutKeyRefused extends CheckoutUnreachable {
  override name = "CheckoutKeyRefused";
}
/** The restricted key lacks a permission; named as Stripe names it, where known. */
export class CheckoutForbidden extends CheckoutUnreachable {
  override name = "CheckoutForbidden";
  constructor(
    readonly permission: string | null,
    options?: ErrorOptions,
  ) {
    super(`The Stripe key lacks the permission ${permission ?? "for this"}`, options);
  }
}

/** Asking again later may help, whatever the key's permissions are. */
export const isStripeAway = (error: unknown): boolean =>
  error instanceof CheckoutUnreachable && !(error instanceof CheckoutForbidden);

/** Identifies a refund by `request`, the hash of what was asked. */
export type RefundRequest = { intentId: string; request: string };

/** A refund at the provider, in minor units. `stands`: neither failed nor cancelled. */
export type RefundHeld = { id: string; amount: number; createdAt: Date; stands: boolean };

/** How many disputes of a payment were answered, and why not the next one. */
export type DisputesAnswered = { answered: number; failure: Error | null };
export type DisputesAccepted = DisputesAnswered & { inquiries: number };

/** The payment provider, as the domain needs it. All calls may throw {@link CheckoutUnreachable}. */
export type CheckoutGateway = SubscriptionGateway &
  AccountGateway &
  BooksGateway & {
    /**
     * Opens a hosted checkout; throws {@link CheckoutRefused} with the provider's sentence, {@link CodeUnknown},
     * {@link CodeUnfit}, or {@link CodeFreesSeveral} before there is a session. Buyers of several keys can't enter a
     * code there.
     */
    open(
      order: CheckoutOrder,
    ): Promise<{ sessionId: string; url: string; livemode: boolean; createdAt: Date }>;
    /** The session's state now, or null for an unknown session. `warnings` asks for fraud warnings too. */
    read(sessionId: string, also?: PaymentExtras): Promise<CheckoutFacts | null>;
    /**
     * The same without its money, for a session that may be another shop's: needs no permission besides that for sessions.
     * Null also for an invoice, which holds no order.
     */
    readSession(sessionId: string): Promise<SessionFacts | null>;
    /** Where the buyer pays an open session; null if it ended. */
    pageOf(sessionId: string): Promise<string | null>;
    /** Ends an open session; one that was completed or has ended stays as it is. */
    expireCheckout(sessionId: string): Promise<void>;
    /** The session that a payment intent belongs to, or null. */
    sessionOf(intentId: string): Promise<string | null>;
    /** A page of a list's entries since `since`, newest first; `from` is where the page before ended. */
    listChanges(
      list: ChangeList,
      wanted: WatchedEvents & { since: Date; from: string | null },
    ): Promise<ChangePage>;
    /** The orders on the newest completed sessions; at most a hundred. */
    newestOrders(): Promise<WrittenOrder[]>;
    /** The events right after `event`, or null if the provider no longer knows that event. */
    eventsAfter(event: string, watching: WatchedEvents): Promise<EventPage | null>;
    /** The newest event made before or at `until`, or null if there is none. */
    newestEvent(until: Date, watching: WatchedEvents): Promise<{ id: string; at: Date } | null>;
    /**
     * Verifies a webhook's signature, by the setting's secret or else `others`, and its age; null if invalid. The subject
     * may belong to another shop.
     */
    subjectOf(
      rawBody: string,
      signature: string,
      others: () => Promise<string[]>,
    ): Promise<{ subject: EventSubject | null } | null>;
    /**
     * Submits evidence for every dispute of a payment that awaits evidence. Throws {@link CheckoutRefused} where
     * somebody prepared other evidence at the provider.
     */
    contest(intentId: string, evidence: DisputeEvidence): Promise<DisputesAnswered>;
    /** Accepts as lost the dispute of a payment that awaits evidence first; inquiries stay as they are. */
    acceptDispute(intentId: string): Promise<DisputesAccepted>;
    /** The refund that the provider holds for a request, or null; read from all refunds of the payment. */
    refundOf(wanted: RefundRequest): Promise<RefundHeld | null>;
    /**
     * Refunds part or all of a payment, unless the provider already holds a refund for this request: repeated calls make
     * one refund. Throws {@link CheckoutRefused} with the provider's sentence.
     */
    refund(
      wanted: RefundRequest & { amount: number; attempt: number; keeps: boolean },
    ): Promise<RefundHeld & { isNew: boolean }>;
    /** Writes the versions of an order's keys on its session. */
    writeKeyVersions(sessionId: string, written: string): Promise<void>;
    /**
     * Creates a promotion code that buyers can use at once; throws {@link CheckoutRefused} with the provider's sentence.
     */
    createCode(wanted: NewPromotionCode): Promise<PromotionCode>;
    /** Every promotion code, newest first. */
    codes(): Promise<PromotionCode[]>;
    /** A page of them, from the one after `after`. */
    codesAfter(after: string | null, most: number): Promise<{ codes: PromotionCode[]; more: boolean }>;
    /** An active promotion code; throws {@link CodeUnknown}. */
    activeCode(code: string): Promise<PromotionCode>;
    /** What an active code offers; throws {@link CodeUnknown}, or {@link CodeUnfit} if the provider refuses to look it up. */
    codeOffered(code: string): Promise<CodeOffered>;
    /** Ends an active promotion code; throws {@link CodeUnknown}. */
    retireCode(code: string): Promise<PromotionCode>;
    /** Lets no further session begin with a code; `id` is the provider's. */
    switchOffCode(id: string): Promise<void>;
    /** A page of the open sessions that bear a code, newest first; `from` is where the page before ended. */
    openSessionsWithCode(
      id: string,
      from: string | null,
    ): Promise<{ sessionIds: string[]; next: string | null }>;
  };
