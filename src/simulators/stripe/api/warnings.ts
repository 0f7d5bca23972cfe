import type Stripe from "stripe";
import { idOf } from "../world";
import type { Call } from "./call";
import { found } from "./errors";
import { text } from "./form";
import { page } from "./lists";

export function getWarning({ world, id }: Call): Stripe.Radar.EarlyFraudWarning {
  return found(world.ledger.warnings.get(id), "radar.early_fraud_warning", id);
}

export function listWarnings(call: Call) {
  const charge = text(call.params, "charge");
  const intent = text(call.params, "payment_intent");
  return page(call, call.world.ledger.warnings, {
    url: "/v1/radar/early_fraud_warnings",
    noun: "radar.early_fraud_warning",
    show: (warning) => warning,
    keep: (warning) =>
      (charge === undefined || idOf(warning.charge) === charge) &&
      (intent === undefined || idOf(warning.payment_intent) === intent),
  });
}
