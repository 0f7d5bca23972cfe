import { disputes, isInquiry } from "../money/disputes";
import { refund, refundable } from "../money/refunds";
import { money } from "../money/totals";
import type { Charge } from "../ledger";
import type { World } from "../world";
import { found, invalid } from "./errors";
import { amountOf, type Form, onlyKnown, required, strings } from "./form";
import type { Call } from "./lists";

/** https://docs.stripe.com/api/refunds/create. */
export function createRefund({ world, params }: Call) {
  onlyKnown(params, ["payment_intent", "amount", "metadata"]);
  const charge = chargeIn(world, params);
  const asked = amountOf(params, "amount", charge.currency);
  const left = refundable(charge);
  if (disputes(world, charge.id).some((dispute) => !isInquiry(dispute.status) && dispute.status !== "won"))
    throw invalid(`Charge ${charge.id} has been charged back; cannot issue a refund.`, {
      code: "charge_disputed",
    });
  if (left === 0)
    throw invalid(`Charge ${charge.id} has already been refunded.`, { code: "charge_already_refunded" });
  const amount = asked ?? left;
  if (amount > left) {
    const [asked, most] = [money(amount, charge.currency), money(left, charge.currency)];
    const message = `Refund amount (${asked}) is greater than unrefunded amount on charge (${most})`;
    throw invalid(message, { param: "amount" });
  }
  return refund(world, charge, { amount, metadata: strings(params, "metadata") });
}

function chargeIn(world: World, params: Form): Charge {
  const id = required(params, "payment_intent");
  const intent = found(world.ledger.intents.get(id), "payment_intent", id, "payment_intent");
  const latest = world.ledger.charges.get(intent.latest_charge ?? "");
  if (latest?.paid) return latest;
  throw invalid(`This PaymentIntent (${id}) does not have a successful charge to refund.`);
}
