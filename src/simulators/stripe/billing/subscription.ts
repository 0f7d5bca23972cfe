import { emit } from "../events";
import type { World } from "../world";
import type { Bill, Item, Subscription } from "./rows";

/** The subscription of an invoice. */
export function subscriptionOf(world: World, bill: Bill): Subscription {
  const id = bill.parent.subscription_details.subscription;
  const subscription = world.ledger.subscriptions.get(id);
  if (subscription === undefined) throw new Error(`no subscription ${id}`);
  return subscription;
}

/** Whether a subscription has ended. */
export const isOver = ({ status }: Subscription): boolean =>
  status === "canceled" || status === "incomplete_expired";

/** Updates a subscription; emits its event if anything changed. */
export function changeSubscription(
  world: World,
  { id }: Subscription,
  change: Partial<Subscription>,
  type: "updated" | "paused" | "resumed" = "updated",
): Subscription {
  const before = world.ledger.subscriptions.get(id);
  if (before === undefined) throw new Error(`no subscription ${id}`);
  const after = { ...before, ...change };
  if (JSON.stringify(after) === JSON.stringify(before)) return before;
  world.ledger.put("subscriptions", after);
  emit(world, "customer.subscription.updated", after, before);
  if (type !== "updated") emit(world, `customer.subscription.${type}`, after);
  return after;
}

/** The subscription's items with the first one changed; the others have the same period. */
export function withItem({ items }: Subscription, change: Partial<Item>): Subscription["items"] {
  const [held, ...others] = items.data;
  const first = { ...held, ...change };
  const { current_period_start, current_period_end } = first;
  return {
    ...items,
    data: [first, ...others.map((one) => ({ ...one, current_period_start, current_period_end }))],
  };
}
