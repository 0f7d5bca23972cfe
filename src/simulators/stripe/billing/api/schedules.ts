import { found, invalid } from "../../api/errors";
import { type Form, integer, items, merged, onlyKnown, part, required, text } from "../../api/form";
import { type Call, page } from "../../api/lists";
import { emit } from "../../events";
import { type World, seconds } from "../../world";
import type { Phase, Schedule, Subscription } from "../rows";
import { release, seenSchedule } from "../schedule";
import { changeSubscription, isOver } from "../subscription";
import { after, worldOf } from "../time";
import { priceOf } from "./prices";

/** https://docs.stripe.com/api/subscription_schedules/create, from a subscription. */
export function createSchedule({ world: now, params }: Call) {
  onlyKnown(params, ["from_subscription"]);
  const id = required(params, "from_subscription");
  const subscription = found(now.ledger.subscriptions.get(id), "subscription", id, "from_subscription");
  return seenSchedule(beginSchedule(worldOf(now, subscription.customer), subscription));
}

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
  emit(world, "subscription_schedule.created", seenSchedule(schedule));
  return schedule;
}

const scheduleIn = ({ world, id }: Call): Schedule =>
  found(world.ledger.schedules.get(id), "subscription_schedule", id);

export const getSchedule = (call: Call) => seenSchedule(scheduleIn(call));

export function listSchedules(call: Call) {
  const customer = text(call.params, "customer");
  return page(call, call.world.ledger.schedules, {
    noun: "subscription_schedule",
    show: seenSchedule,
    keep: (one) => customer === undefined || one.customer === customer,
  });
}

function active(call: Call): { world: World; schedule: Schedule } {
  const schedule = scheduleIn(call);
  if (schedule.status !== "active" || !schedule.subscription)
    throw invalid(
      `You cannot update a subscription schedule that is currently in the \`${schedule.status}\` status.`,
    );
  return { schedule, world: worldOf(call.world, schedule.customer) };
}

/** https://docs.stripe.com/api/subscription_schedules/update */
export function updateSchedule(call: Call) {
  const { params } = call;
  onlyKnown(params, ["end_behavior", "metadata", "phases", "proration_behavior"]);
  const { world, schedule } = active(call);
  const phases = "phases" in params ? phasesIn(world, items(params, "phases"), schedule) : schedule.phases;
  const end = text(params, "end_behavior") ?? schedule.end_behavior;
  if (end !== "release" && end !== "cancel") throw invalid("Invalid end_behavior", { param: "end_behavior" });
  return seenSchedule(
    planPhases(
      world,
      { ...schedule, end_behavior: end, metadata: merged(schedule.metadata ?? {}, params) },
      phases,
    ),
  );
}

/** Gives a schedule its phases. */
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
  emit(world, "subscription_schedule.updated", seenSchedule(planned), seenSchedule(schedule));
  return planned;
}

function phasesIn(world: World, given: (string | Form)[], { phases: held }: Schedule): Phase[] {
  let start = held[0]?.start_date ?? seconds(world);
  return given.map((form) => {
    if (typeof form === "string") throw invalid("Invalid object", { param: "phases" });
    const [item] = items(form, "items");
    const id = item && typeof item !== "string" ? required(item, "price") : required(form, "items");
    const price = priceOf(world, id, "phases[items][price]");
    const start_date = integer(form, "start_date") ?? start;
    const duration = part(form, "duration");
    const usual = price.recurring ?? { interval: "month", interval_count: 1 };
    const interval = (duration ? required(duration, "interval") : usual.interval) as "month";
    const interval_count = (duration ? integer(duration, "interval_count") : usual.interval_count) ?? 1;
    start = integer(form, "end_date") ?? after(start_date, { interval, interval_count });
    return { start_date, end_date: start, price: id };
  });
}

/** https://docs.stripe.com/api/subscription_schedules/release */
export function releaseSchedule(call: Call) {
  onlyKnown(call.params, ["preserve_cancel_date"]);
  const { world, schedule } = active(call);
  release(world, schedule, "released");
  return getSchedule(call);
}
