import { ActionRefusal } from "../../base/actions";
import { isBill } from "../billing/lines";
import { intentOf } from "../billing/payment";
import { isOver } from "../billing/subscription";
import { worldForCustomer } from "../billing/time";
import type { Charge, Checkout, Intent } from "../ledger";
import type { World } from "../world";

export function checkoutOf(world: World, session: string): Checkout {
  const checkout = world.ledger.checkouts.get(session);
  if (checkout === undefined) throw new ActionRefusal(`No such session: ${session}.`);
  return checkout;
}

export function openCheckout(world: World, session: string): Checkout {
  const checkout = checkoutOf(world, session);
  if (checkout.session.status === "open") return checkout;
  throw new ActionRefusal(`The session is ${checkout.session.status}, not open.`);
}

/** The payment of a session; that of its first invoice, if it began a subscription. */
export function intentIn(world: World, { session }: Checkout): Intent | undefined {
  if (session.mode === "subscription") return intentOf(world, session.invoice ?? "");
  return world.ledger.intents.get(session.payment_intent ?? "");
}

export function chargeOf(world: World, checkout: Checkout): Charge | undefined {
  return world.ledger.charges.get(intentIn(world, checkout)?.latest_charge ?? "");
}

/** The charge that was paid in a session, for a subscription's invoice, or by a payment intent. */
export function paidCharge(world: World, id: string): Charge {
  const ofOrder = () =>
    world.ledger.invoices.has(id) ? intentOf(world, id) : intentIn(world, checkoutOf(world, id));
  const intent = world.ledger.intents.get(id) ?? ofOrder();
  const charge = world.ledger.charges.get(intent?.latest_charge ?? "");
  if (charge?.paid) return charge;
  throw new ActionRefusal("Nothing was paid in this session or for this invoice.");
}

/** A subscription that has not ended, and the world at its customer's time. */
export function runningSubscription(baseWorld: World, id: string) {
  const subscription = baseWorld.ledger.subscriptions.get(id);
  if (subscription === undefined) throw new ActionRefusal(`No such subscription: ${id}.`);
  if (isOver(subscription)) throw new ActionRefusal(`The subscription is ${subscription.status}.`);
  return { subscription, world: worldForCustomer(baseWorld, subscription.customer) };
}

/** A subscription's invoice, and the world at its customer's time. */
export function billIn(baseWorld: World, id: string) {
  const bill = baseWorld.ledger.invoices.get(id);
  if (bill === undefined || !isBill(bill))
    throw new ActionRefusal(`No such invoice of a subscription: ${id}.`);
  return { bill, world: worldForCustomer(baseWorld, bill.customer ?? "") };
}
