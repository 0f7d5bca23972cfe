import type { World } from "../world";
import { planSwitch, type Proration, saysTo, switchTo } from "./change";
import { ending, notEnding } from "./ending";
import type { PortalFeatures, Price, Subscription } from "./rows";
import { beginSchedule, planPhases, release, scheduleOf } from "./schedule";
import { changeSubscription } from "./subscription";
import { after, intervalOf, lengthOf } from "./time";

/** The prices to which the portal lets a subscription switch. */
export function choices(
  world: World,
  { subscription_update: update }: PortalFeatures,
  one: Subscription,
): Price[] {
  const [{ price }] = one.items.data;
  if (!update.enabled || !update.default_allowed_updates.includes("price")) return [];
  return update.products
    .flatMap(({ prices }) => prices)
    .flatMap((id) => world.ledger.prices.get(id) ?? [])
    .filter((other) => other.active && other.id !== price.id && other.currency === price.currency);
}

/** Whether the portal's configuration has a switch wait for the period's end. */
export function waits({ subscription_update }: PortalFeatures, one: Subscription, price: Price): boolean {
  const [{ price: held }] = one.items.data;
  const { conditions } = subscription_update.schedule_at_period_end;
  return conditions.some(({ type }) =>
    type === "shortening_interval" ? lengthOf(price) < lengthOf(held) : price.unit_amount < held.unit_amount,
  );
}

/** The outcome of a switch in the portal: done, or the bank's objection. */
export type Switched = "done" | "asks" | { message: string };

/** Switches a subscription as the portal does: at once, or by a schedule at the period's end. */
export function switchInPortal(
  world: World,
  features: PortalFeatures,
  subscription: Subscription,
  { price, confirmed }: { price: Price; confirmed: boolean },
): Switched {
  if (waits(features, subscription, price)) {
    planChange(world, subscription, price);
    return "done";
  }
  const update = features.subscription_update;
  const planned = planSwitch(world, subscription, price, update.proration_behavior as Proration);
  const says = saysTo(world, subscription, planned);
  if (says === "no card") return { message: "Add a payment method first." };
  if (typeof says === "object") return { message: says.message };
  if (says === "asks" && !confirmed) return "asks";
  switchTo(world, unplanned(world, subscription), { planned, confirmed });
  return "done";
}

/** Schedules the new price for the period's end. */
function planChange(world: World, subscription: Subscription, price: Price) {
  const schedule = scheduleOf(world, subscription) ?? beginSchedule(world, subscription);
  const { current_period_start, current_period_end: end, price: held } = subscription.items.data[0];
  planPhases(world, schedule, [
    { start_date: current_period_start, end_date: end, price: held.id },
    { start_date: end, end_date: after(end, intervalOf(price)), price: price.id },
  ]);
}

/** Releases the subscription from a planned change, if it has one. */
export function unplanned(world: World, subscription: Subscription): Subscription {
  const schedule = scheduleOf(world, subscription);
  return schedule ? release(world, schedule, "released") : subscription;
}

/** Cancels at the period's end. The portal sets the moment, not the flag. */
export function cancelInPortal(world: World, given: Subscription): Subscription {
  const one = unplanned(world, given);
  const when = { cancel_at: one.items.data[0].current_period_end, cancel_at_period_end: false };
  return changeSubscription(world, one, ending(world, one, when));
}

export const resumeInPortal = (world: World, one: Subscription): Subscription =>
  changeSubscription(world, one, notEnding(one));
