import { type World, seconds } from "../world";
import { draftBill, storeDraft } from "./bill";
import { attempt, issue, methodFor } from "./collect";
import { periodLine, remainingLine, unusedLine } from "./lines";
import { type BankSays, bankSays } from "./methods";
import type { Bill, Item, Line, Price, Subscription } from "./rows";
import { changeSubscription, withItem } from "./subscription";
import { intervalOf, periodEnd } from "./time";

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
  const due = draftBill(world, subscription, "upcoming", [...lines, ...pendingLines(world, subscription)]);
  const method = methodFor(world, subscription);
  if (due.amount_due === 0) return "pays";
  return method ? bankSays(world, method) : "no card";
}

type How = {
  planned: Switch;
  /** The cardholder is there, and confirms if the bank asks. */
  confirmed?: boolean;
};

/** Switches the price, and bills what is to be billed at once. */
export function switchTo(
  world: World,
  subscription: Subscription,
  { planned, confirmed = false }: How,
): Subscription {
  const { item, anchor, lines, atOnce } = planned;
  const change = { billing_cycle_anchor: anchor, items: withItem(subscription, item) };
  const switched = changeSubscription(world, subscription, change);
  if (atOnce) billNow(world, { ...subscription, ...change }, lines, confirmed);
  else for (const line of lines) addPending(world, subscription, line);
  return world.ledger.subscriptions.get(subscription.id) ?? switched;
}

/** Invoices these lines and the pending ones at once, and charges the invoice. */
function billNow(world: World, subscription: Subscription, lines: Line[], confirmed = false): Bill {
  const all = [...lines, ...takePending(world, subscription)];
  const draft = storeDraft(world, draftBill(world, subscription, "subscription_update", all));
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
