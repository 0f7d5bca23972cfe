import type Stripe from "stripe";
import { ActionRefusal } from "../../actions";
import type { Checkout } from "../ledger";
import { type World, idOf } from "../world";

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

export function chargeOf(world: World, checkout: Checkout): Stripe.Charge | undefined {
  const intent = world.ledger.intents.get(idOf(checkout.session.payment_intent) ?? "");
  return world.ledger.charges.get(idOf(intent?.latest_charge) ?? "");
}

export function paidCharge(world: World, session: string): Stripe.Charge {
  const charge = chargeOf(world, checkoutOf(world, session));
  if (charge?.paid) return charge;
  throw new ActionRefusal("Nothing was paid in this session.");
}
