import { invalid } from "../../api/errors";
import { boolean, type Form, items, onlyKnown, part, required, text, texts } from "../../api/form";
import type { World } from "../../world";
import type { PortalFeatures } from "../rows";
import { priceOf } from "./prices";
import { productOf } from "./products";

/** What a new configuration begins with, in Stripe's defaults. */
export const noFeatures = (): PortalFeatures => ({
  customer_update: { allowed_updates: [], enabled: false },
  invoice_history: { enabled: false },
  payment_method_update: { enabled: false, payment_method_configuration: null },
  subscription_cancel: {
    cancellation_reason: { enabled: false, feedback_options: null, options: [] },
    enabled: false,
    mode: "at_period_end",
    proration_behavior: "none",
  },
  subscription_pause: { duration: { interval_options: [], type: "indefinite" }, enabled: false },
  subscription_update: {
    billing_cycle_anchor: "unchanged",
    default_allowed_updates: [],
    enabled: false,
    products: [],
    proration_behavior: "none",
    schedule_at_period_end: { conditions: [] },
    trial_update_behavior: "end_trial",
  },
});

/** The features after a call; those that it doesn't name stay. */
export function featuresIn(world: World, params: Form, held: PortalFeatures): PortalFeatures {
  onlyKnown(params, Object.keys(held));
  if ((text(part(params, "subscription_cancel") ?? {}, "mode") ?? "at_period_end") !== "at_period_end")
    throw invalid("The simulator's portal cancels at the period's end.", { param: "features" });
  const of = (name: keyof PortalFeatures) => part(params, name) ?? {};
  const on = (name: keyof PortalFeatures) => boolean(of(name), "enabled") ?? held[name].enabled;
  return {
    customer_update: {
      allowed_updates: list(of("customer_update"), "allowed_updates", held.customer_update.allowed_updates),
      enabled: on("customer_update"),
    },
    invoice_history: { enabled: on("invoice_history") },
    payment_method_update: { ...held.payment_method_update, enabled: on("payment_method_update") },
    subscription_cancel: { ...held.subscription_cancel, enabled: on("subscription_cancel") },
    subscription_pause: held.subscription_pause,
    subscription_update: updateIn(world, of("subscription_update"), held.subscription_update),
  };
}

const list = (params: Form, name: string, held: string[]) => (name in params ? texts(params, name) : held);

type Update = PortalFeatures["subscription_update"];

function updateIn(world: World, params: Form, held: Update): Update {
  const schedule = part(params, "schedule_at_period_end") ?? {};
  const after: Update = {
    ...held,
    default_allowed_updates: list(params, "default_allowed_updates", held.default_allowed_updates),
    enabled: boolean(params, "enabled") ?? held.enabled,
    products: "products" in params ? productsIn(world, params) : held.products,
    proration_behavior: text(params, "proration_behavior") ?? held.proration_behavior,
    schedule_at_period_end: {
      conditions:
        "conditions" in schedule
          ? items(schedule, "conditions").map((one) => ({
              type: typeof one === "string" ? one : required(one, "type"),
            }))
          : held.schedule_at_period_end.conditions,
    },
    trial_update_behavior: text(params, "trial_update_behavior") ?? held.trial_update_behavior,
  };
  if (after.enabled && after.trial_update_behavior !== "continue_trial")
    throw invalid("In the simulator's portal trials go on.", { param: "features[subscription_update]" });
  if (after.enabled && (after.products.length === 0 || after.default_allowed_updates.length === 0))
    throw invalid(
      "When `subscription_update` is enabled, it needs `products` and `default_allowed_updates`.",
      {
        param: "features[subscription_update]",
      },
    );
  return after;
}

const most = 10;

function productsIn(world: World, params: Form): Update["products"] {
  const given = items(params, "products");
  const param = "features[subscription_update][products]";
  if (given.length > most) throw invalid(`You may only specify up to ${most} products.`, { param });
  return given.map((one) => {
    if (typeof one === "string") throw invalid("Invalid object", { param });
    const product = productOf(world, required(one, "product"), param).id;
    const prices = texts(one, "prices").map((id) => priceOf(world, id, param));
    const lengths = prices.map(({ recurring }) => `${recurring?.interval} ${recurring?.interval_count}`);
    for (const [at, price] of prices.entries()) {
      if (price.product !== product || price.recurring === null)
        throw invalid(`The price \`${price.id}\` is not a recurring price of the product \`${product}\`.`, {
          param,
        });
      if (lengths.indexOf(lengths[at] ?? "") < at)
        throw invalid(
          `For each product, its price must have unique billing intervals. Product \`${product}\` has duplicate intervals.`,
          { param },
        );
    }
    const adjustable_quantity = { enabled: false, maximum: null, minimum: 1 };
    return { adjustable_quantity, product, prices: prices.map(({ id }) => id) };
  });
}
