import type { Ticket } from "./queries";

/**
 * A ticket's thread and staff card in the Discord server, as the domain needs them. Every call is idempotent. Calls
 * throw what `Guild` throws, and {@link ThreadGone}.
 */
export type TicketChannels = {
  /** The thread that an earlier attempt created but did not store. */
  findThread(ticket: Ticket): Promise<string | null>;
  /** Calls `renamed` with the thread's name, where Discord refused the one that it should have had. */
  makeThread(ticket: Ticket, renamed: (name: string) => Promise<void>): Promise<string>;
  /** Unlocks and unarchives the thread. */
  unarchiveThread(threadId: string): Promise<void>;
  /** `away`: the user is not a member of the server. `barred`: they can't see the channel the thread is in. */
  addToThread(threadId: string, userId: string): Promise<"inside" | "away" | "barred">;
  /** Does nothing where the user is not in the thread. */
  removeFromThread(threadId: string, userId: string): Promise<void>;
  /** Posts the first message, with the member's question; resolves to its id. */
  postGreeting(threadId: string, ticket: Ticket): Promise<string>;
  /** Posts the last message; resolves to its id. */
  postFarewell(threadId: string, ticket: Ticket): Promise<string>;
  lockThread(threadId: string): Promise<void>;
  /** Posts or updates the card in the staff channel; resolves to the message's id. */
  showCard(ticket: Ticket): Promise<string>;
  cardExists(cardId: string): Promise<boolean>;
  /** Does nothing where the thread is already gone. */
  removeThread(threadId: string): Promise<void>;
  /** Does nothing where the card is already gone. */
  removeCard(cardId: string): Promise<void>;
  /** Posts a message in the thread, once for each `once`; resolves to its id. */
  postText(
    threadId: string,
    message: { text: string; once: string; file?: PostedFile | null },
  ): Promise<string>;
  /** The bot's own among the newest 50 messages of the thread. */
  ownPosts(threadId: string): Promise<{ id: string; content: string }[]>;
  /** A page of the thread's messages after the given one, oldest first; `next` is null on the last page. */
  messagesAfter(
    threadId: string,
    messageId: string | null,
  ): Promise<{ messages: ThreadMessage[]; next: string | null }>;
  /** The bytes of an attachment; null when it is gone or larger than `mostBytes`. */
  fetchFile(url: string, mostBytes: number): Promise<Uint8Array | null>;
};

export type PostedFile = { name: string; data: Buffer };

export type ThreadMessage = {
  id: string;
  threadId: string;
  authorId: string;
  authorName: string;
  /** `app`: another program than the bot, such as one that a member has brought along. */
  writer: "person" | "bot" | "app";
  content: string;
  at: Date;
  editedAt: Date | null;
  files: { id: string; name: string; size: number; url: string }[];
};

/** Somebody deleted the thread. */
export class ThreadGone extends Error {
  override name = "ThreadGone";
}
