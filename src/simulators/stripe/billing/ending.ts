import { type World, seconds } from "../world";
import type { Subscription } from "./rows";

/** The fields of a subscription that will end; `canceled_at` is when that was first asked for. */
export const ending = (
  world: World,
  held: Subscription,
  when: Pick<Subscription, "cancel_at" | "cancel_at_period_end">,
): Partial<Subscription> => ({
  ...when,
  canceled_at: held.canceled_at ?? seconds(world),
  cancellation_details: { ...held.cancellation_details, reason: "cancellation_requested" },
});

/** The fields of a subscription that will not end after all. */
export const notEnding = ({ cancellation_details }: Subscription): Partial<Subscription> => ({
  cancel_at: null,
  cancel_at_period_end: false,
  canceled_at: null,
  cancellation_details: { ...cancellation_details, feedback: null, reason: null },
});
