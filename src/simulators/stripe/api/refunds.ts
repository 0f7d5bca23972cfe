import type Stripe from "stripe";
import { disputes, isInquiry } from "../money/disputes";
import { refund, refundable } from "../money/refunds";
import { type World, idOf } from "../world";
import { found, invalid } from "./errors";
import { type Form, integer, metadata, onlyKnown, required } from "./form";
import type { Call } from "./lists";

/** https://docs.stripe.com/api/refunds/create. */
export function createRefund({ world, params }: Call): Stripe.Refund {
  onlyKnown(params, ["payment_intent", "amount", "metadata"]);
  const charge = chargeIn(world, params);
  const left = refundable(charge);
  if (!charge.paid) throw invalid(`Charge ${charge.id} has not been paid.`, { param: "charge" });
  if (disputes(world, charge.id).some((dispute) => !isInquiry(dispute.status) && dispute.status !== "won"))
    throw invalid(`Charge ${charge.id} has been charged back; cannot issue a refund.`, {
      code: "charge_disputed",
    });
  if (left === 0)
    throw invalid(`Charge ${charge.id} has already been refunded.`, { code: "charge_already_refunded" });
  const amount = integer(params, "amount") ?? left;
  if (amount < 1) throw invalid("Invalid positive integer", { param: "amount" });
  if (amount > left) throw tooMuch(amount, left, charge.currency);
  return refund(world, charge, { amount, metadata: metadata(params) });
}

function chargeIn(world: World, params: Form): Stripe.Charge {
  const id = required(params, "payment_intent");
  const intent = found(world.ledger.intents.get(id), "payment_intent", id, "payment_intent");
  const latest = world.ledger.charges.get(idOf(intent.latest_charge) ?? "");
  if (latest) return latest;
  throw invalid(`This PaymentIntent (${id}) does not have a successful charge to refund.`);
}

function tooMuch(amount: number, left: number, currency: string) {
  const shown = (minor: number) =>
    new Intl.NumberFormat("en-US", { style: "currency", currency }).format(minor / 100);
  return invalid(
    `Refund amount (${shown(amount)}) is greater than unrefunded amount on charge (${shown(left)})`,
    { param: "amount" },
  );
}
