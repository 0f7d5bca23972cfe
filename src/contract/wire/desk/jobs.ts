import { z } from "zod";
import { instant } from "../envelope";
import { refusalCodes } from "../../vocabulary/refusals";
import { filterQuery } from "./lists";
import { bulkActions } from "../../vocabulary/kinds";
import { importOutcomes } from "../../vocabulary/import-files";

export const maxBulkIds = 1_000;

/** How many licences a job would change or create, and the first of them. */
export const jobPreview = z.object({
  total: z.int(),
  sample: z.array(z.object({ id: z.string(), key: z.string().describe("Masked") })).max(10),
});
export type JobPreview = z.infer<typeof jobPreview>;

/** `POST licences/bulk` and `POST licences/issue` answer with a preview or with the job that was created. */
export const jobStarted = z.union([z.object({ job: z.string() }), jobPreview]);

/** How many lines of a file became what. */
export const importCounts = z.record(z.enum(importOutcomes), z.int());

/** `GET /api/desk/jobs/:id` */
export const deskJob = z.object({
  id: z.string(),
  action: z.enum([...bulkActions, "issue", "import_keys", "import_customers"]),
  by: z.object({ id: z.string(), name: z.string().nullable() }).describe("Who made it"),
  done: z.int().describe("Including those that were refused"),
  total: z.int(),
  refused: z
    .array(z.object({ id: z.string(), code: z.enum(refusalCodes) }))
    .describe("The first 1,000 licenses that were refused"),
  refused_total: z.int(),
  lines: importCounts.nullable().describe("Of an import: what became of the lines that are done"),
  created_at: instant,
  cancelled_at: instant.nullable().describe("When it was cancelled; what was done by then stays done"),
  finished_at: instant.nullable(),
  keys_until: instant.nullable().describe("Until when `keys.csv` can be downloaded; null if it can't"),
  result_until: instant.nullable().describe("Until when `result.csv` can be downloaded; null if it can't"),
});
export type DeskJob = z.infer<typeof deskJob>;

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

export const bulkFilter = filterQuery("licences")
  .refine((filter) => Object.values(filter).some((value) => value !== undefined), "must not be empty")
  .describe("The filters of `GET licences`: the job takes every license that they find when it is made");
