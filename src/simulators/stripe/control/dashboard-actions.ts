import { z } from "zod";
import { ActionRefusal, action } from "../../base/actions";
import { changeBill, giveUpBill } from "../billing/bill";
import { paid } from "../billing/collect";
import { deleteCustomer } from "../billing/api/customers";
import { moveTrial } from "../billing/api/update";
import { customerOf } from "../billing/customers";
import { ending } from "../billing/ending";
import { saveMethod } from "../billing/methods";
import { askRest, cancelPayment, isProcessing, payPart } from "../billing/payment";
import type { Item, Price, Subscription } from "../billing/rows";
import { beginSchedule, planPhases } from "../billing/schedule";
import { changeSubscription, withItem } from "../billing/subscription";
import { after, worldForCustomer } from "../billing/time";
import { failPayout, move, payOut, payoutJson } from "../money/balance";
import { card } from "../money/methods";
import { type World, seconds } from "../world";
import { billIn, runningSubscription } from "./find";

const subscription = z.string();
const whole = z.int().positive().max(1_000_000);

/** What somebody does by hand in Stripe's dashboard, unexpectedly for the shop. */
export const dashboardActions = (world: World) => ({
  /** From now on the balance has one currency. */
  settlement: action(z.object({ currency: z.string().length(3), rate: z.number().positive() }), (given) => {
    world.settlement = given;
    return given;
  }),

  /** Stripe pays out what no payout has paid out yet, or a person does. */
  payout: action(
    z.object({
      currency: z.string().length(3).default("usd"),
      automatic: z.boolean().default(true),
      reconciled: z.boolean().default(true),
    }),
    (given) => {
      const paid = payOut(world, given);
      if (!paid) throw new ActionRefusal("There is nothing to pay out.");
      return payoutJson(paid);
    },
  ),

  /** Stripe knows what a payout paid out. */
  "payout/reconcile": action(z.object({ payout: z.string() }), ({ payout: id }) => {
    const made = world.ledger.payouts.get(id);
    if (made?.reconciliation_status !== "in_progress")
      throw new ActionRefusal(`There is no payout ${id} that Stripe still reconciles.`);
    return payoutJson(world.ledger.put("payouts", { ...made, reconciliation_status: "completed" }));
  }),

  /** The bank refuses a payout that seemed to arrive. */
  "payout/fail": action(z.object({ payout: z.string() }), ({ payout: id }) => {
    const made = world.ledger.payouts.get(id);
    if (made?.status !== "paid") throw new ActionRefusal(`There is no payout ${id} that could fail.`);
    return payoutJson(failPayout(world, made));
  }),

  /** Stripe takes a fee of its own, such as for Tax or Billing. */
  fee: action(
    z.object({ amount: whole, currency: z.string().length(3).default("usd"), description: z.string() }),
    ({ amount, currency, description }) =>
      move(world, {
        amount: -amount,
        currency,
        description,
        reporting_category: "fee",
        source: null,
        type: "stripe_fee",
      }),
  ),

  /** Gives an open invoice up; its page still takes money. */
  "invoice/uncollectible": action(z.object({ invoice: z.string() }), ({ invoice }) => {
    const { bill, world: then } = billIn(world, invoice);
    if (bill.status !== "open") throw new ActionRefusal(`The invoice is ${bill.status}, not open.`);
    return giveUpBill(then, bill);
  }),

  /** Marks an invoice as paid outside Stripe: no payment intent has paid what is left of it. */
  "invoice/outside": action(z.object({ invoice: z.string() }), ({ invoice }) => {
    const { bill, world: then } = payableBill(world, invoice);
    cancelPayment(then, bill.id);
    return paid(then, bill, 0);
  }),

  /** Pays a part of an invoice by a card, with a payment intent of its own, or records that it was paid elsewhere. */
  "invoice/part": action(
    z.object({ invoice: z.string(), amount: whole, by: z.enum(["card", "record"]).default("card") }),
    ({ invoice, amount, by }) => {
      const { bill, world: then } = payableBill(world, invoice);
      if (amount >= bill.amount_remaining)
        throw new ActionRefusal(`${bill.amount_remaining} remains to be paid; a part is less.`);
      const { customer, customer_email: email, customer_name: name } = bill;
      const holder = { customer: customer ?? "", email: email ?? null, name: name ?? null };
      payPart(then, bill, amount, by === "card" ? saveMethod(then, card("4242"), holder) : null);
      const { amount_paid, amount_remaining } = bill;
      const rest = { amount_paid: amount_paid + amount, amount_remaining: amount_remaining - amount };
      const after = changeBill(then, bill, rest);
      askRest(then, after);
      return after;
    },
  ),

  /** A credit note lowers what is left to pay of an open invoice; its total stays. */
  "invoice/credit-note": action(z.object({ invoice: z.string(), amount: whole }), ({ invoice, amount }) => {
    const { bill, world: then } = payableBill(world, invoice);
    const { amount_due, amount_remaining, pre_payment_credit_notes_amount: noted = 0 } = bill;
    if (amount > amount_remaining) throw new ActionRefusal(`Only ${amount_remaining} remains to be paid.`);
    const after = changeBill(then, bill, {
      amount_due: amount_due - amount,
      amount_remaining: amount_remaining - amount,
      pre_payment_credit_notes_amount: noted + amount,
    });
    askRest(then, after);
    if (after.amount_remaining > 0) return after;
    cancelPayment(then, bill.id);
    return paid(then, after, 0);
  }),

  /** Deletes a customer, which ends their subscriptions at once. */
  "customer/delete": action(z.object({ customer: z.string() }), ({ customer: id }) => {
    if (!customerOf(world, id)) throw new ActionRefusal(`No such customer: ${id}.`);
    return deleteCustomer(worldForCustomer(world, id), id);
  }),

  /** Moves the end of a trial to so many days from now; begins one where none runs. */
  "subscription/trial": action(z.object({ subscription, days: whole }), ({ subscription: id, days }) => {
    const { subscription: one, world: then } = runningSubscription(world, id);
    return moveTrial(then, one, String(after(seconds(then), "day", days)));
  }),

  /** Sets a date on which the subscription is to end, months from now. */
  "subscription/cancel-at": action(
    z.object({ subscription, months: whole }),
    ({ subscription: id, months }) => {
      const { subscription: one, world: then } = runningSubscription(world, id);
      const cancel_at = after(seconds(then), "month", months);
      return changeSubscription(then, one, ending(then, one, { cancel_at, cancel_at_period_end: false }));
    },
  ),

  /** Puts a subscription under a schedule that ends it, so many months from its period's beginning. */
  "subscription/schedule": action(
    z.object({ subscription, months: whole }),
    ({ subscription: id, months }) => {
      const { subscription: one, world: then } = runningSubscription(world, id);
      if (one.schedule) throw new ActionRefusal("A schedule manages the subscription.");
      const { current_period_start: start, price } = one.items.data[0];
      const end = after(start, "month", months);
      const schedule = then.ledger.put("schedules", { ...beginSchedule(then, one), end_behavior: "cancel" });
      planPhases(then, schedule, [{ start_date: start, end_date: end, price: price.id }]);
      return changeSubscription(then, one, { cancel_at: end, canceled_at: seconds(then) });
    },
  ),

  /** Sets quantity or amount of the first item, without a proration. */
  "subscription/item": action(
    z.object({ subscription, quantity: whole.optional(), amount: whole.optional() }),
    ({ subscription: id, quantity, amount }) => {
      const { subscription: one, world: then } = runningSubscription(world, id);
      const { price } = one.items.data[0];
      const change = {
        ...(quantity !== undefined && { quantity }),
        ...(amount !== undefined && { price: ownPrice(then, price, amount) }),
      };
      return changeSubscription(then, one, { items: withItem(one, change) });
    },
  ),

  /** Adds an item with a price of its own, behind the others or before them. */
  "subscription/add-item": action(
    z.object({ subscription, amount: whole, quantity: whole.default(1), first: z.boolean().default(false) }),
    ({ subscription: id, first, ...given }) => {
      const { subscription: one, world: then } = runningSubscription(world, id);
      const added = itemOf(then, one, given);
      const [held, ...others] = one.items.data;
      const data: [Item, ...Item[]] = first ? [added, held, ...others] : [held, ...others, added];
      return changeSubscription(then, one, { items: { ...one.items, data } });
    },
  ),
});

/** An invoice that can still be paid, and the world at its customer's time. */
function payableBill(baseWorld: World, invoice: string) {
  const found = billIn(baseWorld, invoice);
  const { bill, world } = found;
  if (bill.status !== "open" && bill.status !== "uncollectible")
    throw new ActionRefusal(`The invoice is ${bill.status}, not open.`);
  if (isProcessing(world, bill.id)) throw new ActionRefusal("A payment of this invoice waits for a bank.");
  return found;
}

/** A price made by hand, which bears no mark of the shop. */
const ownPrice = (world: World, like: Price, amount: number): Price =>
  world.ledger.put("prices", {
    ...like,
    id: world.ids.next("price_1"),
    created: seconds(world),
    lookup_key: null,
    metadata: {},
    unit_amount: amount,
    unit_amount_decimal: String(amount),
  });

function itemOf(
  world: World,
  one: Subscription,
  { amount, quantity }: { amount: number; quantity: number },
): Item {
  const [like] = one.items.data;
  return {
    ...like,
    id: world.ids.next("si_", 14),
    created: seconds(world),
    price: ownPrice(world, like.price, amount),
    quantity,
  };
}
