import { sql } from "drizzle-orm";
import { blob, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import { moment } from "@/core/schema";
import { accounts } from "./accounts";

/** One support conversation. While one of its Discord ids is absent, the thing itself has still to be made there. */
export const tickets = sqliteTable(
  "tickets",
  {
    id: text("id").primaryKey(),
    /** What people call it. */
    number: integer("number").notNull().unique(),
    topic: text("topic").notNull(),
    discordUserId: text("discord_user_id").notNull(),
    memberName: text("member_name").notNull(),
    /** The account that was connected when it was opened. */
    accountId: text("account_id").references(() => accounts.id, { onDelete: "set null" }),
    question: text("question").notNull(),
    state: text("state").$type<"open" | "closed">().notNull().default("open"),
    openedAt: moment("opened_at").notNull(),
    /** Goes up with each reopening, so that the closing words can be posted again. */
    round: integer("round").notNull().default(1),
    /** Set before a thread is asked for: from then on one may exist that we don't know yet. */
    threadAskedAt: moment("thread_asked_at"),
    threadId: text("thread_id").unique(),
    /** How often its thread was deleted. */
    threadsLost: integer("threads_lost").notNull().default(0),
    greetingId: text("greeting_id"),
    farewellId: text("farewell_id"),
    cardId: text("card_id"),
    /** The Discord user of the staff member who looks after it. */
    claimedBy: text("claimed_by"),
    escalatedAt: moment("escalated_at"),
    firstAnswerAt: moment("first_answer_at"),
    waitingFor: text("waiting_for").$type<"staff" | "member">().notNull().default("staff"),
    waitingSince: moment("waiting_since").notNull(),
    remindedAt: moment("reminded_at"),
    closedAt: moment("closed_at"),
    closedBy: text("closed_by").$type<"member" | "staff" | "shop">(),
    closeReason: text("close_reason"),
    stars: integer("stars"),
    /** How many bytes of text its messages hold; see `room.ts`. */
    textBytes: integer("text_bytes").notNull().default(0),
    /** Since then nothing more is kept of it. */
    fullAt: moment("full_at"),
    /** The newest message that was seen since, so that none is asked for again. */
    seenMessageId: text("seen_message_id"),
  },
  (table) => [
    uniqueIndex("tickets_one_open")
      .on(table.discordUserId, table.topic)
      .where(sql`state = 'open'`),
    index("tickets_member").on(table.discordUserId, table.openedAt, table.id),
    index("tickets_account").on(table.accountId, table.openedAt, table.id),
    /** With `account_id IS NULL`: what a member opened without any account. */
    index("tickets_unowned").on(table.discordUserId, table.accountId, table.openedAt, table.id),
    index("tickets_state").on(table.state, table.closedAt),
    index("tickets_card").on(table.cardId),
    index("tickets_opened").on(table.openedAt),
    index("tickets_waiting")
      .on(sql`waiting_for DESC`, table.waitingSince, table.number)
      .where(sql`state = 'open'`),
  ],
);

/** Others that staff added to a ticket's thread. */
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

/** What was said in a ticket, with its edits and deletions. */
export const ticketMessages = sqliteTable(
  "ticket_messages",
  {
    /** Discord's id; they sort by time. */
    id: text("id").primaryKey(),
    ticketId: text("ticket_id")
      .notNull()
      .references(() => tickets.id, { onDelete: "cascade" }),
    author: text("author").$type<"member" | "staff" | "shop" | "note">().notNull(),
    authorId: text("author_id").notNull(),
    authorName: text("author_name").notNull(),
    content: text("content").notNull(),
    at: moment("at").notNull(),
    editedAt: moment("edited_at"),
    deletedAt: moment("deleted_at"),
    /** What it said before each edit, oldest first. */
    before: text("before", { mode: "json" }).$type<string[]>().notNull().default([]),
  },
  (table) => [
    index("ticket_messages_order").on(table.ticketId, table.at, table.id),
    index("ticket_messages_author").on(table.authorId, table.at),
  ],
);

/** Files that were sent in a ticket, copied because Discord's addresses end. */
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
    /** Where Discord has it. */
    url: text("url").notNull(),
    /** From `copying` on it counts towards the storage limits. */
    state: text("state")
      .$type<"waiting" | "copying" | "kept" | "too_large" | "over_quota" | "lost">()
      .notNull()
      .default("waiting"),
    /** Where its bytes are in the store; written before they are. */
    address: text("address"),
    /** The type that its first bytes show; only pictures are recognised. */
    type: text("type"),
    /** Its bytes, if it is from before there was a store and has not been moved there yet. */
    bytes: blob("bytes", { mode: "buffer" }),
  },
  (table) => [
    index("ticket_files_message").on(table.messageId),
    index("ticket_files_ticket").on(table.ticketId),
    index("ticket_files_state").on(table.state, table.size),
    index("ticket_files_address").on(table.address),
    index("ticket_files_unmoved")
      .on(table.id)
      .where(sql`bytes IS NOT NULL`),
  ],
);
