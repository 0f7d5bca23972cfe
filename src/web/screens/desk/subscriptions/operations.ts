import { CircleX } from "lucide-react";
import type { SubscriptionDetails } from "@/contract/wire/desk/details";
import { writeDesk } from "../../../api/desk/call";
import type { StaffRole } from "../../../api/desk/session";
import type { Operation } from "../operation/operation";
import { allowed } from "../operation/rights";

/** What this role may do to a subscription. */
export function subscriptionOperations(role: StaffRole, { id, status }: SubscriptionDetails): Operation[] {
  const send = (reason: string, now: boolean) => writeDesk(`subscriptions/${id}/cancel`, { reason, now });
  const cancel: Operation = {
    name: "Cancel subscription",
    icon: CircleX,
    consequence: () => "Lets it run until the end of what was paid. Nothing is charged after that.",
    run: (_, reason) => send(reason, false),
    done: () => "The subscription is canceled",
  };
  const cancelNow: Operation = {
    name: "Cancel at once",
    icon: CircleX,
    grave: true,
    consequence: () =>
      "Ends it at Stripe now. The license lasts until the end of what was paid, and nothing is refunded.",
    run: (_, reason) => send(reason, true),
    done: () => "The subscription has ended",
  };
  return allowed<Operation>(role, [
    ["cancel", status === "ending" || status === "ended" ? null : cancel],
    ["cancel", status === "ended" ? null : cancelNow],
  ]);
}
