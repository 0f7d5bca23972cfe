import { CircleX } from "lucide-react";
import { cancelSubscription } from "@/contract/operations/payments";
import type { SubscriptionDetails } from "@/contract/wire/desk/details";
import { deskOperation } from "../operation/operation";
import type { OfferedOperations } from "../operation/use-allowed";

/** What staff may do to a subscription. */
export function subscriptionOperations({ id, status }: SubscriptionDetails): OfferedOperations {
  const cancel = deskOperation(cancelSubscription, {
    id,
    name: "Cancel subscription",
    icon: CircleX,
    consequence: () => "It runs until the end of the paid period. Nothing is charged after that.",
    fields: { now: null },
    done: () => "The subscription is canceled",
  });
  const cancelNow = deskOperation(cancelSubscription, {
    id,
    name: "Cancel now",
    icon: CircleX,
    grave: true,
    consequence: () =>
      "Ends it at Stripe now. The license lasts until the end of the paid period, and nothing is refunded.",
    fields: { now: null },
    sent: () => ({ now: true }),
    done: () => "The subscription has ended",
  });
  return [status !== "ending" && status !== "ended" && cancel, status !== "ended" && cancelNow];
}
