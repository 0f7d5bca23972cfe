import { emit } from "../events";
import { type World, seconds } from "../world";
import type { Schedule, Subscription } from "./rows";
import { changeSubscription, withItem } from "./subscription";

export const scheduleOf = (world: World, { schedule }: Subscription): Schedule | undefined =>
  world.ledger.schedules.get(schedule ?? "");

/** A schedule as Stripe shows it. */
export const seenSchedule = ({ phases, ...schedule }: Schedule) => ({
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

/** When the next phase of a subscription's schedule begins, or the last one ends; null without a schedule. */
export function nextPhaseStart(world: World, subscription: Subscription): number | null {
  const schedule = scheduleOf(world, subscription);
  return schedule?.current_phase?.end_date ?? null;
}

/** Enters the next phase of the schedule: its price holds from now on. After the last one the schedule lets go. */
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

/** The schedule lets go of its subscription, which goes on as it is. */
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
    seenSchedule(freed),
  );
  return changeSubscription(world, subscription, { schedule: null });
}
