import { z } from "zod";
import { ActionRefusal, action } from "../../base/actions";
import { advanced, attach, newClock } from "../billing/clocks";
import { resume } from "../billing/change";
import { attempt, cancelled, methodFor } from "../billing/collect";
import { settleBill } from "../billing/complete";
import { changeCustomer, customerOf } from "../billing/customers";
import { ending } from "../billing/ending";
import { saveDefault, saveMethod } from "../billing/methods";
import { isProcessing } from "../billing/payment";
import type { Subscription } from "../billing/rows";
import { changeSubscription } from "../billing/subscription";
import { unplanned } from "../billing/switching";
import { after, worldForCustomer } from "../billing/time";
import { card } from "../money/methods";
import { type World, seconds } from "../world";
import { billIn, runningSubscription } from "./find";

const subscription = z.string();
const last4 = z.string().regex(/^\d{4}$/);

/** The actions that have to do with subscriptions. */
export const billingActions = (world: World) => ({
  /** Moves the time of a subscription's customer on, by days or, without any, by months. */
  advance: action(
    z.object({
      subscription,
      months: z.int().positive().max(120).default(1),
      days: z.int().positive().max(3660).optional(),
    }),
    ({ subscription: id, months, days }) => {
      const clock = clockOf(world, subscriptionIn(world, id));
      const from = clock.frozen_time;
      advanced(world, clock, days === undefined ? after(from, "month", months) : after(from, "day", days));
      return subscriptionIn(world, id);
    },
  ),

  /** What the bank says from now on to charges of the subscription's card. */
  "card/mood": action(
    z.object({ subscription, mood: z.enum(["works", "declines", "no_funds", "asks"]) }),
    ({ subscription: id, mood }) => {
      const { subscription: one } = runningSubscription(world, id);
      const method = methodFor(world, one);
      if (!method) throw new ActionRefusal("The subscription has no card.");
      return world.ledger.put("moods", { id: method.id, mood });
    },
  ),

  /** The customer gives a new default card, as in the portal. */
  "card/new": action(z.object({ customer: z.string(), card: last4.default("4444") }), (given) => {
    const customer = customerOf(world, given.customer);
    if (!customer) throw new ActionRefusal(`No such customer: ${given.customer}.`);
    return saveDefault(
      worldForCustomer(world, customer.id),
      customer,
      card(given.card),
      customer.name ?? null,
    );
  }),

  /** Somebody sets the customer's balance in Stripe's dashboard: below zero is credit, above it is owed. */
  "customer/balance": action(
    z.object({ customer: z.string(), balance: z.int().min(-1_000_000).max(1_000_000) }),
    ({ customer: id, balance }) => {
      const customer = customerOf(world, id);
      if (!customer) throw new ActionRefusal(`No such customer: ${id}.`);
      return changeCustomer(worldForCustomer(world, id), customer, { balance });
    },
  ),

  /** The customer pays an open invoice on its own page, and confirms if the bank asks. */
  "invoice/pay": action(z.object({ invoice: z.string(), card: last4.optional() }), (given) => {
    const { bill, world: then } = billIn(world, given.invoice);
    if (bill.status !== "open" && bill.status !== "uncollectible")
      throw new ActionRefusal(`The invoice is ${bill.status}, not open.`);
    if (isProcessing(then, bill.id)) throw new ActionRefusal("A payment of this invoice waits for a bank.");
    const customer = bill.customer ?? "";
    const holder = { customer, email: bill.customer_email ?? null, name: bill.customer_name ?? null };
    const method = given.card === undefined ? undefined : saveMethod(then, card(given.card), holder);
    return attempt(then, bill, { method, confirmed: true, manual: true }).bill;
  }),

  /** Ends a bank debit of an invoice that waits. */
  "invoice/settle": action(
    z.object({ invoice: z.string(), outcome: z.enum(["succeed", "fail"]) }),
    ({ invoice, outcome }) => {
      const { bill, world: then } = billIn(world, invoice);
      const end = settleBill(then, bill, outcome);
      if (end) return end;
      throw new ActionRefusal("No payment of this invoice waits for a bank.");
    },
  ),

  /** Somebody cancels the subscription in Stripe's dashboard. */
  "subscription/cancel": action(
    z.object({ subscription, at: z.enum(["now", "period_end"]).default("now") }),
    ({ subscription: id, at }) => {
      const { subscription: one, world: then } = runningSubscription(world, id);
      if (at === "now") return cancelled(then, one, "cancellation_requested");
      const { current_period_end: end } = one.items.data[0];
      return changeSubscription(
        then,
        unplanned(then, one),
        ending(then, one, { cancel_at: end, cancel_at_period_end: true }),
      );
    },
  ),

  /** Somebody pauses the subscription in Stripe's dashboard: its status is `paused`, and nothing is billed. */
  "subscription/pause": action(z.object({ subscription }), ({ subscription: id }) => {
    const { subscription: one, world: then } = runningSubscription(world, id);
    if (one.status === "paused") throw new ActionRefusal("The subscription is paused.");
    return changeSubscription(then, one, { status: "paused" }, "paused");
  }),

  /** Somebody has a paused subscription go on: a new period begins. */
  "subscription/resume": action(z.object({ subscription }), ({ subscription: id }) => {
    const { subscription: one, world: then } = runningSubscription(world, id);
    if (one.status !== "paused") throw new ActionRefusal(`The subscription is ${one.status}, not paused.`);
    return resume(then, one);
  }),

  /** Changes a subscription without an event, which the shop must not trust. */
  "alter/subscription": action(
    z.object({
      subscription,
      status: z
        .enum([
          "active",
          "canceled",
          "incomplete",
          "incomplete_expired",
          "past_due",
          "paused",
          "trialing",
          "unpaid",
        ])
        .optional(),
      cancel_at: z.int().nullable().optional(),
      cancel_at_period_end: z.boolean().optional(),
      metadata: z.record(z.string(), z.string()).optional(),
    }),
    ({ subscription: id, ...change }) =>
      world.ledger.put("subscriptions", { ...subscriptionIn(world, id), ...change }),
  ),

  /** What becomes of a subscription whose last retry failed, as the account's settings have it. */
  retries: action(z.object({ outcome: z.enum(["cancel", "unpaid", "past_due"]) }), (given) => {
    world.afterRetries = given.outcome;
    return given;
  }),
});

function subscriptionIn(world: World, id: string): Subscription {
  const one = world.ledger.subscriptions.get(id);
  if (one) return one;
  throw new ActionRefusal(`No such subscription: ${id}.`);
}

/** The test clock of a subscription's customer, who gets one if they have none. */
function clockOf(world: World, { customer }: Subscription) {
  const held = customerOf(world, customer);
  if (!held) throw new ActionRefusal("The customer was deleted.");
  const known = world.ledger.clocks.get(held.test_clock ?? "");
  if (known) return known;
  const clock = newClock(world, seconds(world), null);
  attach(world, clock, held);
  return clock;
}
