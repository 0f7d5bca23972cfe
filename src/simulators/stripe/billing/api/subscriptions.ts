import { found, StripeRefusal } from "../../api/errors";
import { onlyKnown, text } from "../../api/form";
import { type Call, page } from "../../api/lists";
import { cancelled } from "../collect";
import type { Subscription } from "../rows";
import { isOver } from "../subscription";
import { worldForCustomer } from "../time";

export const getSubscription = ({ world, id }: Call): Subscription =>
  found(world.ledger.subscriptions.get(id), "subscription", id);

/** A subscription that has not ended, and the world at its customer's time. */
function runningSubscription({ world, id }: Call) {
  const subscription = found(world.ledger.subscriptions.get(id), "subscription", id);
  // Stripe doesn't find an ended one to cancel
  found(isOver(subscription) ? undefined : subscription, "subscription", id);
  return { world: worldForCustomer(world, subscription.customer), subscription };
}

/** https://docs.stripe.com/api/subscriptions/list: without a status, those that were not canceled. */
export function listSubscriptions(call: Call) {
  const { params, world } = call;
  const [customer, status] = ["customer", "status"].map((name) => text(params, name));
  return page(call, world.ledger.subscriptions, {
    noun: "subscription",
    show: (one) => one,
    keep: (one) =>
      one.livemode === world.live &&
      (customer === undefined || one.customer === customer) &&
      ofStatus(one, status),
  });
}

function ofStatus({ status }: Subscription, asked: string | undefined): boolean {
  if (asked === "all") return true;
  if (asked === undefined) return status !== "canceled";
  return status === asked;
}

/** https://docs.stripe.com/api/subscriptions/cancel */
export function cancelSubscription(call: Call): Subscription {
  onlyKnown(call.params, []);
  const { world, subscription } = runningSubscription(call);
  return cancelled(world, subscription, "cancellation_requested");
}

/** A bank's refusal, as the API answers it. */
export const cardError = (reason: { code: string; decline_code?: string; message: string }): StripeRefusal =>
  new StripeRefusal(402, { type: "card_error", ...reason });
