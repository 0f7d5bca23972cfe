import { isNotNull, sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { Actor, StaffRole } from "../base/actor";

/** A point in time, stored as UTC milliseconds. */
export const timestamp = (name: string) => integer(name, { mode: "timestamp_ms" });

/*
 * Conditions of partial indexes. SQLite uses such an index only if a query states the condition in the same words, so
 * queries use these constants, which hold no parameters.
 */

/** A job that failed at least once. */
export const hasFailed = sql`attempts > 0`;
/** After this many failures a job counts as stuck and needs a person; it is still retried. */
export const stuckAfterFailures = 8;
export const isStuck = sql`attempts >= ${stuckAfterFailures}`.inlineParams();
/** Staff actions: not the shop's own, nor an account's in its own history. */
export const isStaffAction = sql`actor <> 'shop' AND account_id IS NOT actor`;

export const isOfShop = sql`actor = 'shop'`;

/** Jobs with effects outside the process, written in the same commit as their cause. */
export const outbox = sqliteTable(
  "outbox",
  {
    /** `topic:subject`; enqueuing a waiting job again updates its row. */
    key: text("key").primaryKey(),
    topic: text("topic").notNull(),
    subject: text("subject").notNull(),
    /** JSON; always read with `parsePayload`. */
    payload: text("payload"),
    /** Incremented each time the job is enqueued, so that a running job runs again. */
    generation: integer("generation").notNull().default(1),
    attempts: integer("attempts").notNull().default(0),
    createdAt: timestamp("created_at").notNull(),
    dueAt: timestamp("due_at").notNull(),
    /** The worker that has claimed the job until `due_at`, and keeps renewing that. */
    lease: text("lease"),
    lastError: text("last_error"),
    /** The request that last enqueued the job, as in the log. */
    request: text("request"),
  },
  (table) => [
    // topic first, so that claims never read topics nobody runs, such as mail when it is off
    index("outbox_topic_due").on(table.topic, table.dueAt),
    index("outbox_topic_created").on(table.topic, table.createdAt),
    index("outbox_failing").on(table.topic, table.attempts).where(hasFailed),
    index("outbox_stuck").on(table.createdAt).where(isStuck),
  ],
);

/** Who did what to what, and why. Append-only, except that routine entries are deleted after years. */
export const auditLog = sqliteTable(
  "audit_log",
  {
    id: text("id").primaryKey(),
    at: timestamp("at").notNull(),
    /**
     * The entry's number, from which readers continue. A trigger sets it: one more than the highest, and at least the
     * time in milliseconds, so that a restored copy doesn't use a number twice. Null in entries of releases before the
     * trigger.
     */
    sequence: integer("sequence"),
    /** See `actorId`. */
    actor: text("actor").notNull(),
    actorKind: text("actor_kind").$type<Actor["kind"]>().notNull(),
    actorRole: text("actor_role").$type<StaffRole>(),
    actorVia: text("actor_via").$type<"site" | "discord" | "desk">(),
    action: text("action").notNull(),
    subject: text("subject").notNull(),
    /** The account whose history this belongs to, if any. */
    accountId: text("account_id"),
    reason: text("reason"),
    detail: text("detail", { mode: "json" }).$type<Record<string, unknown>>(),
  },
  (table) => [
    uniqueIndex("audit_sequence").on(table.sequence).where(isNotNull(table.sequence)),
    index("audit_account").on(table.accountId, table.at, table.id),
    index("audit_account_action").on(table.accountId, table.action, table.at, table.id),
    index("audit_subject").on(table.subject, table.action, table.at, table.id),
    index("audit_action").on(table.action, table.at, table.id),
    index("audit_at").on(table.at, table.id),
    index("audit_by_hand").on(table.actor, table.at, table.id).where(isStaffAction),
    index("audit_by_hand_action").on(table.actor, table.action, table.at, table.id).where(isStaffAction),
    index("audit_shop").on(table.at, table.id).where(isOfShop),
    index("audit_shop_action").on(table.action, table.at, table.id).where(isOfShop),
  ],
);

/** Counters of limits that must survive a restart. */
export const limitCounters = sqliteTable(
  "limit_counters",
  {
    key: text("key").primaryKey(),
    count: integer("count").notNull(),
    endsAt: timestamp("ends_at").notNull(),
  },
  (table) => [index("limit_ends").on(table.endsAt)],
);

/**
 * Always empty. After a conditional write that changed nothing, a batch inserts 0; the check then fails and rolls the
 * whole batch back.
 */
export const guard = sqliteTable("guard", { ok: integer("ok").notNull() }, (table) => [
  check("guard_must_hold", sql`${table.ok} = 1`),
]);

/**
 * Which commits a database server has stored, for when the answer is lost. `stored` is false for a commit that was not
 * there when the shop checked; the server will never store it.
 */
export const commitMarks = sqliteTable("commit_marks", {
  /** Sorts by time, like every id. */
  id: text("id").primaryKey(),
  stored: integer("stored", { mode: "boolean" }).notNull(),
});

/** Facts about this installation, such as the fingerprint of its secret. */
export const keyValues = sqliteTable("installation", {
  name: text("name").primaryKey(),
  value: text("value").notNull(),
});

/** How many rows a table has. Triggers count them, because counting a million rows would hold up every request. */
export const rowCounts = sqliteTable("row_counts", {
  tableName: text("table_name").primaryKey(),
  count: integer("count").notNull(),
});

/** Which process currently does work that only one process may do. */
export const leases = sqliteTable("leases", {
  name: text("name").primaryKey(),
  holder: text("holder").notNull(),
  /** When it expires unless renewed. */
  until: timestamp("until").notNull(),
});
