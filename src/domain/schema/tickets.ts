import { sql } from "drizzle-orm";
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { timestamp } from "@/core/database/schema";
import { accounts } from "./accounts";

/** The customer's name for comparisons; lower-cases ASCII alone, as SQLite does. */
export const memberNameKey = sql`lower(member_name)`;

/** A support conversation. A missing Discord id means that the thread, card or message is still to be created there. */
export const tickets = sqliteTable(
  "tickets",
  {
    id: text("id").primaryKey(),
    /** The number that people use. */
    number: integer("number").notNull().unique(),
    topic: text("topic").notNull(),
    /** Where the customer opened it. */
    via: text("via").$type<"discord" | "site">().notNull().default("discord"),
    /** The member of the thread; of a ticket from the site, the account's linked Discord user, or null without one. */
    discordUserId: text("discord_user_id"),
    /** Whether the member is in the thread; the shop notes it for tickets from the site. */
    inThread: integer("in_thread", { mode: "boolean" }).notNull().default(false),
    /** A Discord user whose link to the account ended, and whom the bot still has to remove from the thread. */
    formerMemberId: text("former_member_id"),
    memberName: text("member_name").notNull(),
    /** The account connected when the member opened the ticket. */
    accountId: text("account_id").references(() => accounts.id, { onDelete: "set null" }),
    question: text("question").notNull(),
    state: text("state").$type<"open" | "closed">().notNull().default("open"),
    openedAt: timestamp("opened_at").notNull(),
    /** Increases with each reopening, so that each round gets its closing message. */
    round: integer("round").notNull().default(1),
    /** Set before a thread is requested: from then on a thread may exist whose id we don't know yet. */
    threadAskedAt: timestamp("thread_asked_at"),
    threadId: text("thread_id").unique(),
    /** How often its thread was deleted. */
    threadsLost: integer("threads_lost").notNull().default(0),
    greetingId: text("greeting_id"),
    farewellId: text("farewell_id"),
    cardId: text("card_id"),
    /** The Discord user of the staff member who claimed the ticket. */
    claimedBy: text("claimed_by"),
    escalatedAt: timestamp("escalated_at"),
    firstAnswerAt: timestamp("first_answer_at"),
    waitingFor: text("waiting_for").$type<"staff" | "member">().notNull().default("staff"),
    waitingSince: timestamp("waiting_since").notNull(),
    remindedAt: timestamp("reminded_at"),
    closedAt: timestamp("closed_at"),
    closedBy: text("closed_by").$type<"member" | "staff" | "shop">(),
    closeReason: text("close_reason"),
    stars: integer("stars"),
    /** The comment that the customer gave with the stars. */
    ratingComment: text("rating_comment"),
    /** When the shop noted staff's newest answer in a ticket from the site. */
    answeredAt: timestamp("answered_at"),
    /** When a page of the customer last asked for the ticket, to within 20 seconds. */
    viewedAt: timestamp("looked_at"),
    /** When to mail that an answer waits, unless the customer reads it before. */
    mailDueAt: timestamp("mail_due_at"),
    mailedAt: timestamp("mailed_at"),
    /** When it was closed for good, with as many messages as one takes. */
    fullAt: timestamp("full_at"),
  },
  (table) => [
    index("tickets_open_member")
      .on(table.discordUserId)
      .where(sql`state = 'open'`),
    index("tickets_open_account")
      .on(table.accountId)
      .where(sql`state = 'open'`),
    index("tickets_mail_due")
      .on(table.mailDueAt)
      .where(sql`mail_due_at IS NOT NULL`),
    index("tickets_member").on(table.discordUserId, table.openedAt, table.id),
    index("tickets_member_name").on(memberNameKey, sql`opened_at DESC`),
    index("tickets_account").on(table.accountId, table.openedAt, table.id),
    /** With `account_id IS NULL`: tickets that a member opened without an account. */
    index("tickets_unowned").on(table.discordUserId, table.accountId, table.openedAt, table.id),
    /** Figures read the rest of its columns from the index, as from `tickets_opened`. */
    index("tickets_state").on(table.state, table.closedAt, table.id, table.topic, table.openedAt),
    index("tickets_card").on(table.cardId),
    index("tickets_opened").on(table.openedAt, table.id, table.topic, table.firstAnswerAt, table.stars),
    index("tickets_commented")
      .on(table.openedAt, table.id)
      .where(sql`rating_comment IS NOT NULL AND stars IS NOT NULL`),
    index("tickets_claimed")
      .on(table.claimedBy, table.state, table.openedAt, table.id)
      .where(sql`claimed_by IS NOT NULL`),
    index("tickets_state_opened").on(table.state, table.openedAt, table.id),
    index("tickets_claimed_waiting")
      .on(table.claimedBy, table.waitingFor, table.waitingSince, table.id)
      .where(sql`state = 'open'`),
    index("tickets_waiting")
      .on(sql`waiting_for DESC`, table.waitingSince, table.id)
      .where(sql`state = 'open'`),
  ],
);

/** Texts that staff answer with often. */
export const savedReplies = sqliteTable("saved_replies", {
  id: text("id").primaryKey(),
  name: text("name").notNull().unique(),
  text: text("text").notNull(),
});

/** Members whom staff added to a ticket's thread. */
export const ticketGuests = sqliteTable(
  "ticket_guests",
  {
    ticketId: text("ticket_id")
      .notNull()
      .references(() => tickets.id, { onDelete: "cascade" }),
    discordUserId: text("discord_user_id").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.ticketId, table.discordUserId] }),
    index("ticket_guests_member").on(table.discordUserId),
  ],
);

/** A ticket's messages, with their edits and deletions. */
export const ticketMessages = sqliteTable(
  "ticket_messages",
  {
    /** Discord's id, or our own for a message written elsewhere. */
    id: text("id").primaryKey(),
    ticketId: text("ticket_id")
      .notNull()
      .references(() => tickets.id, { onDelete: "cascade" }),
    /** `site`: written on the site or by the command line; the bot posts it in the thread. */
    via: text("via").$type<"discord" | "site">().notNull().default("discord"),
    author: text("author").$type<"member" | "staff" | "shop" | "note">().notNull(),
    authorId: text("author_id").notNull(),
    authorName: text("author_name").notNull(),
    content: text("content").notNull(),
    at: timestamp("at").notNull(),
    editedAt: timestamp("edited_at"),
    deletedAt: timestamp("deleted_at"),
    /** The text before each edit, oldest first. */
    before: text("before", { mode: "json" }).$type<string[]>().notNull().default([]),
    /** Set before the bot posts it: from then on posts may exist whose ids we don't know yet. */
    postingAt: timestamp("posting_at"),
    /** When all its parts were posted. */
    postedAt: timestamp("posted_at"),
  },
  (table) => [
    index("ticket_messages_unposted")
      .on(table.ticketId, table.at, table.id)
      .where(sql`via = 'site' AND posted_at IS NULL`),
    index("ticket_messages_order").on(table.ticketId, table.at, table.id),
    index("ticket_messages_author").on(table.authorId, table.at),
    /** Who answered first. */
    index("ticket_messages_staff")
      .on(table.ticketId, table.at, table.authorId)
      .where(sql`author = 'staff'`),
  ],
);

/** The bot's posts in a thread that repeat a message from the site, which may take several. */
export const ticketPosts = sqliteTable(
  "ticket_posts",
  {
    /** Discord's id. */
    id: text("id").primaryKey(),
    messageId: text("message_id")
      .notNull()
      .references(() => ticketMessages.id, { onDelete: "cascade" }),
    part: integer("part").notNull(),
  },
  (table) => [uniqueIndex("ticket_posts_part").on(table.messageId, table.part)],
);

/** Files from a ticket: uploaded on the site, or copied because Discord's URLs expire. */
export const ticketFiles = sqliteTable(
  "ticket_files",
  {
    id: text("id").primaryKey(),
    messageId: text("message_id")
      .notNull()
      .references(() => ticketMessages.id, { onDelete: "cascade" }),
    ticketId: text("ticket_id").notNull(),
    name: text("name").notNull(),
    size: integer("size").notNull(),
    /** The file's URL at Discord; empty for a file that was uploaded on the site. */
    url: text("url").notNull(),
    /** Counts towards the storage limits from `copying` on. */
    state: text("state")
      .$type<"waiting" | "copying" | "kept" | "too_large" | "over_quota" | "lost">()
      .notNull()
      .default("waiting"),
    /** The file's address in the store; written before the bytes are. */
    address: text("address"),
    /** The type detected from the first bytes; only pictures are recognised. */
    type: text("type"),
  },
  (table) => [
    index("ticket_files_message").on(table.messageId),
    index("ticket_files_ticket").on(table.ticketId),
    index("ticket_files_state").on(table.state, table.size),
    index("ticket_files_address").on(table.address),
  ],
);
