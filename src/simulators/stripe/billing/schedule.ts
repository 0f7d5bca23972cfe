import { invalid } from "../api/errors";
import { emit } from "../events";
import { type World, seconds } from "../world";
import type { Phase, Price, Schedule, Subscription } from "./rows";
import { changeSubscription, isOver, withItem } from "./subscription";

export const scheduleOf = (world: World, { schedule }: Subscription): Schedule | undefined =>
  world.ledger.schedules.get(schedule ?? "");

/** A schedule as Stripe shows it. */
export const scheduleJson = ({ phases, ...schedule }: Schedule) => ({
  ...schedule,
  phases: phases.map(({ start_date, end_date, price }) => ({
    start_date,
    end_date,
    items: [{ price, plan: price, quantity: 1, discounts: [], metadata: {} }],
    proration_behavior: "none" as const,
    trial_end: null,
    metadata: {},
  })),
});

/** A schedule whose only phase is the subscription's present period. */
export function beginSchedule(world: World, subscription: Subscription): Schedule {
  if (isOver(subscription)) throw invalid("You can't migrate a canceled subscription to a schedule.");
  if (subscription.schedule)
    throw invalid("You cannot migrate a subscription that is already attached to a schedule.");
  const { current_period_start, current_period_end, price } = subscription.items.data[0];
  const phase = { start_date: current_period_start, end_date: current_period_end };
  const schedule = world.ledger.put("schedules", {
    id: world.ids.next("sub_sched_1"),
    object: "subscription_schedule",
    canceled_at: null,
    completed_at: null,
    created: seconds(world),
    current_phase: phase,
    customer: subscription.customer,
    end_behavior: "release",
    livemode: world.live,
    metadata: {},
    phases: [{ ...phase, price: price.id }],
    released_at: null,
    released_subscription: null,
    status: "active",
    subscription: subscription.id,
  });
  changeSubscription(world, subscription, { schedule: schedule.id });
  emit(world, "subscription_schedule.created", scheduleJson(schedule));
  return schedule;
}

/** Sets a schedule's phases. */
export function planPhases(world: World, schedule: Schedule, phases: Phase[]): Schedule {
  const now = seconds(world);
  const current = phases.find(({ start_date, end_date }) => start_date <= now && now < end_date);
  if (!current) throw invalid("The current phase must be among the phases.", { param: "phases" });
  const { start_date, end_date } = current;
  const planned = world.ledger.put("schedules", {
    ...schedule,
    current_phase: { start_date, end_date },
    phases,
  });
  emit(world, "subscription_schedule.updated", scheduleJson(planned), scheduleJson(schedule));
  return planned;
}

/** When the next phase of a subscription's schedule begins, or the last one ends; null without a schedule. */
export function nextPhaseStart(world: World, subscription: Subscription): number | null {
  const schedule = scheduleOf(world, subscription);
  return schedule?.current_phase?.end_date ?? null;
}

/** The price with which a subscription's next period begins. */
export function nextPrice(world: World, subscription: Subscription): Price {
  const { price, current_period_end: end } = subscription.items.data[0];
  const boundary = nextPhaseStart(world, subscription);
  if (boundary === null || boundary > end) return price;
  const phases = scheduleOf(world, subscription)?.phases ?? [];
  const next = phases.find(({ start_date, end_date }) => start_date <= end && end < end_date);
  return world.ledger.prices.get(next?.price ?? "") ?? price;
}

/** Starts the schedule's next phase, with its price; after the last phase, releases the subscription. */
export function enterPhase(world: World, subscription: Subscription): Subscription {
  const schedule = scheduleOf(world, subscription);
  if (!schedule) return subscription;
  const now = seconds(world);
  const next = schedule.phases.find(({ start_date, end_date }) => start_date <= now && now < end_date);
  const price = next && world.ledger.prices.get(next.price);
  if (!next || !price) return release(world, schedule, "completed");
  const { start_date, end_date } = next;
  world.ledger.put("schedules", { ...schedule, current_phase: { start_date, end_date } });
  return changeSubscription(world, subscription, { items: withItem(subscription, { price }) });
}

/** Releases the subscription from its schedule, and leaves it as it is. */
export function release(world: World, schedule: Schedule, status: "released" | "completed"): Subscription {
  const id = schedule.subscription ?? "";
  const subscription = world.ledger.subscriptions.get(id);
  if (!subscription) throw new Error(`no subscription ${id}`);
  const now = seconds(world);
  const freed: Schedule = {
    ...schedule,
    current_phase: null,
    released_at: status === "released" ? now : null,
    completed_at: status === "completed" ? now : null,
    released_subscription: id,
    status: schedule.end_behavior === "release" ? "released" : status,
    subscription: null,
  };
  world.ledger.put("schedules", freed);
  emit(
    world,
    status === "released" ? "subscription_schedule.released" : "subscription_schedule.completed",
    scheduleJson(freed),
  );
  return changeSubscription(world, subscription, { schedule: null });
}
