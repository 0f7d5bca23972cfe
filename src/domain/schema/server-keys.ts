import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { moment } from "@/core/schema";

/** What other systems look orders, licences and customers up with. */
export const serverKeys = sqliteTable("server_keys", {
  id: text("id").primaryKey(),
  name: text("name").notNull().unique(),
  /** SHA-256 of the key, which nobody has but who was shown it. */
  keyHash: text("key_hash").notNull().unique(),
  createdAt: moment("created_at").notNull(),
});
