import { z } from "zod";

/** `made` comes with 200; `approved` (Stripe could not be reached) and `proposed` (an owner has to decide) with 202. */
const refundOutcomeStates = ["made", "approved", "proposed", "declined"] as const;

/** The answer to `payments/:id/refund`, `refunds/:id/approve` and `refunds/:id/decline`. */
export const refundOutcome = z.object({
  refund: z.string().describe("The refund's id"),
  state: z.enum(refundOutcomeStates),
  amount: z.int().describe("Minor units"),
  currency: z.string(),
  repeated: z
    .literal(true)
    .optional()
    .describe(
      "An earlier request with the same payment, amount and reason made this refund; nothing was refunded now",
    ),
});
export type RefundOutcome = z.infer<typeof refundOutcome>;
