import * as declared from "@/contract/operations/subscriptions";
import { subscriptionRows } from "../desk/subscriptions";
import { cancelAsStaff } from "../payments/subscriptions/by-staff";
import { implement, theRow } from "./operation";

/** What staff do with a subscription. */
export const subscriptionOperations = {
  cancelSubscription: implement(declared.cancelSubscription, {
    run: async ({ ctx, checkout }, held, { now = false }, by) =>
      cancelAsStaff(ctx, await checkout(), held, { when: now ? "now" : "period_end", by }),
    answer: async ({ ctx }, { subject: { id } }) => theRow(await subscriptionRows(ctx, [id])),
  }),
};
