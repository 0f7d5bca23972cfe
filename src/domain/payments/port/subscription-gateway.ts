import type { LevelName } from "../../levels/ladder";
import type { Interval } from "@/contract/vocabulary/kinds";
import type { PortalFlow } from "@/contract/wire/subscriptions";
import type { Order } from "./order-terms";

/** An invoice of a subscription. https://docs.stripe.com/api/invoices/object */
export type InvoiceFacts = {
  id: string;
  /** It began the subscription. */
  isFirst: boolean;
  /** It bills a switch rather than a new period. */
  isSwitch: boolean;
  status: "draft" | "open" | "paid" | "uncollectible" | "void";
  createdAt: Date;
  /** The end of the period that it pays for the subscription's own item; null if it doesn't pay for that. */
  periodEndsAt: Date | null;
  /** Stripe's id of the price that it asks for that item; null if it asks nothing for it. */
  price: string | null;
  /** The ids of the invoices whose unused time it gives back, as after a switch. */
  credits: string[];
  /** A draft that Stripe will finalize and charge. */
  isComing: boolean;
  /** The due date of an invoice that is sent to the customer. */
  dueAt: Date | null;
  /** Stripe has tried to charge it. */
  tried: boolean;
  /** Money may still arrive without a new attempt: a debit, a voucher, a transfer. */
  onItsWay: boolean;
  /** The money is already moving, so the invoice can't be voided. */
  isProcessing: boolean;
};

/**
 * What Stripe holds of a subscription now, money in minor units. Its own item is the one that an offer of ours is sold
 * by. https://docs.stripe.com/api/subscriptions/object
 */
export type SubscriptionFacts = {
  id: string;
  customerId: string;
  /** Where the customer is billed; null for a deleted one. */
  billingEmail: string | null;
  /** In Stripe's words. */
  status: string;
  /** When it will be cancelled, by `cancel_at` or at the end of its period; null if it renews. */
  cancelsAt: Date | null;
  endedAt: Date | null;
  /** Its invoices are made and not collected, until `resumesAt` if that is known. */
  collectionPaused: boolean;
  resumesAt: Date | null;
  periodEndsAt: Date;
  /** The end of its trial, past or to come; null if it never had one. */
  trialEndsAt: Date | null;
  /** Stripe's id of its own item, with what it costs and the offer; no price if this shop did not make it. */
  item: string | null;
  price: PriceFacts | null;
  /** Each charge of all items: before discounts; after those that last, null if these are unknown. Without tax. */
  amount: number;
  netAmount: number | null;
  /** Whether tax is added to what it charges. */
  isTaxed: boolean;
  /** Stripe's ids of the discounts of the next charge, if some of today's will have ended by then; else null. */
  nextDiscounts: string[] | null;
  changes: { to: string; at: Date } | null;
  card: { brand: string; last4: string } | null;
  /** Stripe's ids of the card that was given to it, and of its customer's default card. */
  cards: { own: string | null; general: string | null };
  livemode: boolean;
  startedAt: Date;
  /** All, oldest first. */
  invoices: InvoiceFacts[];
};

/** What a price of this shop says; the computers are null in one that was made before prices said them. */
export type PriceFacts = {
  id: string;
  offer: string;
  amount: number;
  currency: string;
  every: Interval;
  level: LevelName;
  devices: number | null;
};

export type PortalOrder = {
  customerId: string;
  /** Null if it has ended: the page then has invoices only. */
  subscription: string | null;
  flow: PortalFlow | null;
  /** What a customer can switch to; at most ten. */
  offers: RecurringOffer[];
  returnUrl: string;
};

/** A recurring offer; `amount` in minor units. */
export type RecurringOffer = Pick<
  Order,
  "offer" | "product" | "level" | "levelName" | "amount" | "currency" | "devices"
> & {
  every: Interval;
};

/** What the payment provider does with subscriptions. All calls may throw `CheckoutUnreachable`. */
export type SubscriptionGateway = {
  /** A subscription now, or null for an unknown one. `knownItem`: its own item at the last check. */
  readSubscription(id: string, knownItem: string | null): Promise<SubscriptionFacts | null>;
  /** A price of a subscription, or null if this shop did not make it. */
  readPrice(id: string): Promise<PriceFacts | null>;
  /** The next charge, with codes and tax. */
  previewNext(held: Pick<SubscriptionFacts, "id" | "nextDiscounts">): Promise<number>;
  /** The subscription that an invoice was made by, or null. */
  subscriptionOfInvoice(invoice: string): Promise<string | null>;
  /** The session that began a subscription, or null. */
  sessionOfSubscription(id: string): Promise<string | null>;
  /**
   * The provider's page on which a customer manages a subscription, whose address expires within minutes; null if the
   * customer was deleted there.
   */
  openPortal(order: PortalOrder): Promise<string | null>;
  /** Changes the billing address of a subscription's customer, if it is still `former`. */
  correctBilling(wanted: { subscription: string; former: string; email: string }): Promise<void>;
  /** Where a customer without an account signs in to that page by email; null if it is turned off. */
  portalLoginPage(sold: { shopUrl: URL; offers: RecurringOffer[] }): Promise<string | null>;
  /** Charges a subscription to another card from now on, and tries once to pay an invoice with that card. */
  chargeToCard(wanted: { id: string; card: string; invoice: string | null }): Promise<void>;
  /** Ends a subscription, now or then; one that ends earlier stays as it is. */
  cancelSubscription(id: string, when: "now" | Date): Promise<void>;
  /** A page of all subscriptions, ended ones too, newest first: the ids of those that a shop like this one sold. */
  listSubscriptions(from: string | null): Promise<{ ids: string[]; next: string | null }>;
  /** Voids an invoice that is owed; one that was paid meanwhile, or is being paid, stays. */
  voidInvoice(id: string): Promise<void>;
};
