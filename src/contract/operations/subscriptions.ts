import { flag } from "../vocabulary/fields";
import { operation } from "./operation";

export const cancelSubscription = operation({
  on: "subscription",
  name: "subscription.cancel",
  roles: ["operator", "owner"],
  call: "POST subscriptions/{id}/cancel",
  command: "subscriptions cancel <subscription>",
  reason: "required",
  fields: { now: flag({ label: "At once", about: "At once, instead of at the end of what was paid" }) },
  answers: "subscription",
  summary: "Cancel a subscription, at the end of what was paid or at once",
});
