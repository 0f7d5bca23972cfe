import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { moment } from "@/core/schema";

/** Emails to all customers, or many of them. */
export const announcements = sqliteTable(
  "announcements",
  {
    /** A hash of what it says, so that the same email is announced once however often the command is run. */
    id: text("id").primaryKey(),
    subject: text("subject").notNull(),
    /** Markdown. */
    content: text("content").notNull(),
    /** Only to customers with an active licence. */
    licensedOnly: integer("licensed_only", { mode: "boolean" }).notNull(),
    /** Only to those who bought this offer, or hold a licence that it sold. */
    offer: text("offer"),
    /** Whoever registers or buys later gets none. */
    createdAt: moment("created_at").notNull(),
    /** How many customers there were. */
    customers: integer("customers").notNull(),
    /** Up to whom emails were posted (see `recipients.ts`), and how many customers and emails that makes. */
    reached: text("reached").notNull().default(""),
    looked: integer("looked").notNull().default(0),
    posted: integer("posted").notNull().default(0),
    /** Of the posted emails: those that the mail server accepted, and those that it refused or nobody wanted any more. */
    sent: integer("sent").notNull().default(0),
    dropped: integer("dropped").notNull().default(0),
    /** Those that the mail server asked to send later, and that are still being tried. */
    deferred: integer("deferred").notNull().default(0),
    /** When the last email was posted. */
    postedAt: moment("posted_at"),
    /** Set by the operator: no further email leaves. */
    stoppedAt: moment("stopped_at"),
  },
  (table) => [
    index("announcements_unposted")
      .on(table.createdAt)
      .where(sql`posted_at IS NULL AND stopped_at IS NULL`),
  ],
);
