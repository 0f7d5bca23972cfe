import type Stripe from "stripe";
import type { Checkout } from "../ledger/rows";
import { type World, idOf } from "../world";

/** What the control was asked for can't be done; `message` says why. */
export class ControlRefusal extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ControlRefusal";
  }
}

/** How a payment is named: by its session or its payment intent. */
export type Named = { session?: string; payment_intent?: string };

export function checkoutOf(world: World, { session, payment_intent }: Named): Checkout {
  const checkout =
    session === undefined
      ? world.ledger.checkouts.newest().find((row) => idOf(row.session.payment_intent) === payment_intent)
      : world.ledger.checkouts.get(session);
  if (checkout === undefined) throw new ControlRefusal(`No such session: ${session ?? payment_intent}.`);
  return checkout;
}

export function openCheckout(world: World, named: Named): Checkout {
  const checkout = checkoutOf(world, named);
  if (checkout.session.status === "open") return checkout;
  throw new ControlRefusal(`The session is ${checkout.session.status}, not open.`);
}

export function chargeOf(world: World, checkout: Checkout): Stripe.Charge | undefined {
  const intent = world.ledger.intents.get(idOf(checkout.session.payment_intent) ?? "");
  return world.ledger.charges.get(idOf(intent?.latest_charge) ?? "");
}

export function paidCharge(world: World, named: Named): Stripe.Charge {
  const charge = chargeOf(world, checkoutOf(world, named));
  if (charge?.paid) return charge;
  throw new ControlRefusal("Nothing was paid in this session.");
}

export function refundsOf(world: World, charge: string): Stripe.Refund[] {
  return world.ledger.refunds
    .newest()
    .filter((made) => made.charge === charge)
    .toArray();
}
