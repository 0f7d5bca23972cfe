import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
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
    /** Whether the member has the role of any level. */
    holdsRole: integer("holds_role", { mode: "boolean" }),
    /** The levels whose role the member has; see `levelsShown`. */
    heldLevels: text("held_levels", { mode: "json" }).$type<string[]>(),
    checkedAt: timestamp("checked_at"),
    /**
     * The account's role as staff when its owner made the link, if they proved it with an authenticator's code: what needs a
     * code can be asked for in Discord with that role's rights.
     */
    provenRole: text("proven_role").$type<StaffRole>(),
  },
  (table) => [index("links_name").on(linkedNameKey, table.accountId)],
);

/** The roles that the shop gave to Discord users, who may be unlinked by now: of a role that no level gives any more it takes only these. */
export const linkRoles = sqliteTable(
  "link_roles",
  {
    discordUserId: text("discord_user_id").notNull(),
    roleId: text("role_id").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.discordUserId, table.roleId] }),
    index("link_roles_role").on(table.roleId),
  ],
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
