import { z } from "zod";
import { email } from "../accounts";
import { instant } from "../envelope";
import { refusalCodes } from "../../vocabulary/refusals";
import { days } from "./licence-operations";
import { filterQuery } from "./lists";
import { reason } from "./reason";
import { mostIssued } from "../../vocabulary/bounds";

/** The most ids that a bulk job accepts. */
export const mostBulkIds = 1_000;

const preview = z.boolean().optional().describe("Only counts what the job would do, without making it");

export const bulkActions = ["extend", "suspend", "reinstate", "revoke"] as const;
export type BulkAction = (typeof bulkActions)[number];

const id = z.string().min(1).max(64);

/** `POST /api/desk/licences/issue` */
export const issueBody = z.strictObject({
  offer: id.describe("The offer's id"),
  count: z.int().min(1).max(mostIssued),
  email: email
    .optional()
    .describe("The address that gets all keys in one email; without it, they are a file to download"),
  preview,
  reason,
});

/** How many licences a job would change or make, and the first of them. */
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
  done: z.int().describe("Including those that were refused"),
  total: z.int(),
  refused: z
    .array(z.object({ id: z.string(), code: z.enum(refusalCodes) }))
    .describe("The first 1,000 licenses that were refused"),
  refused_total: z.int(),
  created_at: instant,
  cancelled_at: instant.nullable().describe("When it was cancelled; what was done by then stays done"),
  finished_at: instant.nullable(),
  keys_until: instant.nullable().describe("Until when `keys.csv` can be downloaded; null if it can't"),
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
/** Those waiting longest first, at most 100. */
export const stuckJobs = z.object({ rows: z.array(stuckJob) });

/** The answer to `outbox/:id/retry` and `outbox/:id/drop`. */
export const outboxOutcome = z.object({ id: z.string(), state: z.enum(["retried", "dropped"]) });

const bulkFilter = filterQuery("licences")
  .refine((filter) => Object.values(filter).some((value) => value !== undefined), "must not be empty")
  .describe("The filters of `GET licences`: the job takes every license that they find when it is made");

/** `POST /api/desk/licences/bulk` */
export const bulkBody = z
  .strictObject({
    action: z.enum(bulkActions),
    ids: z.array(id).min(1).max(mostBulkIds).optional(),
    filter: bulkFilter.optional(),
    days: days.optional().describe("Only for `extend`"),
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
