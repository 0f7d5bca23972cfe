import type { Reports } from "../../base/actions";
import { type Checkout, type Dispute, eventOf } from "../ledger";
import type { World } from "../world";
import { balanceReport } from "../money/balance";
import { type DisputeStatus, disputes, waysOf } from "../money/disputes";
import { isOnItsWay } from "../money/methods";
import { refundsOf } from "../money/refunds";
import { subscriptionReport } from "./billing-report";
import { chargeOf, checkoutOf, intentIn } from "./find";

export type Account = ReturnType<typeof accountOf>;

const opened: DisputeStatus[] = ["needs_response", "warning_needs_response"];

/** One session as the simulator knows it, to check a shop's books against. Amounts in minor units. */
export function accountOf(world: World, checkout: Checkout) {
  const { session } = checkout;
  const intent = intentIn(world, checkout);
  const charge = chargeOf(world, checkout);
  const [dispute] = charge ? disputes(world, charge.id) : [];
  return {
    session: session.id,
    created: session.created,
    status: session.status,
    payment_status: session.payment_status,
    // before codes and tax
    subtotal: session.amount_subtotal,
    off: session.total_details?.amount_discount ?? 0,
    // whether added to the price or included in it
    taxes: session.total_details?.amount_tax ?? 0,
    quantity: checkout.lineItems[0].quantity ?? 0,
    amount: session.amount_total,
    currency: session.currency,
    email: session.customer_details?.email ?? session.customer_email,
    payment_intent: intent?.id ?? null,
    intent_status: intent?.status ?? null,
    on_its_way: isOnItsWay(intent),
    // the subscription that it began
    subscription: session.subscription ?? null,
    charge: charge?.id ?? null,
    // true once the buyer has paid or had nothing to pay, even if later refunded or disputed
    paid: charge?.paid ?? session.payment_status === "no_payment_required",
    refunded: charge?.amount_refunded ?? 0,
    fully_refunded: charge?.refunded ?? false,
    refunds: charge
      ? refundsOf(world, charge.id).map(({ id, amount, status }) => ({ id, amount, status }))
      : [],
    dispute: dispute ? { id: dispute.id, status: dispute.status } : null,
    // the statuses to which its dispute may move, or with which a dispute may open
    ways: waysFrom(charge?.paid ?? false, dispute),
    warned: world.ledger.warnings.newest().some((warning) => warning.charge === charge?.id),
    metadata: session.metadata ?? {},
  };
}

function waysFrom(paid: boolean, dispute: Dispute | undefined): DisputeStatus[] {
  const onward = dispute === undefined ? [] : waysOf(dispute);
  return onward.length > 0 || !paid ? onward : opened;
}

/** The newest events and their deliveries. */
export function deliveryLog(world: World, limit: number) {
  return world.ledger.deliveries
    .newest()
    .slice(0, limit)
    .map((row) => ({ ...row, event: world.ledger.events.get(eventOf(row)) }))
    .map(({ event, ...row }) => ({
      event: row.id,
      type: event?.type ?? "",
      created: event?.created ?? 0,
      state: row.state,
      attempts: row.attempts,
    }));
}

export const stripeReports = (world: World): Reports => ({
  ledger: () => ({ sessions: world.ledger.checkouts.all().map((checkout) => accountOf(world, checkout)) }),
  "ledger/:session": (c) => accountOf(world, checkoutOf(world, c.req.param("session") ?? "")),
  subscriptions: () => ({
    subscriptions: world.ledger.subscriptions.all().map((one) => subscriptionReport(world, one)),
  }),
  balance: (c) => {
    const [from, until] = ["from", "until"].map((name) => Number(c.req.query(name)));
    return { sums: balanceReport(world, { from: from ?? 0, until: until ?? 0 }) };
  },
  webhooks: (c) => ({ deliveries: deliveryLog(world, Number(c.req.query("limit") ?? 100)) }),
});
