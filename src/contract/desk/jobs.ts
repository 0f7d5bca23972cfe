import { z } from "zod";
import { email } from "../accounts";
import { instant } from "../envelope";
import { refusalCodes } from "../refusals";
import { days } from "./licence-operations";
import { filterQuery } from "./lists";
import { reason } from "./reason";

/** The most ids that a bulk job takes. */
export const mostBulkIds = 1_000;
/** The most licences that one job issues. */
const mostIssued = 10_000;

const preview = z.boolean().optional().describe("Only counts what the job would do, and makes none");

export const bulkActions = ["extend", "suspend", "reinstate", "revoke"] as const;
export type BulkAction = (typeof bulkActions)[number];

const id = z.string().min(1).max(64);

/** `POST /api/desk/licences/issue` */
export const issueBody = z.strictObject({
  offer: id.describe("The offer's id"),
  count: z.int().min(1).max(mostIssued),
  email: email
    .optional()
    .describe("Where one mail with all keys goes; without it, they are a file to download"),
  preview,
  reason,
});

/** What a job would do: how many, and the first of them. */
export const jobPreview = z.object({
  total: z.int(),
  sample: z.array(z.object({ id: z.string(), key: z.string().describe("Masked") })).max(10),
});
export type JobPreview = z.infer<typeof jobPreview>;

/** `POST licences/bulk` and `POST licences/issue` answer with a preview or with the job that was made. */
export const jobStarted = z.union([z.object({ job: z.string() }), jobPreview]);

/** `GET /api/desk/jobs/:id` */
export const deskJob = z.object({
  id: z.string(),
  action: z.enum([...bulkActions, "issue"]),
  by: z.object({ id: z.string(), name: z.string().nullable() }).describe("Who made it"),
  done: z.int().describe("Those that were refused, too"),
  total: z.int(),
  refused: z
    .array(z.object({ id: z.string(), code: z.enum(refusalCodes) }))
    .describe("The first 1,000 that were refused"),
  refused_total: z.int(),
  created_at: instant,
  cancelled_at: instant.nullable().describe("When it was cancelled; what was done by then stays done"),
  finished_at: instant.nullable(),
  keys_until: instant.nullable().describe("Until when `keys.csv` has its keys; null where it has none"),
});
export type DeskJob = z.infer<typeof deskJob>;

/** `GET /api/desk/jobs?state=stuck` */
export const stuckQuery = z.strictObject({ state: z.literal("stuck") });

/** A job of the outbox that keeps failing. */
export const stuckJob = z.object({
  id: z.string().describe("For `outbox/:id/retry` and `outbox/:id/drop`"),
  topic: z.string(),
  subject: z.string(),
  attempts: z.int(),
  since: instant,
  due_at: instant,
  last_error: z.string().nullable(),
});
export type StuckJob = z.infer<typeof stuckJob>;
/** The longest waiting first, 100 at most. */
export const stuckJobs = z.object({ rows: z.array(stuckJob) });

/** What `outbox/:id/retry` and `outbox/:id/drop` answer. */
export const outboxOutcome = z.object({ id: z.string(), state: z.enum(["retried", "dropped"]) });

const bulkFilter = filterQuery("licences")
  .refine((filter) => Object.values(filter).some((value) => value !== undefined), "must not be empty")
  .describe("As of `GET licences`: every licence that it finds when the job is made");

/** `POST /api/desk/licences/bulk` */
export const bulkBody = z
  .strictObject({
    action: z.enum(bulkActions),
    ids: z.array(id).min(1).max(mostBulkIds).optional(),
    filter: bulkFilter.optional(),
    days: days.optional().describe("Only of `extend`"),
    preview,
    reason,
  })
  .refine(({ ids, filter }) => (ids === undefined) !== (filter === undefined), {
    path: ["ids"],
    message: "Send ids or a filter, and not both",
    params: { isSentence: true },
  })
  .refine(({ action, days: added }) => (action === "extend") === (added !== undefined), {
    path: ["days"],
    message: "Send days with extend, and only there",
    params: { isSentence: true },
  });
