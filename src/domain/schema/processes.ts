import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { moment } from "@/core/database/schema";

/** The shop's processes, each of which notes every half minute that it runs. */
export const processes = sqliteTable(
  "processes",
  {
    id: text("id").primaryKey(),
    version: text("version").notNull(),
    startedAt: moment("started_at").notNull(),
    seenAt: moment("seen_at").notNull(),
  },
  (table) => [index("processes_seen").on(table.seenAt)],
);
