import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "@/core/database/schema";

/** The shop's processes, each of which notes every half minute that it runs. */
export const processes = sqliteTable(
  "processes",
  {
    id: text("id").primaryKey(),
    version: text("version").notNull(),
    startedAt: timestamp("started_at").notNull(),
    seenAt: timestamp("seen_at").notNull(),
  },
  (table) => [index("processes_seen").on(table.seenAt)],
);
