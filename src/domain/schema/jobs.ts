import { isNotNull, isNull } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { ImportOutcome } from "@/contract/vocabulary/import-files";
import type { BulkAction } from "@/contract/vocabulary/kinds";
import type { RefusalCode } from "@/contract/vocabulary/refusals";
import type { Actor } from "@/core/base/actor";
import { timestamp } from "@/core/database/schema";

/** What staff have the shop do to many licences, or to the lines of a file, one small commit after another. */
export const licenceJobs = sqliteTable(
  "licence_jobs",
  {
    id: text("id").primaryKey(),
    action: text("action").$type<BulkAction | "issue" | "import_keys" | "import_customers">().notNull(),
    /** Added to each licence, or those of each issued one; null issues lifetimes. */
    days: integer("days"),
    /** `issue`: the level of the licences, and below on how many computers at a time each is used. */
    level: text("level"),
    devices: integer("devices").notNull().default(1),
    /** The offer whose licences are issued. */
    offer: text("offer"),
    /** Where one mail with all issued keys goes. */
    email: text("email"),
    reason: text("reason").notNull(),
    /** Who made it, as the log names them, and with what rights. */
    madeBy: text("made_by").notNull(),
    actor: text("actor", { mode: "json" }).$type<Actor>().notNull(),
    createdAt: timestamp("created_at").notNull(),
    /** When its licences were all chosen: only then it exists for others. */
    readyAt: timestamp("ready_at"),
    total: integer("total").notNull().default(0),
    /** How many are over, refused ones among them. */
    done: integer("done").notNull().default(0),
    refused: integer("refused").notNull().default(0),
    cancelledAt: timestamp("cancelled_at"),
    /** When the last was done, or it was cancelled. */
    finishedAt: timestamp("finished_at"),
  },
  (table) => [
    index("licence_jobs_created").on(table.createdAt),
    index("licence_jobs_made_by").on(table.madeBy),
  ],
);

/** The licences of a job: those chosen when it was made, or those that it has issued. Or the lines of a file. */
export const licenceJobItems = sqliteTable(
  "licence_job_items",
  {
    jobId: text("job_id").notNull(),
    position: integer("position").notNull(),
    /** Of an import: the licence or account that the line became; empty if none. */
    licenceId: text("licence_id").notNull(),
    doneAt: timestamp("done_at"),
    /** Why it was refused. */
    refusal: text("refusal").$type<RefusalCode>(),
    /** The line of an imported file, and what it has until it is done, encrypted. */
    line: integer("line"),
    content: text("content"),
    outcome: text("outcome").$type<ImportOutcome>(),
    /** Why; quotes nothing of the line. */
    note: text("note"),
  },
  (table) => [
    primaryKey({ columns: [table.jobId, table.position] }),
    index("licence_job_items_waiting").on(table.jobId, table.position).where(isNull(table.doneAt)),
    index("licence_job_items_refused").on(table.jobId, table.position).where(isNotNull(table.refusal)),
    index("licence_job_items_outcome").on(table.jobId, table.outcome).where(isNotNull(table.outcome)),
  ],
);

export type LicenceJob = typeof licenceJobs.$inferSelect;
