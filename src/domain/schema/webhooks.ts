import { isNotNull, sql } from "drizzle-orm";
import { index, integer, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { WebhookType } from "@/contract/wire/webhooks";
import { timestamp } from "@/core/database/schema";

/** Where the shop sends its events. */
export const webhookEndpoints = sqliteTable("webhook_endpoints", {
  id: text("id").primaryKey(),
  url: text("url").notNull(),
  /** The types that the endpoint receives; null for all of them, including later ones. */
  types: text("types", { mode: "json" }).$type<WebhookType[]>(),
  /** `whsec_…`, sealed. */
  secretSealed: text("secret_sealed").notNull(),
  /** The secret before the last rotation also signs until then. */
  formerSecretSealed: text("former_secret_sealed"),
  formerSecretUntil: timestamp("former_secret_until"),
  createdAt: timestamp("created_at").notNull(),
  /** The first failure since the last success. */
  failingSince: timestamp("failing_since"),
  disabledAt: timestamp("disabled_at"),
  /** In words for the operator: who disabled it, or the receiver's answer. */
  disabledWhy: text("disabled_why"),
  /** When the operator removed it; a job deletes the row after its deliveries, a page at a time. */
  removedAt: timestamp("removed_at"),
  /** Increases with each change by staff, so that concurrent changes don't overwrite each other. */
  version: integer("version").notNull().default(0),
});

/** The body of an event, made once from the audit log, for all endpoints and every attempt. */
export const webhookEvents = sqliteTable(
  "webhook_events",
  {
    /** `evt_…`, the id that receivers see. */
    id: text("id").primaryKey(),
    /** The sequence of the log's entry. */
    sequence: integer("sequence").notNull(),
    type: text("type").$type<WebhookType>().notNull(),
    /** The account whose email or Discord user the body may hold. */
    accountId: text("account_id"),
    /** The comparison key of the email in the body, to find the body when the email is erased. */
    emailKey: text("email_key"),
    /** An account was erased since the body was made: the shop sends nothing personal in it, and a job removes it. */
    mustEmpty: integer("must_empty", { mode: "boolean" }).notNull().default(false),
    at: timestamp("at").notNull(),
    bodySealed: text("body_sealed").notNull(),
  },
  (table) => [
    index("webhook_events_at").on(table.at),
    index("webhook_events_account").on(table.accountId).where(isNotNull(table.accountId)),
    index("webhook_events_must_empty")
      .on(table.mustEmpty)
      .where(sql`must_empty = 1`),
    index("webhook_events_email").on(table.emailKey).where(isNotNull(table.emailKey)),
  ],
);

export type DeliveryState = "waiting" | "delivered" | "failed" | "cancelled";

/** A delivery of an event to an endpoint. */
export const webhookDeliveries = sqliteTable(
  "webhook_deliveries",
  {
    /** `dlv_…`; sorts by time. */
    id: text("id").primaryKey(),
    eventId: text("event_id")
      .notNull()
      .references(() => webhookEvents.id),
    endpointId: text("endpoint_id")
      .notNull()
      .references(() => webhookEndpoints.id),
    state: text("state").$type<DeliveryState>().notNull().default("waiting"),
    /** How many tries have ended. */
    attempts: integer("attempts").notNull().default(0),
    createdAt: timestamp("created_at").notNull(),
    /** When the next try is due. */
    dueAt: timestamp("due_at").notNull(),
    triedAt: timestamp("tried_at"),
    milliseconds: integer("milliseconds"),
    /** The HTTP status of the last answer; absent without an answer. */
    status: integer("status"),
    /** Why the last attempt failed: `status`, `redirect`, or why nothing was sent or answered. */
    failure: text("failure"),
    /** The first kilobyte of the last answer, sealed: receivers repeat what they receive. */
    answerSealed: text("answer_sealed"),
  },
  (table) => [
    index("webhook_deliveries_due")
      .on(table.endpointId, table.dueAt, table.id)
      .where(sql`state = 'waiting'`),
    // at most one delivery of an event waits for an endpoint
    uniqueIndex("webhook_deliveries_waiting")
      .on(table.eventId, table.endpointId)
      .where(sql`state = 'waiting'`),
    index("webhook_deliveries_endpoint").on(table.endpointId, table.id),
    index("webhook_deliveries_event").on(table.eventId),
    index("webhook_deliveries_created").on(table.createdAt),
  ],
);
