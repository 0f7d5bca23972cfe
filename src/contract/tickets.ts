import { z } from "zod";
import { instant } from "./envelope";

/** A ticket as its account's list shows it. */
export const ticketSummary = z.object({
  id: z.string(),
  number: z.int(),
  topic: z.string(),
  state: z.enum(["open", "closed"]),
  opened_at: instant,
  closed_at: instant.nullable(),
  closed_by: z.enum(["member", "staff", "shop"]).nullable(),
  close_reason: z.string().nullable(),
  stars: z.int().nullable().describe("The member's rating, from 1 to 5"),
});
export type TicketSummary = z.infer<typeof ticketSummary>;

const ticketFile = z.object({
  id: z.string(),
  name: z.string(),
  size: z.int(),
  state: z
    .enum(["waiting", "kept", "too_large", "over_quota", "lost"])
    .describe("`over_quota`: beyond what is stored per ticket, per person and day, or in total"),
  picture: z.boolean().describe("Whether it can be shown as a picture"),
});

const ticketMessage = z.object({
  id: z.string(),
  author: z.enum(["member", "guest", "staff", "shop"]).describe("`guest`: another member added by staff"),
  name: z.string(),
  content: z.string().describe("As typed; show it as text, never as markup"),
  at: instant,
  edited_at: instant.nullable(),
  deleted: z.boolean(),
  before: z.array(z.string()).describe("What it said before each edit, oldest first"),
  files: z.array(ticketFile),
});
export type TicketMessage = z.infer<typeof ticketMessage>;

/** A ticket with its messages. */
export const ticketTranscript = ticketSummary.extend({
  question: z.string(),
  reopen_until: instant.nullable().describe("Until then it can be reopened; null if it can't be, or is open"),
  messages: z.array(ticketMessage),
});
export type TicketTranscript = z.infer<typeof ticketTranscript>;
