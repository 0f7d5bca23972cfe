import { z } from "zod";
import { instant } from "./envelope";

/** One of the account's tickets. */
export const ticketSummary = z.object({
  id: z.string(),
  number: z.int(),
  topic: z.string(),
  state: z.enum(["open", "closed"]),
  opened_at: instant,
  closed_at: instant.nullable(),
  closed_by: z.enum(["member", "staff", "shop"]).nullable(),
  close_reason: z.string().nullable(),
  stars: z.int().nullable().describe("What the member gave, from 1 to 5"),
});
export type TicketSummary = z.infer<typeof ticketSummary>;

const ticketFile = z.object({
  id: z.string(),
  name: z.string(),
  size: z.int(),
  state: z
    .enum(["waiting", "kept", "too_large", "over_quota", "lost"])
    .describe("`over_quota`: more was sent than is kept of a ticket, of one person's in a day, or of all"),
  picture: z.boolean().describe("Whether it can be shown as a picture"),
});

const ticketMessage = z.object({
  id: z.string(),
  author: z.enum(["member", "guest", "staff", "shop"]).describe("`guest`: another whom staff let in"),
  name: z.string(),
  content: z.string().describe("As it was typed; to be shown as text and never as markup"),
  at: instant,
  edited_at: instant.nullable(),
  deleted: z.boolean(),
  before: z.array(z.string()).describe("What it said before each edit, oldest first"),
  files: z.array(ticketFile),
});
export type TicketMessage = z.infer<typeof ticketMessage>;

/** A ticket with all that was said in it. */
export const ticketTranscript = ticketSummary.extend({
  question: z.string(),
  reopen_until: instant
    .nullable()
    .describe("Until then it may be opened again; null where it may not, or is open"),
  messages: z.array(ticketMessage),
});
export type TicketTranscript = z.infer<typeof ticketTranscript>;
