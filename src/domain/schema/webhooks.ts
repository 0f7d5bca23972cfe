import { isNotNull, sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { WebhookType } from "@/contract/webhooks";
import { moment } from "@/core/schema";

/** Where the shop sends its events. */
export const webhookEndpoints = sqliteTable("webhook_endpoints", {
  id: text("id").primaryKey(),
  url: text("url").notNull(),
  /** The types that it hears of; null for all of them, later ones too. */
  types: text("types", { mode: "json" }).$type<WebhookType[]>(),
  /** `whsec_…`, sealed. */
  secretSealed: text("secret_sealed").notNull(),
  /** The secret before the last rotation signs as well until then. */
  formerSecretSealed: text("former_secret_sealed"),
  formerSecretUntil: moment("former_secret_until"),
  createdAt: moment("created_at").notNull(),
  /** The first failure since the last success. */
  failingSince: moment("failing_since"),
  disabledAt: moment("disabled_at"),
  /** In words for the operator: by whom, or what its receiver answered. */
  disabledWhy: text("disabled_why"),
  /** Removed by the operator; the row goes once its deliveries are deleted, a page at a time. */
  removedAt: moment("removed_at"),
  /** Goes up with each change by staff, so that none is lost. */
  version: integer("version").notNull().default(0),
});

/** The body of an event, made once from the audit log, for all endpoints and every try. */
export const webhookEvents = sqliteTable(
  "webhook_events",
  {
    /** `evt_…`, what receivers know it by. */
    id: text("id").primaryKey(),
    /** Of the log's entry. */
    sequence: integer("sequence").notNull(),
    type: text("type").$type<WebhookType>().notNull(),
    /** Whose email or Discord user it may hold. */
    accountId: text("account_id"),
    /** The comparison key of the email that it holds, to find it by when that is erased. */
    emailKey: text("email_key"),
    /** An account was erased since the body was made: nothing personal in it may leave, and a job takes it out. */
    mustEmpty: integer("must_empty", { mode: "boolean" }).notNull().default(false),
    at: moment("at").notNull(),
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

/** An event on its way to an endpoint. */
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
    createdAt: moment("created_at").notNull(),
    /** When the next try is due. */
    dueAt: moment("due_at").notNull(),
    triedAt: moment("tried_at"),
    milliseconds: integer("milliseconds"),
    /** The HTTP status of the last answer; absent where there was none. */
    status: integer("status"),
    /** Why the last try was no success: `status`, `redirect` or why nothing was sent or answered. */
    failure: text("failure"),
    /** The first kilobyte of the last answer, sealed: receivers repeat what they were sent. */
    answerSealed: text("answer_sealed"),
  },
  (table) => [
    index("webhook_deliveries_due")
      .on(table.endpointId, table.dueAt, table.id)
      .where(sql`state = 'waiting'`),
    index("webhook_deliveries_endpoint").on(table.endpointId, table.id),
    index("webhook_deliveries_event").on(table.eventId),
    index("webhook_deliveries_created").on(table.createdAt),
  ],
);
