import type Stripe from "stripe";
import type { Checkout, LineItem, Session } from "../ledger";
import { methodsFor } from "../money/methods";
import { expireSession } from "../money/sessions";
import { minimum, priced, tooSmall } from "../money/totals";
import { type World, seconds } from "../world";
import { found, invalid } from "./errors";
import {
  amountOf,
  currencyIn,
  type Form,
  integer,
  items,
  merged,
  onlyKnown,
  part,
  required,
  strings,
  text,
} from "./form";
import { type Call, page } from "./lists";
import { discountIn } from "./promotion-codes";

const accepted = [
  "allow_promotion_codes",
  "automatic_tax",
  "cancel_url",
  "client_reference_id",
  "customer_email",
  "discounts",
  "invoice_creation",
  "line_items",
  "metadata",
  "mode",
  "payment_intent_data",
  "success_url",
  "tax_id_collection",
] satisfies (keyof Stripe.Checkout.SessionCreateParams)[];

/** By default sessions expire after a day. */
const lifetimeSeconds = 24 * 60 * 60;

/** https://docs.stripe.com/api/checkout/sessions/create, mode `payment`. */
export function createCheckoutSession(call: Call): Session {
  const { world, params } = call;
  onlyKnown(params, accepted);
  if (required(params, "mode") !== "payment") throw invalid("The simulator supports only mode `payment`.");
  const line = lineItem(world, items(params, "line_items"));
  if (line.amount_total < minimum) throw tooSmall(line.currency);
  const session = newSession(world, params, line);
  const intent = { metadata: strings(part(params, "payment_intent_data") ?? {}, "metadata") };
  const code = discountIn(call, items(params, "discounts"));
  const checkout: Checkout = { id: session.id, session, lineItems: [line], intent };
  return world.ledger.put("checkouts", priced(world, checkout, code)).session;
}

/** An open session in mode `payment`, from what the modes have in common. */
export function newSession(world: World, params: Form, line: LineItem): Session {
  const id = world.ids.next(world.live ? "cs_live_a1" : "cs_test_a1", 56);
  const email = emailIn(params);
  return {
    id,
    object: "checkout.session",
    allow_promotion_codes: text(params, "allow_promotion_codes") === "true" || null,
    amount_subtotal: line.amount_subtotal,
    amount_total: line.amount_total,
    automatic_tax: { enabled: isEnabled(params, "automatic_tax") },
    cancel_url: text(params, "cancel_url") ?? null,
    client_reference_id: text(params, "client_reference_id") ?? null,
    created: seconds(world),
    currency: line.currency,
    customer_details: email === null ? null : { email, name: null },
    customer_email: email,
    expires_at: seconds(world) + lifetimeSeconds,
    invoice: null,
    invoice_creation: { enabled: isEnabled(params, "invoice_creation") },
    livemode: world.live,
    metadata: strings(params, "metadata"),
    mode: "payment",
    payment_intent: null,
    payment_method_types: methodsFor(line.currency),
    payment_status: "unpaid",
    status: "open",
    success_url: required(params, "success_url"),
    url: `${world.url}/c/pay/${id}`,
  };
}

/** Stripe takes no address with characters beyond ASCII. */
function emailIn(params: Form): string | null {
  const email = text(params, "customer_email") ?? null;
  if (email === null || /^[\x21-\x7e]+@[\x21-\x7e]+$/.test(email)) return email;
  throw invalid(`Invalid email address: ${email}`, { code: "email_invalid", param: "customer_email" });
}

export function getCheckoutSession({ world, id }: Call): Session {
  return found(world.ledger.checkouts.get(id), "checkout.session", id, "session").session;
}

/** https://docs.stripe.com/api/checkout/sessions/update, only the metadata: merges names, and removes empty values. */
export function updateCheckoutSession({ world, id, params }: Call): Session {
  onlyKnown(params, ["metadata"]);
  const held = found(world.ledger.checkouts.get(id), "checkout.session", id, "session");
  const metadata = merged(held.session.metadata ?? {}, params);
  return world.ledger.put("checkouts", { ...held, session: { ...held.session, metadata } }).session;
}

/** https://docs.stripe.com/api/checkout/sessions/expire */
export function expireCheckoutSession({ world, id, params }: Call): Session {
  onlyKnown(params, []);
  const held = found(world.ledger.checkouts.get(id), "checkout.session", id, "session");
  const { status } = held.session;
  if (status !== "open")
    throw invalid(
      `Only Checkout Sessions with a status in ["open"] can be expired. This Checkout Session has a status of \`${status}\`.`,
    );
  return expireSession(world, held);
}

export function listCheckoutSessions(call: Call) {
  const wanted = {
    customer: text(call.params, "customer"),
    intent: text(call.params, "payment_intent"),
    status: text(call.params, "status"),
    subscription: text(call.params, "subscription"),
  };
  return page(call, call.world.ledger.checkouts, {
    noun: "checkout.session",
    show: ({ session }) => session,
    keep: ({ session }) =>
      // a key sees only its own mode's sessions
      session.id.startsWith(call.world.live ? "cs_live_" : "cs_test_") &&
      (wanted.customer === undefined || session.customer === wanted.customer) &&
      (wanted.subscription === undefined || session.subscription === wanted.subscription) &&
      (wanted.intent === undefined || session.payment_intent === wanted.intent) &&
      (wanted.status === undefined || session.status === wanted.status),
  });
}

const isEnabled = (params: Form, name: string) => text(part(params, name) ?? {}, "enabled") === "true";

/** The only line, with `price_data`, because the simulator has no stored prices. */
function lineItem(world: World, [item, ...more]: (string | Form)[]): LineItem {
  if (item === undefined)
    throw invalid("Missing required param: line_items.", { code: "parameter_missing", param: "line_items" });
  const data = typeof item === "string" ? undefined : part(item, "price_data");
  if (typeof item === "string" || data === undefined || more.length > 0)
    throw invalid("The simulator needs one line with `price_data`.", { param: "line_items" });
  const quantity = integer(item, "quantity") ?? 1;
  const currency = currencyIn(data);
  // a stored product, of which only subscriptions have any
  const product = text(data, "product");
  if (product !== undefined)
    found(world.ledger.products.get(product), "product", product, "line_items[0][price_data][product]");
  const total = (amountOf(data, "unit_amount", currency) ?? 0) * quantity;
  return {
    id: world.ids.next("li_1"),
    object: "item",
    amount_discount: 0,
    amount_subtotal: total,
    amount_tax: 0,
    amount_total: total,
    currency,
    description: required(part(data, "product_data") ?? {}, "name"),
    quantity,
  };
}
