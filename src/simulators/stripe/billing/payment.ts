import { emit } from "../events";
import type { Charge, Intent } from "../ledger";
import { arrived } from "../money/arrive";
import { awaitedMethod, type Decline, declines, type LaterWay, laterMethod } from "../money/methods";
import { type World, seconds } from "../world";
import { customerOf } from "./customers";
import { bankSays, chargeDetails } from "./methods";
import type { Bill, BillPayment, SavedMethod } from "./rows";

/** What came of an attempt to charge an invoice. */
export type Outcome =
  | { is: "paid" | "processing"; intent: Intent }
  | { is: "asks"; intent: Intent }
  | { is: "declined"; intent: Intent; reason: Decline };

/** The payment of an invoice, which Stripe makes when it finalises it. */
export function openPayment(world: World, bill: Bill): BillPayment {
  const intent = newIntent(world, bill, bill.amount_remaining);
  return putPayment(world, bill, {
    amount: intent.amount,
    isDefault: true,
    payment: { payment_intent: intent.id, type: "payment_intent" },
  });
}

function newIntent(world: World, bill: Bill, amount: number): Intent {
  const intent = world.ledger.put("intents", {
    id: world.ids.next("pi_3"),
    object: "payment_intent",
    amount,
    amount_received: 0,
    created: seconds(world),
    currency: bill.currency,
    customer: bill.customer,
    description:
      bill.billing_reason === "subscription_create" ? "Subscription creation" : "Subscription update",
    last_payment_error: null,
    latest_charge: null,
    livemode: world.live,
    metadata: {},
    payment_method: null,
    setup_future_usage: "off_session",
    status: "requires_payment_method",
  });
  emit(world, "payment_intent.created", intent);
  return intent;
}

type Paying = { amount: number; isDefault: boolean; payment: BillPayment["payment"] };

const putPayment = (world: World, bill: Bill, { amount, isDefault, payment }: Paying): BillPayment =>
  world.ledger.put("invoicePayments", {
    id: world.ids.next("inpay_1"),
    object: "invoice_payment",
    amount_paid: null,
    amount_requested: amount,
    created: seconds(world),
    currency: bill.currency,
    invoice: bill.id,
    is_default: isDefault,
    livemode: world.live,
    payment,
    status: "open",
    status_transitions: { canceled_at: null, paid_at: null },
  });

/** A payment of an invoice has arrived. */
export function completePayment(world: World, payment: BillPayment, amount: number) {
  const complete = world.ledger.put("invoicePayments", {
    ...payment,
    amount_paid: amount,
    status: "paid",
    status_transitions: { canceled_at: null, paid_at: seconds(world) },
  });
  emit(world, "invoice_payment.paid", complete);
}

/** Pays a part of an open invoice, by a payment intent of its own or, without a method, elsewhere. */
export function payPart(world: World, bill: Bill, amount: number, method: SavedMethod | null) {
  if (method === null) {
    const payment = { payment_record: world.ids.next("prec_1"), type: "payment_record" } as const;
    return completePayment(world, putPayment(world, bill, { amount, isDefault: false, payment }), amount);
  }
  const intent = { ...newIntent(world, bill, amount), payment_method: method.id };
  succeed(world, intent, newCharge(world, intent, method));
  const payment = { payment_intent: intent.id, type: "payment_intent" } as const;
  completePayment(world, putPayment(world, bill, { amount, isDefault: false, payment }), amount);
}

/** The invoice's own payment asks for what remains. */
export function askRest(world: World, { id, amount_remaining: amount }: Bill) {
  const [payment, intent] = [paymentOf(world, id), intentOf(world, id)];
  if (!payment || !intent) return;
  world.ledger.put("invoicePayments", { ...payment, amount_requested: amount });
  world.ledger.put("intents", { ...intent, amount });
}

/** The payment of an invoice that Stripe itself made, if it has one. */
export const paymentOf = (world: World, bill: string): BillPayment | undefined =>
  world.ledger.invoicePayments.group(bill).findLast((one) => one.is_default);

export const intentOf = (world: World, bill: string): Intent | undefined =>
  world.ledger.intents.get(paymentOf(world, bill)?.payment.payment_intent ?? "");

/** Whether an invoice's bank debit is processing, so that it can't be charged again. */
export const isProcessing = (world: World, bill: string): boolean =>
  intentOf(world, bill)?.status === "processing";

/** Cancels the payment of an invoice that is no longer to be paid. */
export function cancelPayment(world: World, bill: string) {
  const [payment, intent] = [paymentOf(world, bill), intentOf(world, bill)];
  if (!payment || !intent || intent.status === "succeeded" || intent.status === "processing") return;
  world.ledger.put("invoicePayments", {
    ...payment,
    status: "canceled",
    status_transitions: { canceled_at: seconds(world), paid_at: null },
  });
  const over = world.ledger.put("intents", { ...intent, status: "canceled", canceled_at: seconds(world) });
  emit(world, "payment_intent.canceled", over);
}

/** Charges an invoice's payment. `confirmed`: the cardholder is there and confirms if the bank asks. */
export function charge(world: World, bill: Bill, method: SavedMethod, confirmed: boolean): Outcome {
  const payment = paymentOf(world, bill.id) ?? openPayment(world, bill);
  const before = world.ledger.intents.get(payment.payment.payment_intent ?? "");
  if (!before) throw new Error(`${payment.id} has no payment intent`);
  const intent = { ...before, payment_method: method.id };
  const says = bankSays(world, method);
  if (says === "asks" && !confirmed) return ask(world, intent);
  if (says === "voucher" || says === "deposits") return wait(world, intent, says);
  const made = newCharge(world, intent, method);
  if (typeof says === "object") return refuse(world, intent, made, says);
  return says === "processes" ? process(world, intent, made) : succeed(world, intent, made);
}

function newCharge(world: World, intent: Intent, method: SavedMethod): Charge {
  const customer = customerOf(world, method.customer ?? "");
  return {
    id: world.ids.next(method.type === "card" ? "ch_3" : "py_3"),
    object: "charge",
    amount: intent.amount,
    amount_captured: 0,
    amount_refunded: 0,
    billing_details: {
      address: method.billing_details.address ?? null,
      email: customer?.email ?? null,
      name: method.billing_details.name ?? null,
    },
    created: seconds(world),
    currency: intent.currency ?? "usd",
    customer: method.customer,
    description: intent.description ?? null,
    disputed: false,
    livemode: world.live,
    metadata: {},
    paid: false,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: chargeDetails(method),
    refunded: false,
    status: "pending",
  };
}

function succeed(world: World, intent: Intent, made: Charge): Outcome {
  const paid = world.ledger.put("charges", arrived(world, made));
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
  return { is: "paid", intent: done };
}

function process(world: World, intent: Intent, made: Charge): Outcome {
  world.ledger.put("charges", made);
  const waiting = world.ledger.put("intents", {
    ...intent,
    last_payment_error: null,
    latest_charge: made.id,
    next_action: null,
    status: "processing",
  });
  emit(world, "payment_intent.processing", waiting);
  emit(world, "charge.pending", made);
  return { is: "processing", intent: waiting };
}

function refuse(world: World, intent: Intent, made: Charge, reason: Decline): Outcome {
  const failed = world.ledger.put("charges", {
    ...made,
    failure_code: reason.code,
    failure_message: reason.message,
    status: "failed",
  });
  const again = world.ledger.put("intents", {
    ...intent,
    last_payment_error: { type: "card_error", charge: failed.id, ...reason },
    latest_charge: failed.id,
    next_action: null,
    payment_method: null,
    status: "requires_payment_method",
  });
  emit(world, "charge.failed", failed);
  emit(world, "payment_intent.payment_failed", again);
  return { is: "declined", intent: again, reason };
}

function ask(world: World, intent: Intent): Outcome {
  const waiting = world.ledger.put("intents", {
    ...intent,
    next_action: { type: "use_stripe_sdk" },
    status: "requires_action",
  });
  emit(world, "payment_intent.requires_action", waiting);
  return { is: "asks", intent: waiting };
}

/** The customer has a voucher to pay or small deposits to look for; there is no charge yet. */
function wait(world: World, intent: Intent, way: LaterWay): Outcome {
  const { action } = laterMethod(way, `${world.url}/later/${intent.id}`);
  const waiting = world.ledger.put("intents", {
    ...intent,
    last_payment_error: null,
    next_action: action ?? null,
    status: "requires_action",
  });
  emit(world, "payment_intent.requires_action", waiting);
  return { is: "processing", intent: waiting };
}

/** Nobody paid in time. */
function lapse(world: World, intent: Intent): Outcome {
  const again = world.ledger.put("intents", {
    ...intent,
    last_payment_error: { type: "invalid_request_error", ...declines.attempt_expired },
    next_action: null,
    payment_method: null,
    status: "requires_payment_method",
  });
  emit(world, "payment_intent.payment_failed", again);
  return { is: "declined", intent: again, reason: declines.attempt_expired };
}

/** Ends a payment that waits for the bank or for the customer; null if none does. */
export function settled(world: World, bill: Bill, outcome: "succeed" | "fail"): Outcome | null {
  const intent = intentOf(world, bill.id);
  const method = world.ledger.methods.get(intent?.payment_method ?? "");
  if (intent && method && awaitedMethod(intent) !== null) {
    if (outcome === "fail") return lapse(world, intent);
    world.ledger.put("moods", { id: method.id, mood: "works" });
    return succeed(world, intent, newCharge(world, intent, method));
  }
  const made = world.ledger.charges.get(intent?.latest_charge ?? "");
  if (intent?.status !== "processing" || !made) return null;
  return outcome === "succeed"
    ? succeed(world, intent, made)
    : refuse(world, intent, made, declines.debit_not_authorized);
}
