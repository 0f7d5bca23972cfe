import { sqliteTable, text } from "drizzle-orm/sqlite-core";
import { moment } from "@/core/tables";
import { accounts } from "../accounts/tables";

/** The tie between an account and one Discord user; neither may have two. */
export const links = sqliteTable("links", {
  accountId: text("account_id")
    .primaryKey()
    .references(() => accounts.id, { onDelete: "cascade" }),
  discordUserId: text("discord_user_id").notNull().unique(),
  linkedAt: moment("linked_at").notNull(),
});
