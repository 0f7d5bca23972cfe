import type Stripe from "stripe";
import { idOf } from "../world";
import type { Call } from "./call";
import { found } from "./errors";
import { text } from "./form";
import { page } from "./lists";

export function getPaymentIntent({ world, id }: Call): Stripe.PaymentIntent {
  return found(world.ledger.intents.get(id), "payment_intent", id, "intent");
}

export function listPaymentIntents(call: Call) {
  return page(call, call.world.ledger.intents, {
    url: "/v1/payment_intents",
    noun: "payment_intent",
    show: (intent) => intent,
    keep: () => true,
  });
}

export function getCharge({ world, id }: Call): Stripe.Charge {
  return found(world.ledger.charges.get(id), "charge", id);
}

export function listCharges(call: Call) {
  const intent = text(call.params, "payment_intent");
  return page(call, call.world.ledger.charges, {
    url: "/v1/charges",
    noun: "charge",
    show: (charge) => charge,
    keep: (charge) => intent === undefined || idOf(charge.payment_intent) === intent,
  });
}
