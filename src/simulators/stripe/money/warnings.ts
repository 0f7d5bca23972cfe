import type Stripe from "stripe";
import { emit } from "../events";
import { type World, idOf, seconds } from "../world";

/** The card network suspects fraud; nothing is taken: https://docs.stripe.com/disputes/measuring#early-fraud-warnings. */
export function warn(world: World, charge: Stripe.Charge): Stripe.Radar.EarlyFraudWarning {
  const intent = idOf(charge.payment_intent);
  const warning: Stripe.Radar.EarlyFraudWarning = {
    id: world.ids.next("issfr_1"),
    object: "radar.early_fraud_warning",
    actionable: !charge.refunded && !charge.disputed,
    charge: charge.id,
    created: seconds(world),
    fraud_type: "made_with_stolen_card",
    livemode: false,
    ...(intent === null ? {} : { payment_intent: intent }),
  };
  world.ledger.put("warnings", warning);
  emit(world, "radar.early_fraud_warning.created", warning);
  return warning;
}
