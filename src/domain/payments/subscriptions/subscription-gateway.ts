import type { Interval } from "@/contract/intervals";
import type { PortalFlow } from "@/contract/subscriptions";
import type { Order } from "../checkout/order-terms";
import type { Standing } from "./judge";

/** What Stripe holds of a subscription now. Money in minor units. */
export type SubscriptionFacts = Standing & {
  id: string;
  customerId: string;
  /** A shop like this one sold it. */
  isMarked: boolean;
  /** What it costs now, and the offer of that price; null if the price is not one that this shop made. */
  price: { offer: string; amount: number; currency: string; every: Interval } | null;
  /** The next charge with codes and tax; null if none is due. */
  nextAmount: number | null;
  /** The share of its price, without tax, that codes leave from now on: 1 without codes; null if unknown. */
  share: number | null;
  changes: { to: string; at: Date } | null;
  card: { brand: string; last4: string } | null;
  /** Its customer's default card, if Stripe still charges the subscription to another one; else null. */
  newCard: string | null;
  livemode: boolean;
  startedAt: Date;
  /** All but drafts, oldest first. `isCollected`: paid or being paid, not voided or given up. */
  invoices: { id: string; isFirst: boolean; isCollected: boolean; createdAt: Date }[];
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

/** An offer that is paid again and again; `amount` in minor units. */
export type RecurringOffer = Pick<Order, "offer" | "product" | "amount" | "currency"> & { every: Interval };

/** What the payment provider does with subscriptions. All calls may throw `CheckoutUnreachable`. */
export type SubscriptionGateway = {
  /** A subscription now, or null for an unknown one. */
  readSubscription(id: string): Promise<SubscriptionFacts | null>;
  /** The session that began a subscription, or null. */
  sessionOfSubscription(id: string): Promise<string | null>;
  /** The provider's page on which a customer manages a subscription; its address expires within minutes. */
  openPortal(order: PortalOrder): Promise<string>;
  /** Where a customer without an account signs in to that page by email; null if it is turned off. */
  portalLoginPage(sold: { shopUrl: URL; offers: RecurringOffer[] }): Promise<string | null>;
  /** Charges a subscription to another card from now on, and tries once to pay its open invoices with that card. */
  chargeTo(id: string, card: string): Promise<void>;
  /** Ends a subscription, now or at the end of what was paid; one that has ended already stays as it is. */
  cancelSubscription(id: string, when: "now" | "period_end"): Promise<void>;
  /** A page of all subscriptions, ended ones too, newest first: the ids of those that a shop like this one sold. */
  listSubscriptions(from: string | null): Promise<{ ids: string[]; next: string | null }>;
  /** Voids what is still owed for a subscription. */
  voidOpenInvoices(id: string): Promise<void>;
};
