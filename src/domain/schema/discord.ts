import { index, integer, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { moment } from "@/core/schema";
import { accounts } from "./accounts";

/** Why a user could not be made a member of the server: banned from it, in too many servers, or the token no longer allows it. */
export type JoinObstacle = "banned" | "too_many_servers" | "not_allowed";

/** The tie between an account and one Discord user; neither may have two. */
export const links = sqliteTable("links", {
  accountId: text("account_id")
    .primaryKey()
    .references(() => accounts.id, { onDelete: "cascade" }),
  discordUserId: text("discord_user_id").notNull().unique(),
  linkedAt: moment("linked_at").notNull(),
  /** How Discord shows the user; absent where staff made the link. */
  displayName: text("display_name"),
  /** The user's tokens, sealed: to join the server once and to be revoked. */
  tokensSealed: text("tokens_sealed"),
  /** Set at linking and cleared once tried: whoever leaves later is not added again. */
  joinWanted: integer("join_wanted", { mode: "boolean" }).notNull().default(false),
  /** Why Discord did not let the user join. */
  joinObstacle: text("join_obstacle").$type<JoinObstacle>(),
  /** The state that the last check found or made; absent before the first check. */
  member: integer("member", { mode: "boolean" }),
  holdsRole: integer("holds_role", { mode: "boolean" }),
  checkedAt: moment("checked_at"),
});

/** A visit to Discord's authorize page that has not come back yet, or came back a moment ago. */
export const linkAttempts = sqliteTable(
  "link_attempts",
  {
    /** SHA-256 of the `state` parameter. */
    stateHash: text("state_hash").primaryKey(),
    /** Only the browser that went may come back. */
    sessionId: text("session_id").notNull(),
    accountId: text("account_id")
      .notNull()
      .references(() => accounts.id, { onDelete: "cascade" }),
    expiresAt: moment("expires_at").notNull(),
    /** SHA-256 of the code it came back with; set once, so that a state is used once. */
    codeHash: text("code_hash"),
    /** What the code was exchanged for, sealed, until the user behind it is known. */
    tokensSealed: text("tokens_sealed"),
  },
  (table) => [
    index("link_attempts_expiry").on(table.expiresAt),
    index("link_attempts_account").on(table.accountId),
  ],
);
