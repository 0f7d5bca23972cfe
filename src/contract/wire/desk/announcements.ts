import { z } from "zod";
import { instant } from "../envelope";
import { oneLine } from "../../vocabulary/plain-words";
import { cleaned } from "../typed-text";
import { withReason } from "./reason";
import { mostOfATitle, mostOfNews } from "../../vocabulary/bounds";

export const announcementRow = z.object({
  id: z.string(),
  subject: z.string(),
  licensed_only: z.boolean().describe("Only to customers with an active license"),
  offer: z.string().nullable().describe("Only to customers of this offer"),
  state: z.enum(["under_way", "done", "stopped"]),
  created_at: instant,
  stopped_at: instant.nullable(),
  customers: z.int().describe("How many customers are checked; those that it is not meant for get nothing"),
  looked: z.int().describe("How many of them were checked so far"),
  posted: z.int().describe("Letters queued so far"),
  sent: z.int().describe("Letters that the mail server accepted"),
  deferred: z.int().describe("Letters that the mail server asked to send later"),
  dropped: z.int().describe("Letters that it refused, that were given up, or that are no longer wanted"),
});
export type AnnouncementRow = z.infer<typeof announcementRow>;

export const announcement = announcementRow.extend({ content: z.string().describe("Markdown") });

const letter = {
  subject: z
    .string()
    .max(1_000)
    .overwrite(oneLine)
    .refine(
      (text) => text.length >= 1 && text.length <= mostOfATitle,
      `must have 1 to ${mostOfATitle} characters`,
    ),
  content: z.string().max(mostOfNews).overwrite(cleaned).check(z.minLength(1)).describe("Markdown"),
};
const audience = {
  licensed_only: z.boolean().default(false),
  offer: z.string().max(64).nullable().default(null),
};

export const announcementBody = withReason({ ...letter, ...audience });
/** Mailed only to the member of staff who asks. */
export const announcementTestBody = withReason(letter);
/** Changes nothing, so it needs no reason. */
export const announcementPreviewBody = z.strictObject({ ...letter, ...audience });

export const announcementPreview = z.object({
  subject: z.string(),
  html: z.string().describe("The letter as a customer gets it; show it in a sandboxed frame"),
  text: z.string(),
  customers: z.int().describe("How many customers would be checked"),
  recipients: z
    .int()
    .describe("How many of them would be mailed: those that it is meant for and that get such emails"),
  more: z.boolean().describe("Whether there may be more of both: counting stops after two seconds"),
});

export type AnnouncementPreview = z.infer<typeof announcementPreview>;

export const announcementParams = z.object({ id: z.string().max(64) });
