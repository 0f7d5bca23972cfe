import type Stripe from "stripe";
import { blankSession, customerDetails, methodsFor, noInvoiceData } from "../money/sessions";
import { minimum, priced, tooSmall } from "../money/totals";
import { type World, idOf, seconds } from "../world";
import { found, invalid } from "./errors";
import { type Form, integer, items, metadata, onlyKnown, part, required, text } from "./form";
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

/** Sessions expire after a day unless told otherwise. */
const lifetimeSeconds = 24 * 60 * 60;

/** https://docs.stripe.com/api/checkout/sessions/create, mode `payment`. */
export function createCheckoutSession(call: Call): Stripe.Checkout.Session {
  const { world, params } = call;
  onlyKnown(params, accepted);
  if (required(params, "mode") !== "payment") throw invalid("The simulator supports only mode `payment`.");
  const line = lineItem(world, items(params, "line_items"));
  if (line.amount_total < minimum) throw tooSmall(line.currency);
  const id = world.ids.next(world.live ? "cs_live_a1" : "cs_test_a1", 56);
  const email = emailIn(params);
  const taxed = isEnabled(params, "automatic_tax");
  const session: Stripe.Checkout.Session = {
    ...blankSession,
    id,
    allow_promotion_codes: text(params, "allow_promotion_codes") === "true" || null,
    amount_subtotal: line.amount_subtotal,
    amount_total: line.amount_total,
    automatic_tax: {
      enabled: taxed,
      liability: taxed ? { type: "self" } : null,
      provider: taxed ? "stripe" : null,
      status: taxed ? "complete" : null,
    },
    cancel_url: "cancel_url" in params ? urlIn(params, "cancel_url") : null,
    client_reference_id: text(params, "client_reference_id") ?? null,
    created: seconds(world),
    currency: line.currency,
    customer_details: email === null ? null : customerDetails(email, null),
    customer_email: email,
    expires_at: seconds(world) + lifetimeSeconds,
    invoice_creation: invoiceIn(params),
    livemode: world.live,
    metadata: metadata(params),
    payment_method_types: methodsFor(line.currency),
    success_url: urlIn(params, "success_url"),
    ...(isEnabled(params, "tax_id_collection") && {
      tax_id_collection: { enabled: true, required: "never" },
    }),
    url: `${world.url}/c/pay/${id}`,
  };
  const intent = { metadata: metadata(part(params, "payment_intent_data") ?? {}) };
  const checkout = priced(
    world,
    { id, session, lineItems: [line], intent },
    discountIn(call, items(params, "discounts")),
  );
  world.ledger.put("checkouts", checkout);
  return checkout.session;
}

export function getCheckoutSession({ world, id }: Call): Stripe.Checkout.Session {
  return found(world.ledger.checkouts.get(id), "checkout.session", id, "session").session;
}

export function listCheckoutSessions(call: Call) {
  const wanted = { intent: text(call.params, "payment_intent"), status: text(call.params, "status") };
  return page(call, call.world.ledger.checkouts, {
    noun: "checkout.session",
    show: ({ session }) => session,
    keep: ({ session }) =>
      // a key sees the sessions of its own mode
      session.id.startsWith(call.world.live ? "cs_live_" : "cs_test_") &&
      (wanted.intent === undefined || idOf(session.payment_intent) === wanted.intent) &&
      (wanted.status === undefined || session.status === wanted.status),
  });
}

const isEnabled = (params: Form, name: string) => text(part(params, name) ?? {}, "enabled") === "true";

function invoiceIn(params: Form): Stripe.Checkout.Session.InvoiceCreation | null {
  if (!isEnabled(params, "invoice_creation")) return null;
  const data = part(part(params, "invoice_creation") ?? {}, "invoice_data") ?? {};
  return { enabled: true, invoice_data: { ...noInvoiceData, metadata: metadata(data) } };
}

function urlIn(params: Form, name: string): string {
  const value = required(params, name);
  if (URL.canParse(value) && /^https?:/.test(value)) return value;
  throw invalid("Not a valid URL", { code: "url_invalid", param: name });
}

function emailIn(params: Form): string | null {
  const value = text(params, "customer_email");
  if (value === undefined || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value)) return value ?? null;
  throw invalid(`Invalid email address: ${value}`, { code: "email_invalid", param: "customer_email" });
}

/** The one line, with `price_data`: the simulator has no stored prices. */
function lineItem(world: World, [item, ...more]: (string | Form)[]): Stripe.LineItem {
  if (item === undefined)
    throw invalid("Missing required param: line_items.", { code: "parameter_missing", param: "line_items" });
  const data = typeof item === "string" ? undefined : part(item, "price_data");
  if (typeof item === "string" || data === undefined || more.length > 0)
    throw invalid("The simulator needs one line with `price_data`.", { param: "line_items" });
  const price = priceOf(world, data);
  const quantity = integer(item, "quantity") ?? 1;
  const total = (price.unit_amount ?? 0) * quantity;
  return {
    id: world.ids.next("li_1"),
    object: "item",
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: total,
    amount_tax: 0,
    amount_total: total,
    currency: price.currency,
    description: required(part(data, "product_data") ?? {}, "name"),
    metadata: {},
    price,
    quantity,
  };
}

function priceOf(world: World, data: Form): Stripe.Price {
  const amount = integer(data, "unit_amount");
  if (amount === undefined || amount < 0)
    throw invalid("You must specify a non-negative `unit_amount` in `price_data`.", { param: "unit_amount" });
  const currency = required(data, "currency").toLowerCase();
  if (!/^[a-z]{3}$/.test(currency)) throw invalid(`Invalid currency: ${currency}.`, { param: "currency" });
  return {
    id: world.ids.next("price_1"),
    object: "price",
    active: false,
    billing_scheme: "per_unit",
    created: seconds(world),
    currency,
    custom_unit_amount: null,
    livemode: world.live,
    lookup_key: null,
    metadata: {},
    nickname: null,
    product: world.ids.next("prod_", 14),
    recurring: null,
    tax_behavior: "unspecified",
    tiers_mode: null,
    transform_quantity: null,
    type: "one_time",
    unit_amount: amount,
    unit_amount_decimal: null,
  };
}
