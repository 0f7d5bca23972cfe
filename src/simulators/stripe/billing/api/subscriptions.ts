import { found, invalid, StripeRefusal } from "../../api/errors";
import { boolean, onlyKnown, text } from "../../api/form";
import { type Call, createdFilter, page } from "../../api/lists";
import { cancelNow, resume } from "../change";
import type { Subscription } from "../rows";
import { isOver } from "../subscription";
import { worldOf } from "../time";

export const getSubscription = ({ world, id }: Call): Subscription =>
  found(world.ledger.subscriptions.get(id), "subscription", id);

/** A subscription that has not ended, and the world at its customer's time. */
function running({ world, id }: Call) {
  const subscription = found(world.ledger.subscriptions.get(id), "subscription", id);
  // Stripe doesn't find an ended one to cancel
  found(isOver(subscription) ? undefined : subscription, "subscription", id);
  return { world: worldOf(world, subscription.customer), subscription };
}

/** https://docs.stripe.com/api/subscriptions/list: without a status, those that were not canceled. */
export function listSubscriptions(call: Call) {
  const { params, world } = call;
  const [customer, status, price] = ["customer", "status", "price"].map((name) => text(params, name));
  const [starts, ends] = ["current_period_start", "current_period_end"].map((name) =>
    createdFilter(params, name),
  );
  return page(call, world.ledger.subscriptions, {
    noun: "subscription",
    show: (one) => one,
    keep: (one) =>
      one.livemode === world.live &&
      (customer === undefined || one.customer === customer) &&
      (price === undefined || one.items.data[0].price.id === price) &&
      ofStatus(one, status) &&
      (starts?.(one.items.data[0].current_period_start) ?? true) &&
      (ends?.(one.items.data[0].current_period_end) ?? true),
  });
}

function ofStatus({ status }: Subscription, asked: string | undefined): boolean {
  if (asked === "all") return true;
  if (asked === undefined) return status !== "canceled";
  if (asked === "ended") return status === "canceled" || status === "incomplete_expired";
  return status === asked;
}

/** https://docs.stripe.com/api/subscriptions/cancel */
export function cancelSubscription(call: Call): Subscription {
  const { params } = call;
  onlyKnown(params, ["cancellation_details", "invoice_now", "prorate"]);
  const { world, subscription } = running(call);
  return cancelNow(world, subscription, {
    prorate: boolean(params, "prorate") ?? false,
    invoiceNow: boolean(params, "invoice_now") ?? false,
  });
}

/** https://docs.stripe.com/api/subscriptions/resume, of a subscription whose status is `paused`. */
export function resumeSubscription(call: Call): Subscription {
  onlyKnown(call.params, ["billing_cycle_anchor", "proration_behavior"]);
  const { world, subscription } = running(call);
  if (subscription.status !== "paused")
    throw invalid(`Only paused subscriptions can be resumed. This one is ${subscription.status}.`);
  return resume(world, subscription);
}

/** A bank's refusal, as the API answers it. */
export const cardError = (reason: { code: string; decline_code?: string; message: string }): StripeRefusal =>
  new StripeRefusal(402, { type: "card_error", ...reason });
