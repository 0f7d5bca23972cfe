import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { OwnerMailKind } from "@/contract/vocabulary/kinds";
import type { NoticePayload } from "../notice";
import { timestamp } from "@/core/database/schema";
import { accounts } from "./accounts";

/** What the owners are mailed about, in the order in which it was stored. */
export const ownerNews = sqliteTable(
  "owner_news",
  {
    /** One more than the highest, and at least the time in milliseconds, so that a deleted one is never used again. */
    sequence: integer("sequence").primaryKey(),
    kind: text("kind").$type<OwnerMailKind>().notNull(),
    /** As of the notice: the payment's id and more words. */
    subject: text("subject").notNull(),
    payload: text("payload", { mode: "json" }).$type<NoticePayload>().notNull(),
    createdAt: timestamp("created_at").notNull(),
  },
  (table) => [index("owner_news_created").on(table.createdAt)],
);

/** What each owner was mailed, and what they don't want. */
export const ownerMail = sqliteTable("owner_mail", {
  accountId: text("account_id")
    .primaryKey()
    .references(() => accounts.id, { onDelete: "cascade" }),
  off: text("off", { mode: "json" }).$type<OwnerMailKind[]>().notNull().default([]),
  /** The last news that was mailed, or passed over. */
  readTo: integer("read_to").notNull().default(0),
  mailedAt: timestamp("mailed_at"),
});
