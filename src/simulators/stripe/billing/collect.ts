import { emit } from "../events";
import { type World, seconds } from "../world";
import { changeBill, finalise } from "./bill";
import { customerOf } from "./customers";
import { charge, completePayment, openPayment, type Outcome, paymentOf } from "./payment";
import type { Bill, SavedMethod, Schedule, Subscription } from "./rows";
import { scheduleJson } from "./schedule";
import { changeSubscription, isOver, subscriptionOf } from "./subscription";
import { day } from "./time";

/** Pauses between attempts to charge an invoice: two weeks in total, in seconds. */
const pauses = [3 * day, 4 * day, 7 * day];

/** The card that pays a subscription's invoices: its own, or else the customer's. */
export function methodFor(world: World, subscription: Subscription): SavedMethod | undefined {
  const customer = customerOf(world, subscription.customer);
  const id = subscription.default_payment_method ?? customer?.invoice_settings.default_payment_method;
  return world.ledger.methods.get(id ?? "");
}

/** Finalises a draft and opens its payment, or pays it at once if nothing is due. */
export function issue(world: World, draft: Bill): Bill {
  const bill = finalise(world, draft);
  if (bill.amount_due === 0) return paid(world, bill, 0);
  openPayment(world, bill);
  return bill;
}

type With = {
  /** By default the subscription's. */
  method?: SavedMethod | undefined;
  /** The cardholder is there, and confirms if the bank asks. */
  confirmed?: boolean;
  /** Somebody asked for this attempt; the schedule of Stripe's own attempts stays. */
  manual?: boolean;
};

export type Attempt = { bill: Bill; outcome: Outcome | null };

/** Tries to charge an open invoice, and does what follows. */
export function attempt(world: World, bill: Bill, given: With = {}): Attempt {
  const subscription = subscriptionOf(world, bill);
  const method = given.method ?? methodFor(world, subscription);
  const tried = changeBill(world, bill, { attempted: true, attempt_count: bill.attempt_count + 1 });
  const outcome = method ? charge(world, tried, method, given.confirmed ?? false) : null;
  return { bill: applyOutcome(world, tried, outcome, given.manual ?? false), outcome };
}

/** What follows from an attempt: the invoice's state, and its subscription's. */
export function applyOutcome(world: World, bill: Bill, outcome: Outcome | null, manual: boolean): Bill {
  if (outcome?.is === "paid") return paid(world, bill, outcome.intent.amount);
  if (outcome?.is === "processing") {
    const waiting = changeBill(world, bill, { next_payment_attempt: null });
    if (outcome.intent.status === "requires_action") emit(world, "invoice.payment_action_required", waiting);
    return waiting;
  }
  const subscription = subscriptionOf(world, bill);
  const left = isOver(subscription) || !bill.auto_advance;
  const planned = bill.next_payment_attempt ?? null;
  const next = left ? null : manual && planned !== null ? planned : nextAttempt(world, bill);
  const failed = changeBill(world, bill, { next_payment_attempt: next });
  emit(world, "invoice.payment_failed", failed);
  if (outcome?.is === "asks") emit(world, "invoice.payment_action_required", failed);
  if (!left) fall(world, subscription, failed);
  return failed;
}

function nextAttempt(world: World, bill: Bill): number | null {
  const pause = pauses[bill.attempt_count - 1];
  return pause === undefined ? null : seconds(world) + pause;
}

/** After a failed payment the subscription is past due; after the last attempt, the account's settings decide. */
function fall(world: World, subscription: Subscription, { next_payment_attempt: next }: Bill) {
  if (subscription.status === "incomplete") return;
  if (next !== null || world.afterRetries === "past_due") {
    if (subscription.status !== "unpaid") changeSubscription(world, subscription, { status: "past_due" });
    return;
  }
  if (world.afterRetries === "unpaid") changeSubscription(world, subscription, { status: "unpaid" });
  else cancelled(world, subscription, "payment_failed");
}

/** Ends a subscription at once. Its open invoices stay open, but are no longer collected. */
export function cancelled(
  world: World,
  subscription: Subscription,
  reason: "cancellation_requested" | "payment_failed" | "payment_disputed",
): Subscription {
  for (const invoice of world.ledger.invoices.group(subscription.id))
    if (invoice.status === "open" || invoice.status === "draft")
      world.ledger.put("invoices", { ...invoice, auto_advance: false, next_payment_attempt: null });
  const schedule = world.ledger.schedules.get(subscription.schedule ?? "");
  if (schedule) {
    const over: Schedule = { ...schedule, status: "canceled", canceled_at: seconds(world) };
    emit(world, "subscription_schedule.canceled", scheduleJson(world.ledger.put("schedules", over)));
  }
  const after: Subscription = {
    ...subscription,
    canceled_at: subscription.canceled_at ?? seconds(world),
    cancellation_details: { ...subscription.cancellation_details, reason },
    ended_at: seconds(world),
    schedule: null,
    status: "canceled",
  };
  world.ledger.put("subscriptions", after);
  emit(world, "customer.subscription.deleted", after);
  return after;
}

/** Marks an invoice as paid. */
export function paid(world: World, bill: Bill, amount: number): Bill {
  const done = changeBill(world, bill, {
    amount_paid: bill.amount_paid + amount,
    amount_remaining: 0,
    attempted: true,
    next_payment_attempt: null,
    status: "paid",
    status_transitions: { ...bill.status_transitions, paid_at: seconds(world) },
  });
  const payment = paymentOf(world, bill.id);
  if (payment && amount > 0) completePayment(world, payment, amount);
  emit(world, "invoice.paid", done);
  emit(world, "invoice.payment_succeeded", done);
  recover(world, done);
  return done;
}

/** A past-due subscription is active again once its newest invoice is paid or voided. */
export function recover(world: World, bill: Bill) {
  const subscription = subscriptionOf(world, bill);
  const due = ["past_due", "unpaid", "incomplete"].includes(subscription.status);
  if (due && subscription.latest_invoice === bill.id)
    changeSubscription(world, subscription, { status: "active" });
}
