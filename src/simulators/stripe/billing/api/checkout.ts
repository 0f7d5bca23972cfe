import type Stripe from "stripe";
import { invalid } from "../../api/errors";
import { boolean, type Form, integer, items, onlyKnown, part, required, strings, text } from "../../api/form";
import type { Call } from "../../api/lists";
import { discountIn } from "../../api/promotion-codes";
import { createCheckoutSession, newSession } from "../../api/sessions";
import type { Checkout, LineItem, Plan, Session } from "../../ledger";
import { minimum, priced, tooSmall } from "../../money/totals";
import type { World } from "../../world";
import { trialEndOf } from "../begin";
import type { Price } from "../rows";
import { priceOf } from "./prices";
import { productOf } from "./products";

const accepted = [
  "allow_promotion_codes",
  "automatic_tax",
  "cancel_url",
  "client_reference_id",
  "customer_email",
  "discounts",
  "line_items",
  "metadata",
  "mode",
  "payment_method_collection",
  "subscription_data",
  "success_url",
  "tax_id_collection",
] satisfies (keyof Stripe.Checkout.SessionCreateParams)[];

/** What belongs to other modes, and how Stripe refuses it in mode `subscription`. */
const ofOtherModes = new Map([
  ["customer_creation", "`customer_creation` can only be used in `payment` and `setup` mode."],
  ["invoice_creation", "You can only enable invoice creation when `mode` is set to `payment`."],
  ["payment_intent_data", "You can not pass `payment_intent_data` in `subscription` mode."],
]);

/** https://docs.stripe.com/api/checkout/sessions/create, modes `payment` and `subscription`. */
export function createSession(call: Call): Session {
  return required(call.params, "mode") === "subscription"
    ? createSubscriptionSession(call)
    : createCheckoutSession(call);
}

function createSubscriptionSession(call: Call): Session {
  const { world, params } = call;
  for (const [name, message] of ofOtherModes) if (name in params) throw invalid(message, { param: name });
  onlyKnown(params, accepted);
  const plan = planIn(params);
  const { price, item } = priceOfLine(world, items(params, "line_items"));
  const line = lineItem(world, price, item, trialEndOf(world, plan) !== null);
  if (line.amount_total > 0 && line.amount_total < minimum) throw tooSmall(line.currency);
  const session: Session = {
    ...newSession(world, params, line),
    customer: null,
    invoice_creation: null,
    mode: "subscription",
    subscription: null,
  };
  const code = discountIn(call, items(params, "discounts"));
  const checkout: Checkout = {
    id: session.id,
    session,
    lineItems: [line],
    intent: { metadata: {} },
    plan: { ...plan, price: price.id },
  };
  return world.ledger.put("checkouts", priced(world, checkout, code)).session;
}

function planIn(params: Form): Omit<Plan, "price"> {
  const data = part(params, "subscription_data") ?? {};
  onlyKnown(data, ["metadata", "trial_period_days", "trial_settings"]);
  const trialDays = integer(data, "trial_period_days") ?? null;
  if (trialDays !== null && trialDays < 1)
    throw invalid("The minimum number of trial period days is 1.", {
      param: "subscription_data[trial_period_days]",
    });
  const behavior = part(part(data, "trial_settings") ?? {}, "end_behavior") ?? {};
  if ((text(behavior, "missing_payment_method") ?? "cancel") !== "cancel")
    throw invalid("Invalid missing_payment_method.", { param: "subscription_data[trial_settings]" });
  return {
    metadata: strings(data, "metadata"),
    trialDays,
  };
}

/** The recurring price of the only line. */
function priceOfLine(world: World, [item, ...more]: (string | Form)[]): { price: Price; item: Form } {
  if (item === undefined)
    throw invalid("Missing required param: line_items.", { code: "parameter_missing", param: "line_items" });
  if (typeof item === "string" || more.length > 0)
    throw invalid("The simulator needs one line with `price`.", { param: "line_items" });
  const price = priceOf(world, required(item, "price"), "line_items[0][price]");
  if (!price.active)
    throw invalid("The price specified is inactive. This field only accepts active prices.", {
      param: "line_items[0][price]",
    });
  if (!productOf(world, price.product).active)
    throw invalid(
      `Price \`${price.id}\` is not available to be purchased because its product is not active.`,
      { param: "line_items[0][price]" },
    );
  if (price.recurring === null)
    throw invalid("You must provide at least one recurring price in `subscription` mode when using prices.");
  return { price, item };
}

function lineItem(world: World, price: Price, item: Form, hasTrial: boolean): LineItem {
  const quantity = integer(item, "quantity") ?? 1;
  if (quantity !== 1 || boolean(part(item, "adjustable_quantity") ?? {}, "enabled"))
    throw invalid("The simulator's subscriptions have the quantity 1.", { param: "line_items[0][quantity]" });
  // nothing is due today during a trial
  const amount = hasTrial ? 0 : price.unit_amount;
  return {
    id: world.ids.next("li_1"),
    object: "item",
    amount_discount: 0,
    amount_subtotal: amount,
    amount_tax: 0,
    amount_total: amount,
    currency: price.currency,
    description: productOf(world, price.product).name,
    price,
    quantity,
  };
}
