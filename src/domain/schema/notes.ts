import { index, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { Actor, StaffRole } from "@/core/base/actor";
import { timestamp } from "@/core/database/schema";
import { accounts } from "./accounts";

/** What staff wrote about a customer, for each other. */
export const customerNotes = sqliteTable(
  "customer_notes",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    at: timestamp("at").notNull(),
    /** Who wrote it, in the columns of the audit log. */
    actor: text("actor").notNull(),
    actorKind: text("actor_kind").$type<Actor["kind"]>().notNull(),
    actorRole: text("actor_role").$type<StaffRole>(),
    actorVia: text("actor_via").$type<"site" | "discord" | "desk">(),
    text: text("text").notNull(),
  },
  (table) => [index("customer_notes_account").on(table.accountId, table.at, table.id)],
);

export type CustomerNote = typeof customerNotes.$inferSelect;
