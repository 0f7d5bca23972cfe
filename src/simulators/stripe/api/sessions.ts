import type Stripe from "stripe";
import { createSession, type Order } from "../money/sessions";
import { minimum, tooSmall } from "../money/totals";
import { idOf, seconds } from "../world";
import { found, invalid } from "./errors";
import { type Form, integer, items, metadata, onlyKnown, part, required, text, texts } from "./form";
import { lineItem } from "./line-items";
import { type Call, page } from "./lists";
import { discountIn } from "./promotion-codes";
import { sessionParams } from "./session-params";

const minute = 60;

/** https://docs.stripe.com/api/checkout/sessions/create, mode `payment`. */
export function createCheckoutSession(call: Call): Stripe.Checkout.Session {
  const { world, params } = call;
  onlyKnown(params, sessionParams);
  if (required(params, "mode") !== "payment") throw invalid("The simulator supports only mode `payment`.");
  const lineItems = items(params, "line_items").map((item, index) => lineItem(world, item, index));
  const currency = oneCurrency(lineItems);
  const total = lineItems.reduce((sum, item) => sum + item.amount_total, 0);
  if (total < minimum) throw tooSmall(currency);
  return createSession(world, {
    lineItems,
    currency,
    successUrl: url(required(params, "success_url"), "success_url"),
    cancelUrl: optionalUrl(text(params, "cancel_url"), "cancel_url"),
    metadata: metadata(params),
    clientReference: text(params, "client_reference_id") ?? null,
    email: email(text(params, "customer_email")),
    methodTypes: methodTypes(params),
    expiresAt: expiry(params, seconds(world)),
    intent: intentData(params),
    code: discountIn(call, items(params, "discounts")),
    codesAllowed: text(params, "allow_promotion_codes") === "true",
    automaticTax: isEnabled(params, "automatic_tax"),
    taxIds: isEnabled(params, "tax_id_collection"),
    invoice: invoiceData(params),
  });
}

export function getCheckoutSession({ world, id }: Call): Stripe.Checkout.Session {
  return found(world.ledger.checkouts.get(id), "checkout.session", id, "session").session;
}

export function listCheckoutSessions(call: Call) {
  const wanted = { intent: text(call.params, "payment_intent"), status: text(call.params, "status") };
  return page(call, call.world.ledger.checkouts, {
    url: "/v1/checkout/sessions",
    noun: "checkout.session",
    show: ({ session }) => session,
    keep: (session) =>
      // a key sees the sessions of its own mode
      session.id.startsWith(call.world.live ? "cs_live_" : "cs_test_") &&
      (wanted.intent === undefined || idOf(session.payment_intent) === wanted.intent) &&
      (wanted.status === undefined || session.status === wanted.status),
  });
}

export function listLineItems({ world, id }: Call) {
  const { lineItems } = found(world.ledger.checkouts.get(id), "checkout.session", id, "session");
  return { object: "list", data: lineItems, has_more: false, url: `/v1/checkout/sessions/${id}/line_items` };
}

const isEnabled = (params: Form, name: string) => text(part(params, name) ?? {}, "enabled") === "true";

function invoiceData(params: Form): Order["invoice"] {
  const creation = part(params, "invoice_creation");
  if (!creation || !isEnabled(params, "invoice_creation")) return null;
  return { metadata: metadata(part(creation, "invoice_data") ?? {}) };
}

function oneCurrency(lineItems: Stripe.LineItem[]): string {
  const [currency, other] = new Set(lineItems.map((item) => item.currency));
  if (currency === undefined)
    throw invalid("Missing required param: line_items.", { code: "parameter_missing", param: "line_items" });
  if (other === undefined) return currency;
  throw invalid("All line items must use the same currency.", { param: "line_items" });
}

function url(value: string, param: string): string {
  if (URL.canParse(value) && /^https?:/.test(value)) return value;
  throw invalid("Not a valid URL", { code: "url_invalid", param });
}

function optionalUrl(value: string | undefined, param: string): string | null {
  return value === undefined ? null : url(value, param);
}

function email(value: string | undefined): string | null {
  if (value === undefined || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value)) return value ?? null;
  throw invalid(`Invalid email address: ${value}`, { code: "email_invalid", param: "customer_email" });
}

function methodTypes(params: Form): string[] | null {
  const types = texts(params, "payment_method_types");
  return types.length > 0 ? types : null;
}

function expiry(params: Form, now: number): number {
  const given = integer(params, "expires_at") ?? now + 24 * 60 * minute;
  // a minute's grace either way, as the caller's clock may differ
  if (given < now + 29 * minute) throw badExpiry("at least 30 minutes");
  if (given > now + (24 * 60 + 1) * minute) throw badExpiry("less than 24 hours");
  return given;
}

function badExpiry(rule: string) {
  return invalid(`The \`expires_at\` timestamp must be ${rule} from Checkout Session creation.`, {
    param: "expires_at",
  });
}

function intentData(params: Form): Order["intent"] {
  const data = part(params, "payment_intent_data") ?? {};
  return {
    metadata: metadata(data),
    description: text(data, "description") ?? null,
    descriptor: text(data, "statement_descriptor") ?? null,
  };
}
