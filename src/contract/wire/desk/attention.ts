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
  "discord_away",
  "refused_events",
  "missed_events",
  "full_disk",
  "overdue_backup",
  "unlike_processes",
  "nothing_on_sale",
  "levels_from_orders",
  "moving_roles",
  "legal_templates",
  "rejected_mail",
  "restored",
  "doctor",
] as const;
export type AttentionKind = (typeof attentionKinds)[number];

/** Counting stops here; a screen writes `1000+`. */
export const maxAttentionCount = 1_000;

/** The newest of them that a line shows. */
export const maxLostReceipts = 3;

/** An email that brings what was bought, and that the mail server refused. */
const lostReceipt = z.object({
  payment: z.string().describe("Our id of the payment"),
  letter: z.enum(["receipt", "gift"]),
  to: z.string(),
  refused_at: instant,
  words: z.string().describe("What the mail server answered, without addresses"),
});
export type LostReceipt = z.infer<typeof lostReceipt>;

export const attention = z
  .array(
    z.object({
      kind: z.enum(attentionKinds),
      count: z.int().min(1).max(maxAttentionCount).describe(`Counting stops at ${maxAttentionCount}`),
      since: instant.nullable().describe("When the oldest began; null if that is not known"),
      due: instant.nullable().describe("For disputes, the next deadline; otherwise null"),
      receipts: z
        .array(lostReceipt)
        .optional()
        .describe(`Of orders whose receipts never arrived, those of the newest ${maxLostReceipts}`),
      words: z
        .string()
        .optional()
        .describe(
          "Of mail that is refused, the first words of the server's reply; of a disk, how much is free; of processes, what they differ in; of roles, how many are moved",
        ),
      link: z.string().describe("The path under /desk where it can be settled"),
    }),
  )
  .describe("Only kinds that have something");
export type Attention = z.infer<typeof attention>;
