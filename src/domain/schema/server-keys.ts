import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { timestamp } from "@/core/database/schema";

/** Keys with which other systems look up orders, licences and customers. */
export const serverKeys = sqliteTable("server_keys", {
  id: text("id").primaryKey(),
  name: text("name").notNull().unique(),
  /** SHA-256 of the key; the shop shows the key once and never stores it. */
  keyHash: text("key_hash").notNull().unique(),
  createdAt: timestamp("created_at").notNull(),
});
