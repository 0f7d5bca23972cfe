import { ActionRefusal } from "../../actions";
import type { Charge, Checkout } from "../ledger";
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

export function chargeOf(world: World, checkout: Checkout): Charge | undefined {
  const intent = world.ledger.intents.get(checkout.session.payment_intent ?? "");
  return world.ledger.charges.get(intent?.latest_charge ?? "");
}

export function paidCharge(world: World, session: string): Charge {
  const charge = chargeOf(world, checkoutOf(world, session));
  if (charge?.paid) return charge;
  throw new ActionRefusal("Nothing was paid in this session.");
}
