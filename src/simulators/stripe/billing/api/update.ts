import { found, invalid, StripeRefusal } from "../../api/errors";
import { boolean, type Form, integer, items, merged, onlyKnown, part, text } from "../../api/form";
import type { Call } from "../../api/lists";
import { type World, seconds } from "../../world";
import { planSwitch, type Proration, switchTo } from "../change";
import { ending, notEnding } from "../ending";
import type { Price, Subscription } from "../rows";
import { changeSubscription, isOver, withItem } from "../subscription";
import { worldForCustomer } from "../time";
import { priceOf } from "./prices";

const accepted = [
  "cancel_at",
  "cancel_at_period_end",
  "default_payment_method",
  "description",
  "items",
  "metadata",
  "pause_collection",
  "proration_behavior",
  "trial_end",
];

/** https://docs.stripe.com/api/subscriptions/update */
export function updateSubscription(call: Call): Subscription {
  const { params, id } = call;
  onlyKnown(params, accepted);
  const held = found(call.world.ledger.subscriptions.get(id), "subscription", id);
  const world = worldForCustomer(call.world, held.customer);
  if (isOver(held)) return updateEnded(world, held, params);
  const price = priceIn(world, held, params);
  const change = changesIn(world, held, params);
  const moved = price
    ? switchTo(world, held, { planned: planSwitch(world, held, price, prorationIn(params)) })
    : held;
  const changed = changeSubscription(world, moved, change);
  const trial = text(params, "trial_end");
  return trial === undefined ? changed : moveTrial(world, changed, trial);
}

const onlyWhenEnded = ["metadata", "expand"];

function updateEnded(world: World, held: Subscription, params: Form): Subscription {
  if (Object.keys(params).some((name) => !onlyWhenEnded.includes(name)))
    throw invalid("A canceled subscription can only update its cancellation_details and metadata.", {
      code: "invalid_canceled_subscription_fields",
    });
  return changeSubscription(world, held, { metadata: merged(held.metadata, params) });
}

function changesIn(world: World, held: Subscription, params: Form): Partial<Subscription> {
  const method = text(params, "default_payment_method");
  if (method !== undefined)
    found(world.ledger.methods.get(method), "PaymentMethod", method, "default_payment_method");
  return {
    ...cancellationIn(world, held, params),
    ...(method !== undefined && { default_payment_method: method }),
    ...("description" in params && { description: text(params, "description") ?? null }),
    ...("metadata" in params && { metadata: merged(held.metadata, params) }),
    ...("pause_collection" in params && { pause_collection: pauseIn(part(params, "pause_collection")) }),
  };
}

/** When the subscription is to end. Asked for now, it keeps the moment of asking as `canceled_at`. */
function cancellationIn(world: World, held: Subscription, params: Form): Partial<Subscription> {
  const atEnd = boolean(params, "cancel_at_period_end");
  if (atEnd === undefined && !("cancel_at" in params)) return {};
  if (held.schedule)
    throw invalid(
      `The subscription is managed by the subscription schedule \`${held.schedule}\`, and updating any cancelation behavior directly is not allowed. Please update the schedule instead.`,
    );
  if (atEnd !== undefined && text(params, "cancel_at") !== undefined)
    throw invalid("You may only specify one of these parameters: cancel_at, cancel_at_period_end.");
  const cancel_at = atEnd === undefined ? cancelAtIn(world, params) : null;
  const end = held.items.data[0].current_period_end;
  const moment = atEnd ? end : cancel_at;
  if (moment === null) return notEnding(held);
  return ending(world, held, { cancel_at: moment, cancel_at_period_end: atEnd ?? false });
}

function cancelAtIn(world: World, params: Form): number | null {
  const moment = integer(params, "cancel_at");
  if (moment !== undefined && moment <= seconds(world))
    throw invalid("The timestamp for cancel_at must be in the future.", { param: "cancel_at" });
  return moment ?? null;
}

function pauseIn(params: Form | undefined): Subscription["pause_collection"] {
  if (params === undefined) return null;
  const behavior = text(params, "behavior");
  if (behavior !== "keep_as_draft" && behavior !== "mark_uncollectible" && behavior !== "void")
    throw invalid("Invalid pause_collection[behavior].", { param: "pause_collection[behavior]" });
  return { behavior, resumes_at: null };
}

function priceIn(world: World, held: Subscription, params: Form): Price | null {
  const [item, ...more] = items(params, "items");
  if (item === undefined) return null;
  const [own] = held.items.data;
  if (typeof item === "string" || more.length > 0 || text(item, "id") !== own.id)
    throw invalid("The simulator changes only a subscription's own item, named by its id.", {
      param: "items",
    });
  const price = priceOf(world, text(item, "price") ?? own.price.id, "items[0][price]");
  if (price.recurring === null || price.currency !== held.currency)
    throw invalid(`The price \`${price.id}\` doesn't fit the subscription.`, { param: "items[0][price]" });
  if (!price.active)
    throw invalid(`The price specified is inactive. This field only accepts active prices.`, {
      param: "items[0][price]",
    });
  return price.id === own.price.id ? null : price;
}

const prorations: Proration[] = ["none", "create_prorations", "always_invoice"];
function prorationIn(params: Form): Proration {
  const given = text(params, "proration_behavior") ?? "create_prorations";
  const how = prorations.find((one) => one === given);
  if (how !== undefined) return how;
  throw invalid(`Invalid proration_behavior: must be one of ${prorations.join(", ")}`, {
    param: "proration_behavior",
  });
}

/** Moves the end of a trial to a Unix time. */
export function moveTrial(world: World, held: Subscription, given: string): Subscription {
  const trial_end = Number(given);
  if (!Number.isInteger(trial_end) || trial_end <= seconds(world))
    throw new StripeRefusal(400, {
      type: "invalid_request_error",
      message: "Invalid timestamp: must be an integer Unix timestamp in the future.",
      param: "trial_end",
    });
  return changeSubscription(world, held, {
    billing_cycle_anchor: trial_end,
    items: withItem(held, { current_period_end: trial_end }),
    status: "trialing",
    trial_end,
    trial_start: held.trial_start ?? seconds(world),
  });
}
