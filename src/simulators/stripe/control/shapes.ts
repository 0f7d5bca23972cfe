import { z } from "zod";

const amount = z.int().positive();
const named = z
  .object({ session: z.string().optional(), payment_intent: z.string().optional() })
  .refine((given) => given.session !== undefined || given.payment_intent !== undefined, {
    message: "name a session or a payment_intent",
  });

/** Bodies of the control API. */
export const shapes = {
  named,
  pay: z.object({
    session: z.string(),
    outcome: z.enum(["paid", "declined", "processing"]).default("paid"),
    email: z.email().default("buyer@example.com"),
    name: z.string().optional(),
    decline: z
      .enum(["generic_decline", "insufficient_funds", "expired_card", "incorrect_cvc", "processing_error"])
      .optional(),
  }),
  settle: named.and(z.object({ outcome: z.enum(["succeed", "fail"]) })),
  refund: named.and(
    z.object({
      amount: amount.optional(),
      status: z.enum(["succeeded", "pending", "failed"]).optional(),
      reason: z.enum(["duplicate", "fraudulent", "requested_by_customer"]).optional(),
    }),
  ),
  refundMove: z.object({ refund: z.string(), status: z.enum(["succeeded", "failed", "canceled"]) }),
  dispute: named.and(
    z.object({
      status: z
        .enum([
          "needs_response",
          "under_review",
          "won",
          "lost",
          "warning_needs_response",
          "warning_under_review",
          "warning_closed",
        ])
        .default("needs_response"),
      reason: z.string().optional(),
      amount: amount.optional(),
    }),
  ),
  alter: z.object({
    session: z.string(),
    amount_total: z.int().optional(),
    currency: z.string().optional(),
    livemode: z.boolean().optional(),
    mode: z.string().optional(),
    payment_status: z.string().optional(),
    status: z.string().optional(),
    metadata: z.record(z.string(), z.string()).optional(),
    client_reference_id: z.string().nullable().optional(),
    customer_details: z.object({ email: z.email() }).optional(),
  }),
  faults: z.object({
    api: z
      .object({
        latencyMs: z.number().nonnegative(),
        away: z.boolean(),
        next: z.array(
          z.object({
            fail: z.union([z.literal([402, 429, 500, 503]), z.literal("drop")]),
            count: z.int().positive().default(1),
            when: z.enum(["before", "after"]).default("before"),
            path: z.string().optional(),
            method: z.enum(["GET", "POST"]).optional(),
          }),
        ),
      })
      .partial()
      .optional(),
    webhooks: z
      .object({
        drop: z.union([z.int().nonnegative(), z.literal("all")]),
        repeat: z.int().min(1).max(100),
        delayMs: z.number().nonnegative(),
        shuffleMs: z.number().nonnegative(),
      })
      .partial()
      .optional(),
  }),
  key: z.object({
    key: z.string().regex(/^[sr]k_(test|live)_\w+$/),
    lacks: z.array(z.string().regex(/_(read|write)$/)).default([]),
  }),
  redeliver: z.object({ event: z.string() }),
  webhookUrl: z.object({ url: z.url().nullable() }),
  flush: z.object({ timeout_ms: z.number().nonnegative().max(60_000).default(10_000) }),
  clock: z.object({ advance_seconds: z.int() }),
};

export type Named = z.infer<typeof shapes.named>;
export type Pay = z.infer<typeof shapes.pay>;
export type Settle = z.infer<typeof shapes.settle>;
export type Refund = z.infer<typeof shapes.refund>;
export type RefundMove = z.infer<typeof shapes.refundMove>;
export type Dispute = z.infer<typeof shapes.dispute>;
export type Alter = z.infer<typeof shapes.alter>;
export type FaultChange = z.infer<typeof shapes.faults>;
