import { sql } from "drizzle-orm";
import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { StaffRole } from "@/core/base/actor";
import { timestamp } from "@/core/database/schema";
import { accounts } from "./accounts";

/** Why a user could not join the server: banned from it, in too many servers, or the token no longer allows it. */
export type JoinObstacle = "banned" | "too_many_servers" | "not_allowed";

/** A user's name for comparisons; lower-cases ASCII alone, as SQLite does. */
export const linkedNameKey = sql`lower(display_name)`;

/** A link between an account and a Discord user; neither may have two. */
export const links = sqliteTable(
  "links",
  {
    accountId: text("account_id")
      .primaryKey()
      .references(() => accounts.id, { onDelete: "cascade" }),
    discordUserId: text("discord_user_id").notNull().unique(),
    linkedAt: timestamp("linked_at").notNull(),
    /** The user's name as Discord shows it; absent if staff made the link. */
    displayName: text("display_name"),
    /** The user's tokens, sealed: to join the server once and to be revoked. */
    tokensSealed: text("tokens_sealed"),
    /** Set at linking and cleared once tried: a user who leaves later is not added again. */
    joinWanted: integer("join_wanted", { mode: "boolean" }).notNull().default(false),
    /** Why Discord did not let the user join. */
    joinObstacle: text("join_obstacle").$type<JoinObstacle>(),
    /** The state that the last check found or made; absent before the first check. */
    member: integer("member", { mode: "boolean" }),
    holdsRole: integer("holds_role", { mode: "boolean" }),
    checkedAt: timestamp("checked_at"),
    /**
     * The account's role as staff when its owner made the link, if they proved it with an authenticator's code: what needs a
     * code can be asked for in Discord with that role's rights.
     */
    provenRole: text("proven_role").$type<StaffRole>(),
  },
  (table) => [index("links_name").on(linkedNameKey, table.accountId)],
);

/** A visit to Discord's authorize page that has not returned yet, or returned a moment ago. */
export const linkAttempts = sqliteTable(
  "link_attempts",
  {
    /** SHA-256 of the `state` parameter. */
    stateHash: text("state_hash").primaryKey(),
    /** Only the browser that left may return. */
    sessionId: text("session_id").notNull(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    expiresAt: timestamp("expires_at").notNull(),
    /** SHA-256 of the returned code; set once, so that a state works once. */
    codeHash: text("code_hash"),
    /** The tokens that the code was exchanged for, sealed, until the link is made. */
    tokensSealed: text("tokens_sealed"),
  },
  (table) => [
    index("link_attempts_expiry").on(table.expiresAt),
    index("link_attempts_account").on(table.accountId),
  ],
);
