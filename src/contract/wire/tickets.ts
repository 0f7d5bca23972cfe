import { z } from "zod";
import { instant } from "./envelope";
import { maxMessageLength } from "../vocabulary/bounds";
import { cleaned, shownText } from "../vocabulary/typed-text";
import { ticketStates } from "../vocabulary/statuses";

/** A field with 1 to `most` characters of text. */
export const typedText = (most: number) =>
  z
    .string()
    .min(1)
    .max(most)
    .transform(cleaned)
    .refine((text) => shownText(text) !== "", "must contain some text");

export const ticketBody = z.strictObject({
  topic: z.string().max(64).describe("The key of one of the shop's topics"),
  question: typedText(maxMessageLength),
});
export const messageBody = z.strictObject({ text: typedText(maxMessageLength) });
/** A header of what may be sent again because its answer was lost. */
export const onceHeader = z.object({
  "idempotency-key": z
    .string()
    .regex(/^[\w-]{16,64}$/, "must be 16 to 64 letters, digits, underscores or dashes")
    .optional()
    .describe("The sender's own name for this message: sent again under it, it is stored once"),
});
export const ratingBody = z.strictObject({
  stars: z.int().min(1).max(5),
  comment: typedText(1_000).optional(),
});
export const fileQuery = z.object({ name: z.string().min(1).max(400).describe("The file's name") });

/** How soon support usually answers. */
export const answerTime = z.object({
  hours: z
    .int()
    .nullable()
    .describe(
      "Within how many of support's hours a ticket usually has its first answer: the median of 30 days, rounded up; null with fewer than ten",
    ),
});

/** A ticket as its account's list shows it. */
export const ticketSummary = z.object({
  id: z.string(),
  number: z.int(),
  topic: z.string(),
  state: z.enum(ticketStates),
  opened_at: instant,
  closed_at: instant.nullable(),
  closed_by: z.enum(["member", "staff", "shop"]).nullable(),
  close_reason: z.string().nullable(),
  stars: z.int().nullable().describe("The member's rating, from 1 to 5"),
  via: z.enum(["discord", "site"]).describe("Where it was opened"),
  waiting_for: z
    .enum(["staff", "member"])
    .nullable()
    .describe("Who is to write next; null once it is closed"),
  unread: z.boolean().describe("Whether an answer came since the account last asked for the ticket"),
});
export type TicketSummary = z.infer<typeof ticketSummary>;

/** A ticket in the account's list. */
export const listedTicket = ticketSummary.extend({
  last: z
    .object({ author: z.enum(["member", "guest", "staff"]), text: z.string() })
    .describe("The beginning of the newest message; of a new ticket, of the question"),
});
export type ListedTicket = z.infer<typeof listedTicket>;

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
  waiting: z.boolean().describe("Stored here, but not posted yet because Discord is away"),
});
export type TicketMessage = z.infer<typeof ticketMessage>;

/** A ticket without its messages. */
export const ticketDetails = ticketSummary.extend({
  question: z.string(),
  answers_by: z
    .enum(["discord", "mail", "site"])
    .describe("Where answers also appear: in the member's thread, by mail, or only here"),
  reopen_until: instant.nullable().describe("Until then it can be reopened; null if it can't be, or is open"),
  rating_comment: z.string().nullable().describe("What the member wrote beside the stars"),
});
export type TicketDetails = z.infer<typeof ticketDetails>;

export const ticketTranscript = ticketDetails.extend({ messages: z.array(ticketMessage) });
export type TicketTranscript = z.infer<typeof ticketTranscript>;
