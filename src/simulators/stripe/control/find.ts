import type Stripe from "stripe";
import { z } from "zod";
import { ActionRefusal } from "../../actions";
import type { Checkout } from "../ledger";
import { type World, idOf } from "../world";

/** A payment is named by its session or its payment intent. */
export const named = z
  .object({ session: z.string().optional(), payment_intent: z.string().optional() })
  .refine((given) => given.session !== undefined || given.payment_intent !== undefined, {
    message: "name a session or a payment_intent",
  });
type Named = z.infer<typeof named>;

export function checkoutOf(world: World, { session, payment_intent }: Named): Checkout {
  const checkout =
    session === undefined
      ? world.ledger.checkouts.newest().find((row) => idOf(row.session.payment_intent) === payment_intent)
      : world.ledger.checkouts.get(session);
  if (checkout === undefined) throw new ActionRefusal(`No such session: ${session ?? payment_intent}.`);
  return checkout;
}

export function openCheckout(world: World, name: Named): Checkout {
  const checkout = checkoutOf(world, name);
  if (checkout.session.status === "open") return checkout;
  throw new ActionRefusal(`The session is ${checkout.session.status}, not open.`);
}

export function chargeOf(world: World, checkout: Checkout): Stripe.Charge | undefined {
  const intent = world.ledger.intents.get(idOf(checkout.session.payment_intent) ?? "");
  return world.ledger.charges.get(idOf(intent?.latest_charge) ?? "");
}

export function paidCharge(world: World, name: Named): Stripe.Charge {
  const charge = chargeOf(world, checkoutOf(world, name));
  if (charge?.paid) return charge;
  throw new ActionRefusal("Nothing was paid in this session.");
}
