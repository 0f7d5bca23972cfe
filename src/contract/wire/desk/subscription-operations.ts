import { z } from "zod";
import { withReason } from "./reason";

/** The bodies of `POST /api/desk/subscriptions/:id/VERB`, by verb. */
export const subscriptionBodies = {
  cancel: withReason({
    now: z.boolean().optional().describe("At once, instead of at the end of what was paid"),
  }),
} as const;
