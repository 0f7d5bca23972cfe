import { type World, seconds } from "../world";
import { catchUp } from "./due";
import type { Clock, Customer } from "./rows";
import { day } from "./time";

export function newClock(world: World, frozen_time: number, name: string | null): Clock {
  return world.ledger.put("clocks", {
    id: world.ids.next("clock_1"),
    object: "test_helpers.test_clock",
    created: seconds(world),
    deletes_after: seconds(world) + 30 * day,
    frozen_time,
    livemode: false,
    name,
    status: "ready",
    status_details: {},
  });
}

/** Puts a customer and their subscriptions on the clock's time. */
export function attach(world: World, clock: Clock, customer: Customer) {
  world.ledger.put("customers", { ...customer, test_clock: clock.id });
  for (const one of world.ledger.subscriptions.group(customer.id))
    world.ledger.put("subscriptions", { ...one, test_clock: clock.id });
}

/** Advances a clock, and does what falls due on the way. */
export function advanced(world: World, clock: Clock, to: number): Clock {
  const moved = world.ledger.put("clocks", { ...clock, frozen_time: to });
  catchUp(world);
  return moved;
}
