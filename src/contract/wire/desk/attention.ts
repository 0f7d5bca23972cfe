import { z } from "zod";
import { instant } from "../envelope";

export const attentionKinds = [
  "disputes",
  "refund_proposals",
  "refund_failures",
  "address_proposals",
  "fraud_warnings",
  "mismatches",
  "stuck_jobs",
  "past_due_subscriptions",
  "waiting_tickets",
  "failing_webhooks",
  "refusing_mail",
  "lost_receipts",
  "rejected_mail",
  "restored",
  "doctor",
] as const;
export type AttentionKind = (typeof attentionKinds)[number];

/** Counting stops here; a screen writes `1000+`. */
export const maxAttentionCount = 1_000;

export const attention = z
  .array(
    z.object({
      kind: z.enum(attentionKinds),
      count: z.int().min(1).max(maxAttentionCount).describe(`Counting stops at ${maxAttentionCount}`),
      since: instant.nullable().describe("When the oldest began; null if that is not known"),
      due: instant.nullable().describe("For disputes, the next deadline; otherwise null"),
      words: z.string().optional().describe("Of mail that is refused, the first words of the server's reply"),
      link: z.string().describe("The path under /desk where it can be settled"),
    }),
  )
  .describe("Only kinds that have something");
export type Attention = z.infer<typeof attention>;
