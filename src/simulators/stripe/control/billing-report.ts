import { methodFor } from "../billing/collect";
import { customerOf } from "../billing/customers";
import { billsOf } from "../billing/lines";
import { intentOf } from "../billing/payment";
import type { Bill, Subscription } from "../billing/rows";
import { worldForCustomer } from "../billing/time";
import { disputes } from "../money/disputes";
import { isOnItsWay } from "../money/methods";
import { seconds, type World } from "../world";

export type StripeSubscriptionReport = ReturnType<typeof subscriptionReport>;

/** One subscription as the simulator knows it, to check a shop's books against. Amounts in minor units. */
export function subscriptionReport(world: World, one: Subscription) {
  const item = one.items.data[0];
  const method = methodFor(world, one);
  const customer = customerOf(world, one.customer);
  return {
    subscription: one.id,
    customer: one.customer,
    email: customer?.email ?? null,
    // credit is negative
    balance: customer?.balance ?? 0,
    status: one.status,
    price: item.price.id,
    amount: item.price.unit_amount,
    currency: one.currency,
    interval: item.price.recurring?.interval ?? null,
    period_start: item.current_period_start,
    period_end: item.current_period_end,
    trial_end: one.trial_end,
    cancel_at: one.cancel_at,
    ended_at: one.ended_at,
    paused: one.pause_collection !== null,
    schedule: one.schedule,
    card: method ? { method: method.id, last4: method.card?.last4 ?? null } : null,
    mood: method ? (world.ledger.moods.get(method.id)?.mood ?? "works") : null,
    // the time of its customer: that of a test clock, if they have one
    now: seconds(worldForCustomer(world, one.customer)),
    metadata: one.metadata,
    // oldest first
    invoices: billsOf(world, one.id)
      .toReversed()
      .map((bill) => billOf(world, bill)),
  };
}

function billOf(world: World, bill: Bill) {
  const intent = intentOf(world, bill.id);
  const charge = world.ledger.charges.get(intent?.latest_charge ?? "");
  const [dispute] = charge ? disputes(world, charge.id) : [];
  return {
    invoice: bill.id,
    created: bill.created,
    reason: bill.billing_reason,
    status: bill.status,
    subtotal: bill.subtotal,
    total: bill.total,
    amount_due: bill.amount_due,
    amount_paid: bill.amount_paid,
    attempt_count: bill.attempt_count,
    next_payment_attempt: bill.next_payment_attempt,
    // the end of what it charges for; credit gives back time that another invoice charged for
    until: Math.max(
      ...bill.lines.data.filter(({ amount }) => amount >= 0).map(({ period }) => period.end ?? 0),
    ),
    payment_intent: intent?.id ?? null,
    intent_status: intent?.status ?? null,
    on_its_way: isOnItsWay(intent),
    refunded: charge?.amount_refunded ?? 0,
    dispute: dispute ? { id: dispute.id, status: dispute.status } : null,
  };
}
