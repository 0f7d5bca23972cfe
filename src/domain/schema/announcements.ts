import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "@/core/database/schema";

/** Emails to all customers or many of them. */
export const announcements = sqliteTable(
  "announcements",
  {
    /** A hash of the content, so that repeating the command announces the same email once. */
    id: text("id").primaryKey(),
    subject: text("subject").notNull(),
    /** Markdown. */
    content: text("content").notNull(),
    /** Only to customers with an active licence. */
    licensedOnly: integer("licensed_only", { mode: "boolean" }).notNull(),
    /** Only to customers who bought this offer, or hold a licence that it sold. */
    offer: text("offer"),
    /** Customers who register or buy later get no email. */
    createdAt: timestamp("created_at").notNull(),
    /** How many customers there were when it was created. */
    customers: integer("customers").notNull(),
    /** The last recipient whose email was enqueued; see `recipients.ts`. */
    cursor: text("reached").notNull().default(""),
    customersChecked: integer("looked").notNull().default(0),
    emailsQueued: integer("posted").notNull().default(0),
    /** Of the enqueued emails: those that the mail server accepted, and those that it refused or nobody wants any more. */
    sent: integer("sent").notNull().default(0),
    dropped: integer("dropped").notNull().default(0),
    /** Emails that the mail server deferred and the shop still retries. */
    deferred: integer("deferred").notNull().default(0),
    /** When the last email was enqueued. */
    allQueuedAt: timestamp("posted_at"),
    /** Set by the operator: the shop sends no further email. */
    stoppedAt: timestamp("stopped_at"),
  },
  (table) => [
    index("announcements_created").on(table.createdAt, table.id),
    index("announcements_unposted")
      .on(table.createdAt)
      .where(sql`posted_at IS NULL AND stopped_at IS NULL`),
  ],
);
