import { emit } from "../events";
import { declines } from "../money/methods";
import { type World, seconds } from "../world";
import { drafted, storeDraft } from "./bill";
import { attempt, cancelled, issue, methodFor } from "./collect";
import { periodLine, remainingLine, unusedLine } from "./lines";
import { type BankSays, bankSays } from "./methods";
import type { Bill, Item, Line, Price, Subscription } from "./rows";
import { changeSubscription, withItem } from "./subscription";
import { day, intervalOf, periodEnd } from "./time";

export type Proration = "none" | "create_prorations" | "always_invoice";

/** What a switch to another price bills, and the item that it makes. */
type Switch = { item: Item; anchor: number; lines: Line[]; atOnce: boolean };

/** Works out a switch. A price of another interval begins a new period now. Changes nothing. */
export function planSwitch(world: World, subscription: Subscription, price: Price, how: Proration): Switch {
  const moment = seconds(world);
  const [held] = subscription.items.data;
  const anchor = subscription.billing_cycle_anchor;
  const sameLength = intervalOf(held.price) === intervalOf(price);
  if (subscription.status === "trialing" || (sameLength && how === "none"))
    return { item: { ...held, price }, anchor, lines: [], atOnce: false };
  if (sameLength) {
    const lines = [
      unusedLine(world, subscription, moment),
      remainingLine(world, subscription, price, moment),
    ];
    return { item: { ...held, price }, anchor, lines, atOnce: how === "always_invoice" };
  }
  const end = periodEnd(moment, intervalOf(price), moment);
  const item = { ...held, price, current_period_start: moment, current_period_end: end };
  const whole = periodLine(world, { ...subscription, items: withItem(subscription, item) });
  const credit = how === "none" ? [] : [unusedLine(world, subscription, moment)];
  return { item, anchor: moment, lines: [...credit, whole], atOnce: true };
}

/** What the bank would say to a switch that is billed at once; "pays" if nothing is due. */
export function saysTo(
  world: World,
  subscription: Subscription,
  { lines, atOnce }: Switch,
): BankSays | "no card" {
  if (!atOnce) return "pays";
  const due = drafted(world, subscription, "upcoming", [...lines, ...pendingLines(world, subscription)]);
  const method = methodFor(world, subscription);
  if (due.amount_due === 0) return "pays";
  return method ? bankSays(world, method) : "no card";
}

export type PaymentBehavior = "allow_incomplete" | "error_if_incomplete" | "pending_if_incomplete";
type How = {
  planned: Switch;
  pays: boolean;
  /** The cardholder is there, and confirms if the bank asks. */
  confirmed?: boolean;
  /** What else the switch changes. */
  over?: Partial<Subscription>;
};

/** Switches the price, and bills what is to be billed at once. Unpaid, it may wait for its payment. */
export function switchTo(
  world: World,
  subscription: Subscription,
  { planned, pays, confirmed = false, over = {} }: How,
): Subscription {
  const { item, anchor, lines, atOnce } = planned;
  const change = { ...over, billing_cycle_anchor: anchor, items: withItem(subscription, item) };
  const switched = pays
    ? changeSubscription(world, subscription, change)
    : holdBack(world, subscription, item);
  if (atOnce) billNow(world, { ...subscription, ...change }, lines, confirmed);
  else for (const line of lines) addPending(world, subscription, line);
  return world.ledger.subscriptions.get(subscription.id) ?? switched;
}

/** The subscription stays as it is until the invoice of the switch is paid. */
function holdBack(world: World, subscription: Subscription, item: Item): Subscription {
  world.ledger.put("pendingItems", { id: subscription.id, item });
  return changeSubscription(world, subscription, {
    pending_update: { expires_at: seconds(world) + day - 3600, subscription_items: [item] },
  });
}

/** Invoices these lines and the pending ones at once, and charges the invoice. */
function billNow(world: World, subscription: Subscription, lines: Line[], confirmed = false): Bill {
  const all = [...lines, ...takePending(world, subscription)];
  const draft = storeDraft(world, drafted(world, subscription, "subscription_update", all));
  changeSubscription(world, subscription, { latest_invoice: draft.id });
  const bill = issue(world, draft);
  return bill.status === "open" ? attempt(world, bill, { confirmed }).bill : bill;
}

function addPending(world: World, { id }: Subscription, line: Line) {
  world.ledger.put("pending", { id: line.id, created: seconds(world), subscription: id, line });
}

export const pendingLines = (world: World, { id }: Subscription): Line[] =>
  world.ledger.pending.group(id).map(({ line }) => line);

/** Removes and returns the pending lines, which the next invoice bills. */
export function takePending(world: World, subscription: Subscription): Line[] {
  const lines = pendingLines(world, subscription);
  for (const { id } of lines) world.ledger.remove("pending", id);
  return lines;
}

/** Cancels at once; `prorate` gives the unused time back as credit, which `invoiceNow` books at once. */
export function cancelNow(
  world: World,
  subscription: Subscription,
  { prorate, invoiceNow }: { prorate: boolean; invoiceNow: boolean },
): Subscription {
  if (prorate && subscription.status !== "trialing")
    addPending(world, subscription, unusedLine(world, subscription, seconds(world)));
  const over = cancelled(world, subscription, "cancellation_requested");
  if (invoiceNow && pendingLines(world, over).length > 0) {
    const draft = drafted(world, over, "subscription_update", takePending(world, over));
    issue(world, storeDraft(world, draft));
  }
  return over;
}

/** The end of a trial now: the first period begins, at this price. */
export function planTrialEnd(world: World, subscription: Subscription, price: Price): Switch {
  const now = seconds(world);
  const end = periodEnd(now, intervalOf(price), now);
  const period = { current_period_start: now, current_period_end: end };
  const item = { ...subscription.items.data[0], ...period, price };
  const begun = { ...subscription, items: withItem(subscription, item), status: "active" as const };
  return { item, anchor: now, lines: [periodLine(world, begun)], atOnce: true };
}

/** Ends a trial now. */
export const endTrial = (world: World, subscription: Subscription): Subscription =>
  switchTo(world, subscription, {
    planned: planTrialEnd(world, subscription, subscription.items.data[0].price),
    pays: true,
    over: { status: "active", trial_end: seconds(world) },
  });

/** Resumes a paused subscription, in a new period. */
export function resume(world: World, subscription: Subscription): Subscription {
  const now = seconds(world);
  const end = periodEnd(now, intervalOf(subscription.items.data[0].price), now);
  const after = changeSubscription(
    world,
    subscription,
    {
      billing_cycle_anchor: now,
      items: withItem(subscription, { current_period_start: now, current_period_end: end }),
      status: "active",
    },
    "resumed",
  );
  billNow(world, after, [periodLine(world, after)]);
  return world.ledger.subscriptions.get(after.id) ?? after;
}

/** Why a switch that must be paid cannot be. */
export const refusalOf = (says: BankSays | "no card") =>
  typeof says === "object" ? says : says === "asks" ? asksFirst : declines.generic_decline;

const asksFirst = {
  code: "subscription_payment_intent_requires_action",
  message:
    "Payment for this subscription requires additional user action before it can be completed successfully.",
} as const;

/** Drops the switch whose invoice was not paid. */
export function expirePending(world: World, subscription: Subscription) {
  const after = changeSubscription(world, subscription, { pending_update: null });
  emit(world, "customer.subscription.pending_update_expired", after);
}
