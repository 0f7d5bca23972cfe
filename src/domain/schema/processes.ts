import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "@/core/database/schema";

/** The shop's processes, each of which notes every half minute that it runs. */
export const processes = sqliteTable(
  "processes",
  {
    id: text("id").primaryKey(),
    version: text("version").notNull(),
    /** Fingerprints of what all processes of a shop must have alike. */
    settings: text("settings").notNull(),
    brand: text("brand").notNull(),
    startedAt: timestamp("started_at").notNull(),
    seenAt: timestamp("seen_at").notNull(),
  },
  (table) => [index("processes_seen").on(table.seenAt)],
);
