import { Hono } from "hono";
import type Stripe from "stripe";
import type { Checkout } from "../ledger";
import { type World, idOf } from "../world";
import { type DisputeStatus, disputes, waysOf } from "../money/disputes";
import { refundsOf } from "../money/refunds";
import type { Courier } from "../webhooks/courier";
import { chargeOf, checkoutOf } from "./find";

/** One session as the simulator knows it: what a shop's books are judged by. Amounts in minor units. */
export type Account = {
  session: string;
  created: number;
  status: string | null;
  payment_status: string;
  /** Of all lines, before codes and tax. */
  subtotal: number | null;
  off: number;
  /** All tax, whether added or within the price. */
  taxes: number;
  quantity: number;
  invoice: string | null;
  amount: number | null;
  currency: string | null;
  email: string | null;
  payment_intent: string | null;
  intent_status: string | null;
  charge: string | null;
  /** True once money was taken or nothing was left to pay, even if it was refunded or disputed later. */
  paid: boolean;
  refunded: number;
  fully_refunded: boolean;
  refunds: { id: string; amount: number; status: string | null }[];
  /** The newest dispute. */
  dispute: { id: string; status: string } | null;
  /** The statuses that its dispute may move to, or with which one may be opened. */
  ways: DisputeStatus[];
  warned: boolean;
  metadata: Record<string, string>;
  client_reference_id: string | null;
};

const opened: DisputeStatus[] = ["needs_response", "warning_needs_response"];

export function accountOf(world: World, checkout: Checkout): Account {
  const { session } = checkout;
  const intent = idOf(session.payment_intent);
  const charge = chargeOf(world, checkout);
  const [dispute] = charge ? disputes(world, charge.id) : [];
  return {
    session: session.id,
    created: session.created,
    status: session.status,
    payment_status: session.payment_status,
    subtotal: session.amount_subtotal,
    off: session.total_details?.amount_discount ?? 0,
    taxes: session.total_details?.amount_tax ?? 0,
    quantity: checkout.lineItems.reduce((sum, item) => sum + (item.quantity ?? 0), 0),
    invoice: idOf(session.invoice),
    amount: session.amount_total,
    currency: session.currency,
    email: session.customer_details?.email ?? session.customer_email,
    payment_intent: intent,
    intent_status: world.ledger.intents.get(intent ?? "")?.status ?? null,
    charge: charge?.id ?? null,
    paid: charge?.paid ?? session.payment_status === "no_payment_required",
    refunded: charge?.amount_refunded ?? 0,
    fully_refunded: charge?.refunded ?? false,
    refunds: charge
      ? refundsOf(world, charge.id).map(({ id, amount, status }) => ({ id, amount, status }))
      : [],
    dispute: dispute ? { id: dispute.id, status: dispute.status } : null,
    ways: waysFrom(charge?.paid ?? false, dispute),
    warned: world.ledger.warnings.newest().some((warning) => warning.charge === charge?.id),
    metadata: session.metadata ?? {},
    client_reference_id: session.client_reference_id,
  };
}

function waysFrom(paid: boolean, dispute: Stripe.Dispute | undefined): DisputeStatus[] {
  const onward = dispute === undefined ? [] : waysOf(dispute);
  return onward.length > 0 || !paid ? onward : opened;
}

/** The newest events and their deliveries. */
export function deliveryLog(world: World, limit: number) {
  return world.ledger.deliveries
    .newest()
    .take(limit)
    .map((row) => ({
      event: row.id,
      type: world.ledger.events.get(row.id)?.type ?? "",
      created: world.ledger.events.get(row.id)?.created ?? 0,
      state: row.state,
      attempts: row.attempts,
    }))
    .toArray();
}

/** The reports that `/_control` answers to GET. */
export function reports(world: World, events: Courier): Hono {
  const app = new Hono();
  app.get("/_control/ledger", (c) =>
    c.json({ sessions: world.ledger.checkouts.all().map((checkout) => accountOf(world, checkout)) }),
  );
  app.get("/_control/ledger/:session", (c) =>
    c.json(accountOf(world, checkoutOf(world, { session: c.req.param("session") }))),
  );
  app.get("/_control/webhooks", (c) => {
    const deliveries = deliveryLog(world, Number(c.req.query("limit") ?? 100));
    return c.json({ url: events.endpoint()?.url ?? null, deliveries });
  });
  return app;
}
