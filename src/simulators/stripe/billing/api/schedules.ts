import { found, invalid } from "../../api/errors";
import { onlyKnown } from "../../api/form";
import type { Call } from "../../api/lists";
import { release, scheduleJson } from "../schedule";
import { worldForCustomer } from "../time";

/** https://docs.stripe.com/api/subscription_schedules/release; the portal makes the schedules. */
export function releaseSchedule({ world, id, params }: Call) {
  onlyKnown(params, []);
  const schedule = found(world.ledger.schedules.get(id), "subscription_schedule", id);
  if (schedule.status !== "active" || !schedule.subscription)
    throw invalid(
      `You cannot release a subscription schedule that is currently in the \`${schedule.status}\` status.`,
    );
  release(worldForCustomer(world, schedule.customer), schedule, "released");
  return scheduleJson(found(world.ledger.schedules.get(id), "subscription_schedule", id));
}
