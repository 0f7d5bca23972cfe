import { z } from "zod";
import { email } from "../accounts";
import { reasonBody, withReason } from "./reason";

/**
 * The bodies of `POST /api/desk/payments/:id/VERB`, by verb; `refund` answers with {@link refundOutcome}, all others
 * with the payment's row.
 */
export const paymentBodies = {
  refund: withReason({
    amount: z.int().min(1).max(99_999_999).optional().describe("Minor units; without it, all that is left"),
  }),
  resend: reasonBody,
  "correct-email": withReason({
    email,
    receiver: z.boolean().optional().describe("The address of the gift's receiver, not the buyer's"),
  }),
  sync: reasonBody,
  contest: reasonBody,
} as const;

/** `made` with 200; with 202 `approved` while Stripe is away, and `proposed` by support for an owner to decide. */
const refundOutcomeStates = ["made", "approved", "proposed", "declined"] as const;

/** What `payments/:id/refund`, `refunds/:id/approve` and `refunds/:id/decline` answer. */
export const refundOutcome = z.object({
  refund: z.string().describe("The refund's id"),
  state: z.enum(refundOutcomeStates),
  amount: z.int().describe("Minor units"),
  currency: z.string(),
  repeated: z
    .literal(true)
    .optional()
    .describe("The same request (payment, amount and reason) had made it before; nothing was refunded now"),
});
export type RefundOutcome = z.infer<typeof refundOutcome>;

/** The bodies of `POST /api/desk/refunds/:id/VERB`. */
export const refundBodies = { approve: reasonBody, decline: reasonBody } as const;
