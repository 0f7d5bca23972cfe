import type Stripe from "stripe";
import { emit } from "../events";
import type { Checkout } from "../ledger";
import { type World, idOf, seconds } from "../world";
import { blankCharge, blankIntent } from "./blanks";
import { type Decline, declines } from "./declines";
import type { Method } from "./methods";
import { invoiceFor } from "./invoices";
import { countUse } from "./totals";
import { cancelIntent, customerDetails, updateSession } from "./sessions";

export type Payer = { email: string; name: string | null; method: Method };
type Begun = { intent: Stripe.PaymentIntent; charge: Stripe.Charge };

/** Pays an open session, unless nothing is left to pay. With a delayed method it is complete but unpaid. */
export function pay(world: World, checkout: Checkout, payer: Payer): Stripe.Checkout.Session {
  if (checkout.session.amount_total === 0) {
    // a payment that was begun before the code was entered
    cancelIntent(world, checkout);
    return close(world, checkout, payer, { payment_intent: null, payment_status: "no_payment_required" });
  }
  const begun = begin(world, checkout, payer);
  if (payer.method.delayed) process(world, begun);
  else succeed(world, begun);
  const payment_status = payer.method.delayed ? "unpaid" : "paid";
  return close(world, checkout, payer, { payment_intent: begun.intent.id, payment_status });
}

/** The bank says no; the session stays open for another try. */
export function decline(world: World, checkout: Checkout, payer: Payer, reason: Decline) {
  const begun = begin(world, checkout, payer);
  fail(world, begun, reason);
  updateSession(world, checkout, { payment_intent: begun.intent.id });
}

/** Ends a delayed payment. The session must be complete and unpaid. */
export function settleDelayed(world: World, checkout: Checkout, outcome: "succeed" | "fail") {
  const begun = processing(world, checkout);
  if (begun === null) return false;
  if (outcome === "succeed") {
    succeed(world, begun);
    const session = updateSession(world, checkout, {
      payment_status: "paid",
      ...invoiced(world, checkout.session),
    });
    emit(world, "checkout.session.async_payment_succeeded", session);
  } else {
    fail(world, begun, declines.debit_not_authorized);
    emit(world, "checkout.session.async_payment_failed", checkout.session);
  }
  return true;
}

/** The payment of a session that waits for the bank, or null. */
function processing(world: World, checkout: Checkout): Begun | null {
  const intent = world.ledger.intents.get(idOf(checkout.session.payment_intent) ?? "");
  const charge = world.ledger.charges.get(idOf(intent?.latest_charge) ?? "");
  return intent?.status === "processing" && charge ? { intent, charge } : null;
}

function begin(world: World, checkout: Checkout, { email, name, method }: Payer): Begun {
  const intent = intentOf(world, checkout, email);
  const { amount, currency, description, metadata, receipt_email } = intent;
  const charge: Stripe.Charge = {
    ...blankCharge,
    id: world.ids.next(method.type === "card" ? "ch_3" : "py_3"),
    amount,
    billing_details: { address: null, email, name, phone: null, tax_id: null },
    created: seconds(world),
    currency,
    description,
    metadata,
    payment_intent: intent.id,
    payment_method: world.ids.next("pm_1"),
    payment_method_details: method.details,
    receipt_email,
  };
  return { intent, charge };
}

function intentOf(world: World, { session, intent }: Checkout, email: string): Stripe.PaymentIntent {
  const begun = world.ledger.intents.get(idOf(session.payment_intent) ?? "");
  // a code may have been entered since it was begun
  if (begun) return { ...begun, amount: session.amount_total ?? 0 };
  const id = world.ids.next("pi_3");
  const made: Stripe.PaymentIntent = {
    ...blankIntent,
    id,
    amount: session.amount_total ?? 0,
    client_secret: `${id}_secret_simulated`,
    created: seconds(world),
    currency: session.currency ?? "usd",
    metadata: intent.metadata,
    payment_method_types: session.payment_method_types,
    receipt_email: email,
  };
  emit(world, "payment_intent.created", made);
  return made;
}

function succeed(world: World, { intent, charge }: Begun) {
  const paid: Stripe.Charge = {
    ...charge,
    amount_captured: charge.amount,
    captured: true,
    paid: true,
    status: "succeeded",
    outcome: outcome("authorized", "Payment complete.", null),
  };
  const done: Stripe.PaymentIntent = {
    ...intent,
    amount_received: intent.amount,
    last_payment_error: null,
    latest_charge: paid.id,
    payment_method: paid.payment_method,
    status: "succeeded",
  };
  world.ledger.put("charges", paid);
  world.ledger.put("intents", done);
  emit(world, "charge.succeeded", paid);
  emit(world, "payment_intent.succeeded", done);
}

function process(world: World, { intent, charge }: Begun) {
  const waiting: Stripe.PaymentIntent = {
    ...intent,
    last_payment_error: null,
    latest_charge: charge.id,
    payment_method: charge.payment_method,
    status: "processing",
  };
  world.ledger.put("charges", charge);
  world.ledger.put("intents", waiting);
  emit(world, "payment_intent.processing", waiting);
  emit(world, "charge.pending", charge);
}

function fail(world: World, { intent, charge }: Begun, reason: Decline) {
  const failed: Stripe.Charge = {
    ...charge,
    paid: false,
    status: "failed",
    failure_code: reason.code,
    failure_message: reason.message,
    outcome: outcome("issuer_declined", "The bank returned a decline.", reason.decline_code),
  };
  const again: Stripe.PaymentIntent = {
    ...intent,
    last_payment_error: { type: "card_error", charge: failed.id, ...reason },
    latest_charge: failed.id,
    payment_method: null,
    status: "requires_payment_method",
  };
  world.ledger.put("charges", failed);
  world.ledger.put("intents", again);
  emit(world, "charge.failed", failed);
  emit(world, "payment_intent.payment_failed", again);
}

function close(world: World, checkout: Checkout, payer: Payer, end: Partial<Stripe.Checkout.Session>) {
  const customer_details = customerDetails(payer.email, payer.name);
  const ended = updateSession(world, checkout, { ...end, customer_details, status: "complete", url: null });
  const isPaid = ended.payment_status !== "unpaid";
  const session = isPaid
    ? updateSession(world, { ...checkout, session: ended }, invoiced(world, ended))
    : ended;
  countUse(world, session);
  emit(world, "checkout.session.completed", session);
  return session;
}

const invoiced = (world: World, session: Stripe.Checkout.Session): Partial<Stripe.Checkout.Session> =>
  session.invoice_creation?.enabled ? { invoice: invoiceFor(world, session).id } : {};

function outcome(type: string, message: string, reason: string | null): Stripe.Charge.Outcome {
  const approved = type === "authorized";
  return {
    advice_code: null,
    network_advice_code: null,
    network_decline_code: null,
    network_status: approved ? "approved_by_network" : "declined_by_network",
    reason,
    risk_level: "normal",
    risk_score: 20,
    seller_message: message,
    type,
  };
}
