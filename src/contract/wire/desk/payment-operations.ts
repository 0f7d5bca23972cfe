import { z } from "zod";
import { email } from "../accounts";
import { reasonBody, withReason } from "./reason";
import { mostPrice } from "../../vocabulary/bounds";

/**
 * The bodies of `POST /api/desk/payments/:id/VERB`, by verb; `refund` answers with {@link refundOutcome}, a proposed
 * address with its row, all others with the payment's row.
 */
export const paymentBodies = {
  refund: withReason({
    amount: z
      .int()
      .min(1)
      .max(mostPrice)
      .optional()
      .describe("In minor units; everything that is left if left out"),
    keep: z
      .boolean()
      .optional()
      .describe(
        "Of a subscription's payment, for owners: whether the license and the subscription go on, also after a full refund",
      ),
  }),
  resend: reasonBody,
  "correct-email": withReason({
    email,
    receiver: z
      .boolean()
      .optional()
      .describe("Whether to replace the address of the gift's receiver instead of the buyer's"),
  }),
  sync: reasonBody,
  contest: reasonBody,
} as const;

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

/** The bodies of `POST /api/desk/refunds/:id/VERB` and `corrections/:id/VERB`. */
export const decisionBodies = { approve: reasonBody, decline: reasonBody } as const;
