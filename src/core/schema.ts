import { sql } from "drizzle-orm";
import { check, index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

/** A moment, kept as UTC milliseconds. */
export const moment = (name: string) => integer(name, { mode: "timestamp_ms" });

/** Work that leaves the process, written in the same commit as the fact that caused it. */
export const outbox = sqliteTable(
  "outbox",
  {
    /** `topic:subject`; posting again while it waits renews the one row. */
    key: text("key").primaryKey(),
    topic: text("topic").notNull(),
    subject: text("subject").notNull(),
    /** JSON; read through `parsePayload` alone. */
    payload: text("payload"),
    /** Goes up at each posting, so that work posted while it was being done is done again. */
    generation: integer("generation").notNull().default(1),
    attempts: integer("attempts").notNull().default(0),
    createdAt: moment("created_at").notNull(),
    dueAt: moment("due_at").notNull(),
    /** The worker that has it, until `due_at`; one that died no longer renews that. */
    lease: text("lease"),
    lastError: text("last_error"),
    /** What asked for it last, as the log names it. */
    request: text("request"),
  },
  // by topic first: what nobody works on, such as letters where mail is off, must not stand in the way
  (table) => [index("outbox_topic_due").on(table.topic, table.dueAt)],
);

/** Who did what to which thing, and why. Rows are only ever added. */
export const auditLog = sqliteTable(
  "audit_log",
  {
    id: text("id").primaryKey(),
    at: moment("at").notNull(),
    /** `shop`, `operator`, or an account's id. */
    actor: text("actor").notNull(),
    action: text("action").notNull(),
    subject: text("subject").notNull(),
    /** The account whose history this belongs to, if any. */
    accountId: text("account_id"),
    reason: text("reason"),
    detail: text("detail", { mode: "json" }).$type<Record<string, string | number | boolean | null>>(),
  },
  (table) => [index("audit_account").on(table.accountId, table.at), index("audit_subject").on(table.subject)],
);

/** Counters of the limits that a restart must not clear. */
export const limitCounters = sqliteTable(
  "limit_counters",
  {
    key: text("key").primaryKey(),
    count: integer("count").notNull(),
    endsAt: moment("ends_at").notNull(),
  },
  (table) => [index("limit_ends").on(table.endsAt)],
);

/**
 * Never holds a row. A batch inserts 0 when a conditional write before it changed nothing; the check
 * fails and takes the whole batch back.
 */
export const guard = sqliteTable("guard", { ok: integer("ok").notNull() }, (table) => [
  check("guard_must_hold", sql`${table.ok} = 1`),
]);

/** Facts about this installation, such as the fingerprint of the secret it was made with. */
export const installation = sqliteTable("installation", {
  name: text("name").primaryKey(),
  value: text("value").notNull(),
});

/** Work that only one of several processes does at a time, and which one. */
export const leases = sqliteTable("leases", {
  name: text("name").primaryKey(),
  holder: text("holder").notNull(),
  /** Who does not renew it until then has lost it. */
  until: moment("until").notNull(),
});
