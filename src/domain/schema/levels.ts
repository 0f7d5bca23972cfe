import { sql } from "drizzle-orm";
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "@/core/database/schema";

/** What licences differ by besides time. A retired level goes on, with its role and features, for whoever holds it. */
export const levels = sqliteTable("levels", {
  /** A slug that never changes; licences, offers and orders name it. */
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  /** Its place in the order: the higher, the more it is. */
  place: integer("place").notNull(),
  /** Made from the brand: it gives the role of the settings unless it has its own. */
  isFirst: integer("first", { mode: "boolean" }).notNull().default(false),
  /** Whether it contains the level before it, and so all that this one contains. */
  includesBefore: integer("includes_before", { mode: "boolean" }).notNull().default(true),
  /** Slugs that an application asks for; its own, without those of the levels that it contains. */
  features: text("features", { mode: "json" })
    .$type<string[]>()
    .notNull()
    .default(sql`'[]'`),
  /** The Discord role that it gives; null is none of its own. */
  roleId: text("role_id"),
  /** Made from an order of a level that this database lacked, and not changed since. */
  fromOrder: integer("from_order", { mode: "boolean" }).notNull().default(false),
  createdAt: timestamp("created_at").notNull(),
  retiredAt: timestamp("retired_at"),
  /** Increases with each change, so that concurrent changes don't overwrite each other. */
  version: integer("version").notNull().default(0),
});

export type LevelRow = typeof levels.$inferSelect;
