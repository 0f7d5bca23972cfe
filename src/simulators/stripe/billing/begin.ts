import { emit } from "../events";
import type { Coupon, Plan, PromotionCode } from "../ledger";
import { listOf } from "../part";
import { type World, seconds } from "../world";
import { draftBill, storeDraft } from "./bill";
import { attempt, issue } from "./collect";
import { newDiscount } from "./discounts";
import { periodLine } from "./lines";
import type { Bill, Customer, Price, SavedMethod, Subscription } from "./rows";
import { day, intervalOf, periodEnd } from "./time";

type Given = {
  customer: Customer;
  method: SavedMethod | null;
  price: Price;
  data: Plan;
  discounts: { coupon: Coupon; code: PromotionCode | null }[];
  automaticTax: boolean;
  session: string | null;
};

/** Begins a subscription, and charges its first invoice. */
export function begin(world: World, given: Given): { subscription: Subscription; bill: Bill } {
  const subscription = newSubscription(world, given);
  const discounts = given.discounts.map((one) =>
    newDiscount(world, {
      ...one,
      customer: given.customer.id,
      subscription: subscription.id,
      session: given.session ?? undefined,
    }),
  );
  const discounted = { ...subscription, discounts: discounts.map(({ id }) => id) };
  world.ledger.put("subscriptions", discounted);
  const draft = draftBill(world, discounted, "subscription_create", [periodLine(world, discounted)]);
  const begun = { ...discounted, latest_invoice: draft.id };
  world.ledger.put("subscriptions", begun);
  emit(world, "customer.subscription.created", begun);
  const issued = issue(world, storeDraft(world, draft));
  const bill =
    issued.status === "open" ? attempt(world, issued, { confirmed: true, manual: false }).bill : issued;
  return { subscription: world.ledger.subscriptions.get(begun.id) ?? begun, bill };
}

/** The end of the trial that a checkout offers, if any. */
export function trialEndOf(world: World, { trialDays }: Pick<Plan, "trialDays">): number | null {
  return trialDays === null ? null : seconds(world) + trialDays * day;
}

function newSubscription(world: World, { customer, method, price, data, automaticTax }: Given): Subscription {
  const id = world.ids.next("sub_1");
  const now = seconds(world);
  const trial_end = trialEndOf(world, data);
  const end = trial_end ?? periodEnd(now, intervalOf(price), now);
  return {
    id,
    object: "subscription",
    automatic_tax: { disabled_reason: null, enabled: automaticTax, liability: null },
    billing_cycle_anchor: trial_end ?? now,
    billing_mode: { flexible: null, type: "flexible" },
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, reason: null },
    collection_method: "charge_automatically",
    created: now,
    currency: price.currency,
    customer: customer.id,
    days_until_due: null,
    default_payment_method: method?.id ?? null,
    default_source: null,
    description: null,
    discounts: [],
    ended_at: null,
    items: listOf(`/v1/subscription_items?subscription=${id}`, [
      {
        id: world.ids.next("si_", 14),
        object: "subscription_item",
        created: now,
        current_period_end: end,
        current_period_start: now,
        discounts: [],
        metadata: {},
        price,
        quantity: 1,
        subscription: id,
        tax_rates: [],
      },
    ]),
    latest_invoice: null,
    livemode: world.live,
    metadata: data.metadata,
    pause_collection: null,
    pending_setup_intent: null,
    schedule: null,
    start_date: now,
    status: trial_end === null ? "active" : "trialing",
    test_clock: customer.test_clock ?? null,
    trial_end,
    trial_start: trial_end === null ? null : now,
  };
}
