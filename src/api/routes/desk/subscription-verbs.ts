import { subscriptionRow } from "@/contract/wire/desk/rows";
import { subscriptionBodies } from "@/contract/wire/desk/subscription-operations";
import { subscriptionRows } from "@/domain/desk/subscriptions";
import { cancelAsStaff } from "@/domain/payments/subscriptions/by-staff";
import { subscriptionNamed } from "@/domain/payments/subscriptions/for-staff";
import { theRow } from "../../desk-row";
import type { Shop } from "../../shop";
import { askingStripe } from "../../stripe-faults";
import { verb, verbRoutes } from "./verbs";

/** /api/desk/subscriptions/{id}: what staff can do with a subscription. */
export function deskSubscriptionVerbs(shop: Shop) {
  const { ctx, checkout } = shop;
  return verbRoutes(shop, [
    verb({
      path: "/subscriptions/{id}/cancel",
      summary: "Cancel a subscription, at the end of what was paid or at once",
      operation: "subscription.cancel",
      body: subscriptionBodies.cancel,
      data: subscriptionRow,
      async act({ id, body: { now = false }, by }) {
        const held = await subscriptionNamed(ctx, id);
        const when = now ? ("now" as const) : ("period_end" as const);
        await askingStripe(() => cancelAsStaff(ctx, checkout, held, { when, by }));
        return theRow(await subscriptionRows(ctx, [held.id]));
      },
    }),
  ]);
}
