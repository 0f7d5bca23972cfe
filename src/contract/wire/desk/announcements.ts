import { z } from "zod";
import { instant } from "../envelope";

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
  posted: z.int().describe("Emails queued so far"),
  sent: z.int().describe("Emails that the mail server accepted"),
  deferred: z.int().describe("Emails that the mail server asked to send later"),
  dropped: z.int().describe("Emails that it refused, that were given up, or that are no longer wanted"),
});
export type AnnouncementRow = z.infer<typeof announcementRow>;

export const announcement = announcementRow.extend({ content: z.string().describe("Markdown") });

export const announcementPreview = z.object({
  subject: z.string(),
  html: z.string().describe("The email as a customer gets it; show it in a sandboxed frame"),
  text: z.string(),
  customers: z.int().describe("How many customers would be checked"),
  recipients: z
    .int()
    .describe("How many of them would be mailed: those that it is meant for and that get such emails"),
  more: z.boolean().describe("Whether there may be more of both: counting stops after two seconds"),
});

export type AnnouncementPreview = z.infer<typeof announcementPreview>;
