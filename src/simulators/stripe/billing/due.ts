import { emit } from "../events";
import { type World, seconds } from "../world";
import { changeBill, draftBill, finalise, storeDraft, voidBill } from "./bill";
import { pendingLines, takePending } from "./change";
import { attempt, cancelled, issue } from "./collect";
import { isBill, periodLines } from "./lines";
import type { Bill, Subscription } from "./rows";
import { enterPhase, nextPhaseStart, nextPrice } from "./schedule";
import { changeSubscription, isOver, withItem } from "./subscription";
import { at, day, intervalOf, periodEnd, worldForCustomer } from "./time";

const hour = 3600;
const upcomingDays = 7;

type Due = { at: number; act(world: World): void };
type DueNow = Due & { live: boolean };

/** Does everything that has fallen due, in order, each thing at its own moment. */
export function catchUp(world: World): void {
  const queue: { at: number; id: string }[] = [];
  const enqueue = (id: string) => {
    const due = dueNow(world, id);
    if (!due) return;
    const place = queue.findIndex((other) => other.at > due.at);
    queue.splice(place < 0 ? queue.length : place, 0, { at: due.at, id });
  };
  for (const { id } of world.ledger.subscriptions.all()) enqueue(id);
  for (let next = queue.shift(); next; next = queue.shift()) {
    const due = dueNow(world, next.id);
    due?.act({ ...at(world, due.at), live: due.live });
    enqueue(next.id);
  }
}

/** The first thing that is due for a subscription, at the time of its customer. */
function dueNow(world: World, id: string): DueNow | undefined {
  const subscription = world.ledger.subscriptions.get(id);
  if (!subscription || isOver(subscription)) return undefined;
  const now = seconds(worldForCustomer(world, subscription.customer));
  let first: Due | undefined;
  for (const due of duesOf(world, subscription))
    if (due.at <= now && (!first || due.at < first.at)) first = due;
  return first && { ...first, live: subscription.livemode ?? false };
}

function* duesOf(world: World, subscription: Subscription): Generator<Due> {
  const { status, trial_end, cancel_at } = subscription;
  const { current_period_end: end, current_period_start: start } = subscription.items.data[0];
  for (const bill of world.ledger.invoices.group(subscription.id))
    if ((bill.status === "open" || bill.status === "draft") && isBill(bill)) yield* duesOfBill(bill);
  if (status === "incomplete")
    yield { at: subscription.created + 23 * hour, act: (then) => giveUp(then, subscription) };
  if (status === "incomplete" || status === "paused") return;
  if (status === "trialing" && trial_end !== null)
    yield* once(
      world,
      `trial_will_end:${subscription.id}:${trial_end}`,
      Math.max(trial_end - 3 * day, start),
      (then) => {
        emit(then, "customer.subscription.trial_will_end", subscription);
      },
    );
  if (!willEnd(subscription))
    yield* once(
      world,
      `upcoming:${subscription.id}:${end}`,
      Math.max(end - upcomingDays * day, start),
      (then) => {
        const { id: _none, ...bill } = nextBill(then, subscription);
        emit(then, "invoice.upcoming", bill);
      },
    );
  if (cancel_at !== null && cancel_at < end)
    yield { at: cancel_at, act: (then) => void cancelled(then, subscription, "cancellation_requested") };
  const phase = nextPhaseStart(world, subscription);
  if (phase !== null && phase < end) yield { at: phase, act: (then) => void enterPhase(then, subscription) };
  yield { at: end, act: (then) => roll(then, subscription) };
}

function* duesOfBill(bill: Bill): Generator<Due> {
  if (!bill.auto_advance) return;
  const { automatically_finalizes_at: finalises, next_payment_attempt: retries } = bill;
  if (bill.status === "draft" && finalises) yield { at: finalises, act: (then) => collect(then, bill) };
  if (bill.status === "open" && retries !== null)
    yield { at: retries, act: (then) => void attempt(then, bill) };
}

/** Something that happens once, under an id. */
function* once(world: World, id: string, moment: number, act: Due["act"]): Generator<Due> {
  if (world.ledger.done.has(id)) return;
  yield {
    at: moment,
    act(then) {
      world.ledger.put("done", { id, at: moment });
      act(then);
    },
  };
}

export const willEnd = ({ cancel_at, cancel_at_period_end, items }: Subscription): boolean =>
  cancel_at_period_end || (cancel_at !== null && cancel_at <= items.data[0].current_period_end);

/** An hour after it was made, a renewal's invoice is finalised and charged. */
function collect(world: World, draft: Bill) {
  const bill = issue(world, draft);
  if (bill.status === "open") attempt(world, bill);
}

/** The first invoice was not paid within 23 hours. */
function giveUp(world: World, subscription: Subscription) {
  const bill = world.ledger.invoices.get(subscription.latest_invoice ?? "");
  if (bill && isBill(bill) && bill.status === "open") voidBill(world, bill);
  changeSubscription(world, subscription, { ended_at: seconds(world), status: "incomplete_expired" });
}

/** The end of a period: the subscription ends, pauses, or begins its next period with a new invoice. */
function roll(world: World, given: Subscription): void {
  if (willEnd(given)) cancelled(world, given, "cancellation_requested");
  else goOn(world, given);
}

function goOn(world: World, given: Subscription): void {
  const phase = nextPhaseStart(world, given);
  const subscription = phase !== null && phase <= seconds(world) ? enterPhase(world, given) : given;
  renew(world, subscription);
}

export function inNextPeriod(subscription: Subscription): Subscription {
  const item = subscription.items.data[0];
  const start = item.current_period_end;
  const end = periodEnd(subscription.billing_cycle_anchor, intervalOf(item.price), start);
  const items = withItem(subscription, { current_period_start: start, current_period_end: end });
  const status = subscription.status === "trialing" ? "active" : subscription.status;
  return { ...subscription, items, status };
}

/** The invoice of the next period, at the price that a schedule has for it. Stores nothing. */
export function nextBill(world: World, subscription: Subscription): Bill {
  const priced = {
    ...subscription,
    items: withItem(subscription, { price: nextPrice(world, subscription) }),
  };
  const lines = periodLines(world, inNextPeriod(priced));
  return draftBill(world, subscription, "upcoming", [
    ...pendingLines(world, subscription).toReversed(),
    ...lines,
  ]);
}

function renew(world: World, subscription: Subscription) {
  const next = inNextPeriod(subscription);
  // Stripe's order: what waited, newest first, then the period
  const lines = [...takePending(world, next).toReversed(), ...periodLines(world, next)];
  // the invoice's own period is the one that ended
  const draft = {
    ...draftBill(world, subscription, "subscription_cycle", lines),
    ...byHand(world, subscription),
  };
  changeSubscription(world, subscription, { ...next, latest_invoice: draft.id });
  paused(world, subscription, storeDraft(world, draft));
}

/** An unpaid or paused subscription's invoices stay drafts; others are finalised an hour later. */
function byHand(world: World, { status, pause_collection }: Subscription): Partial<Bill> {
  const left = status === "unpaid" || pause_collection !== null;
  return left ? { auto_advance: false } : { automatically_finalizes_at: seconds(world) + hour };
}

/** What becomes of an invoice while collection is paused. */
function paused(world: World, { pause_collection }: Subscription, draft: Bill) {
  if (pause_collection?.behavior === "void") voidBill(world, finalise(world, draft));
  if (pause_collection?.behavior === "mark_uncollectible") {
    const marked = changeBill(world, finalise(world, draft), {
      status: "uncollectible",
      status_transitions: { ...draft.status_transitions, marked_uncollectible_at: seconds(world) },
    });
    emit(world, "invoice.marked_uncollectible", marked);
  }
}
