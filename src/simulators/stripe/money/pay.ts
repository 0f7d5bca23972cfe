import { emit } from "../events";
import type { Charge, Checkout, Intent, Session } from "../ledger";
import { type World, seconds } from "../world";
import { arrived, submitted } from "./arrive";
import { takeBack } from "./balance";
import { invoiceFor } from "./invoices";
import { awaitedMethod, type Decline, type Method, declines } from "./methods";
import { countUse } from "./totals";
import { cancelIntent, updateSession } from "./sessions";

type TaxId = { type: string; value: string };
/** `country`: of the billing address. */
export type Payer = {
  email: string;
  name: string | null;
  method: Method;
  country?: string | undefined;
  taxId?: TaxId | undefined;
};

/** What a completed session says of its buyer. */
export const detailsOf = ({
  email,
  name,
  country,
  taxId,
}: Payer): NonNullable<Session["customer_details"]> => ({
  address: country === undefined ? null : { country },
  email,
  name,
  tax_ids: taxId ? [{ type: taxId.type as "eu_vat", value: taxId.value }] : [],
});
type Begun = { intent: Intent; charge: Charge };

/** Pays an open session, unless nothing is left to pay. A delayed method completes it unpaid. */
export function pay(world: World, checkout: Checkout, payer: Payer): Session {
  if (checkout.session.amount_total === 0) {
    // the payment may have begun before the buyer entered the code
    cancelIntent(world, checkout);
    return close(world, checkout, payer, { payment_intent: null, payment_status: "no_payment_required" });
  }
  const begun = begin(world, checkout, payer);
  const delayed = payer.method.type !== "card";
  const { action } = payer.method;
  if (action) wait(world, begun.intent, action);
  else if (delayed) process(world, begun);
  else succeed(world, begun);
  const payment_status = delayed ? "unpaid" : "paid";
  return close(world, checkout, payer, { payment_intent: begun.intent.id, payment_status });
}

/** The bank declines; the session stays open for another try. */
export function decline(world: World, checkout: Checkout, payer: Payer, reason: Decline): Session {
  const begun = begin(world, checkout, payer);
  fail(world, begun, reason);
  // a subscription's session has no payment intent
  if (checkout.session.mode === "subscription") return checkout.session;
  return updateSession(world, checkout, { payment_intent: begun.intent.id });
}

/** Ends a delayed payment. The session must be complete and unpaid. */
export function settleDelayed(world: World, checkout: Checkout, outcome: "succeed" | "fail") {
  const begun = processing(world, checkout);
  if (begun === null) return false;
  if (outcome === "succeed") {
    succeed(world, begun);
    const session = updateSession(world, checkout, {
      payment_status: "paid",
      ...invoiceFields(world, checkout.session),
    });
    emit(world, "checkout.session.async_payment_succeeded", session);
  } else {
    if (begun.intent.status === "requires_action") lapse(world, begun.intent);
    else fail(world, begun, declines.debit_not_authorized);
    emit(world, "checkout.session.async_payment_failed", checkout.session);
  }
  return true;
}

/** A session's payment that waits for the bank or the buyer, or null. */
function processing(world: World, checkout: Checkout): Begun | null {
  const intent = world.ledger.intents.get(checkout.session.payment_intent ?? "");
  const method = intent && awaitedMethod(intent);
  const { email, name } = checkout.session.customer_details ?? {};
  if (intent && method) return begin(world, checkout, { email: email ?? "", name: name ?? null, method });
  const charge = world.ledger.charges.get(intent?.latest_charge ?? "");
  return intent?.status === "processing" && charge ? { intent, charge } : null;
}

function begin(world: World, { session, intent }: Checkout, { email, name, method, country }: Payer): Begun {
  const amount = session.amount_total ?? 0;
  const begun = world.ledger.intents.get(session.payment_intent ?? "");
  // the buyer may have entered a code after the payment began
  const paying = begun ? { ...begun, amount } : newIntent(world, session, { amount, ...intent });
  const charge: Charge = {
    id: world.ids.next(method.type === "card" ? "ch_3" : "py_3"),
    object: "charge",
    amount,
    amount_captured: 0,
    amount_refunded: 0,
    billing_details: { address: { country: country ?? null }, email, name },
    created: seconds(world),
    currency: session.currency ?? "usd",
    disputed: false,
    livemode: world.live,
    metadata: paying.metadata,
    paid: false,
    payment_intent: paying.id,
    payment_method_details: method.details,
    refunded: false,
    status: "pending",
  };
  return { intent: paying, charge };
}

function newIntent(world: World, session: Session, given: Pick<Intent, "amount" | "metadata">): Intent {
  const intent: Intent = {
    ...given,
    id: world.ids.next("pi_3"),
    object: "payment_intent",
    amount_received: 0,
    created: seconds(world),
    currency: session.currency ?? "usd",
    last_payment_error: null,
    latest_charge: null,
    livemode: world.live,
    status: "requires_payment_method",
  };
  emit(world, "payment_intent.created", intent);
  return intent;
}

function succeed(world: World, { intent, charge }: Begun) {
  const paid = world.ledger.put("charges", arrived(world, charge));
  const done = world.ledger.put("intents", {
    ...intent,
    amount_received: intent.amount,
    last_payment_error: null,
    latest_charge: paid.id,
    next_action: null,
    status: "succeeded",
  });
  emit(world, "charge.succeeded", paid);
  emit(world, "payment_intent.succeeded", done);
}

function process(world: World, { intent, charge: made }: Begun) {
  const charge = world.ledger.put("charges", submitted(world, made));
  const waiting = world.ledger.put("intents", {
    ...intent,
    last_payment_error: null,
    latest_charge: charge.id,
    status: "processing",
  });
  emit(world, "payment_intent.processing", waiting);
  emit(world, "charge.pending", charge);
}

/** The buyer has a voucher, an account number or small deposits to look for; there is no charge yet. */
function wait(world: World, intent: Intent, action: NonNullable<Method["action"]>) {
  const waiting = world.ledger.put("intents", {
    ...intent,
    last_payment_error: null,
    next_action: action,
    status: "requires_action",
  });
  emit(world, "payment_intent.requires_action", waiting);
}

/** Nobody paid in time. */
function lapse(world: World, intent: Intent) {
  const again = world.ledger.put("intents", {
    ...intent,
    last_payment_error: { type: "invalid_request_error", ...declines.attempt_expired },
    next_action: null,
    status: "requires_payment_method",
  });
  emit(world, "payment_intent.payment_failed", again);
}

function fail(world: World, { intent, charge }: Begun, reason: Decline) {
  takeBack(world, charge);
  const failed = world.ledger.put("charges", {
    ...charge,
    status: "failed",
    failure_code: reason.code,
    failure_message: reason.message,
  });
  const again = world.ledger.put("intents", {
    ...intent,
    last_payment_error: { type: "card_error", charge: failed.id, ...reason },
    latest_charge: failed.id,
    status: "requires_payment_method",
  });
  emit(world, "charge.failed", failed);
  emit(world, "payment_intent.payment_failed", again);
}

function close(world: World, checkout: Checkout, payer: Payer, end: Partial<Session>): Session {
  const customer_details = detailsOf(payer);
  const ended = updateSession(world, checkout, { ...end, customer_details, status: "complete", url: null });
  const isPaid = ended.payment_status !== "unpaid";
  const session = isPaid
    ? updateSession(world, { ...checkout, session: ended }, invoiceFields(world, ended))
    : ended;
  countUse(world, session);
  emit(world, "checkout.session.completed", session);
  return session;
}

const invoiceFields = (world: World, session: Session): Partial<Session> =>
  session.invoice_creation?.enabled ? { invoice: invoiceFor(world, session).id } : {};
