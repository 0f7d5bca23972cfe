import { found, invalid } from "../../api/errors";
import { integer, onlyKnown, required, text } from "../../api/form";
import { type Call, page } from "../../api/lists";
import type { World } from "../../world";
import { advanced, attach, newClock } from "../clocks";
import { customerOf } from "../customers";
import type { Clock } from "../rows";
import { isOver } from "../subscription";
import { after, intervalOf } from "../time";

/** https://docs.stripe.com/api/test_clocks/create */
export function createClock({ world, params }: Call): Clock {
  onlyKnown(params, ["customer", "frozen_time", "name"]);
  required(params, "frozen_time");
  const id = text(params, "customer");
  const customer = id === undefined ? undefined : found(customerOf(world, id), "customer", id, "customer");
  const clock = newClock(world, integer(params, "frozen_time") ?? 0, text(params, "name") ?? null);
  if (customer) attach(world, clock, customer);
  return clock;
}

export const getClock = ({ world, id }: Call): Clock => found(world.ledger.clocks.get(id), "test_clock", id);

export const listClocks = (call: Call) =>
  page(call, call.world.ledger.clocks, { noun: "test_clock", keep: () => true });

/** https://docs.stripe.com/api/test_clocks/advance: at most two intervals of the shortest subscription. */
export function advanceClock({ world, id, params }: Call): Clock {
  onlyKnown(params, ["frozen_time"]);
  required(params, "frozen_time");
  const to = integer(params, "frozen_time") ?? 0;
  const clock = found(world.ledger.clocks.get(id), "test_clock", id);
  if (to <= clock.frozen_time)
    throw invalid("The frozen_time must be later than the current frozen_time.", { param: "frozen_time" });
  if (to > furthest(world, clock))
    throw invalid(
      "You can only advance a test clock by up to two intervals of its shortest subscription at a time.",
      { param: "frozen_time" },
    );
  return advanced(world, clock, to);
}

function furthest(world: World, clock: Clock): number {
  const ends = world.ledger.subscriptions
    .all()
    .filter((one) => one.test_clock === clock.id && !isOver(one))
    .map((one) => after(clock.frozen_time, intervalOf(one.items.data[0].price), 2));
  return Math.min(...ends, after(clock.frozen_time, "year", 2));
}
