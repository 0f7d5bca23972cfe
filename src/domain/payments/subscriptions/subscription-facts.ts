import type { Interval } from "@/contract/offers";
import type { Order } from "../checkout/order-terms";
import type { Standing } from "./judge";

/** What Stripe holds of a subscription now. Money in minor units. */
export type SubscriptionFacts = Standing & {
  id: string;
  customerId: string;
  /** The order in its metadata, as on the session that began it. */
  order: Order | null;
  /** What it costs now, and the offer of that price; null if the price is not one that this shop made. */
  price: { offer: string; amount: number; currency: string; every: Interval } | null;
  /** The next charge, with codes and tax; null if none is due. */
  nextAmount: number | null;
  changes: { to: string; at: Date } | null;
  card: { brand: string; last4: string } | null;
  livemode: boolean;
  startedAt: Date;
  /** Those that were paid or are being paid, oldest first. */
  invoices: { id: string; isFirst: boolean; createdAt: Date }[];
};
