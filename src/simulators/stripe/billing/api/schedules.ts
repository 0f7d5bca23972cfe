import { found, invalid } from "../../api/errors";
import { type Form, integer, items, merged, onlyKnown, part, required, text } from "../../api/form";
import { type Call, page } from "../../api/lists";
import { type World, seconds } from "../../world";
import type { Phase, Schedule } from "../rows";
import { beginSchedule, planPhases, release, seenSchedule } from "../schedule";
import { after, intervalOf, worldOf } from "../time";
import { priceOf } from "./prices";

/** https://docs.stripe.com/api/subscription_schedules/create, from a subscription. */
export function createSchedule({ world: now, params }: Call) {
  onlyKnown(params, ["from_subscription"]);
  const id = required(params, "from_subscription");
  const subscription = found(now.ledger.subscriptions.get(id), "subscription", id, "from_subscription");
  return seenSchedule(beginSchedule(worldOf(now, subscription.customer), subscription));
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

function phasesIn(world: World, given: (string | Form)[], { phases: held }: Schedule): Phase[] {
  let start = held[0]?.start_date ?? seconds(world);
  return given.map((form) => {
    if (typeof form === "string") throw invalid("Invalid object", { param: "phases" });
    const [item] = items(form, "items");
    const id = item && typeof item !== "string" ? required(item, "price") : required(form, "items");
    const price = priceOf(world, id, "phases[items][price]");
    const start_date = integer(form, "start_date") ?? start;
    const duration = part(form, "duration");
    const interval = (duration ? required(duration, "interval") : intervalOf(price)) as "month";
    const count = (duration ? integer(duration, "interval_count") : 1) ?? 1;
    start = integer(form, "end_date") ?? after(start_date, interval, count);
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
