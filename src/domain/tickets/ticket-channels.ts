import type { Ticket } from "./queries";

/**
 * A ticket's places in the Discord server, as the domain needs them. Every call may be repeated without
 * doing anything twice. They throw what `Guild` throws, and {@link ThreadGone}.
 */
export type TicketRoom = {
  /** The thread that an earlier attempt made, of which we never heard. */
  findThread(ticket: Ticket): Promise<string | null>;
  makeThread(ticket: Ticket): Promise<string>;
  /** Opened again where it was shut or went to sleep. */
  wakeThread(threadId: string): Promise<void>;
  /** `away`: the user is not a member of the server. `barred`: they can't see the channel that the thread is in. */
  letIn(threadId: string, userId: string): Promise<"inside" | "away" | "barred">;
  /** The first message, with what was asked; resolves to its id. */
  greet(threadId: string, ticket: Ticket): Promise<string>;
  /** The last message; resolves to its id. */
  sayGoodbye(threadId: string, ticket: Ticket): Promise<string>;
  shutThread(threadId: string): Promise<void>;
  /** What staff see of it, in a channel of theirs alone; resolves to the message's id. */
  showCard(ticket: Ticket): Promise<string>;
  /** Whether nobody deleted it. */
  cardStands(cardId: string): Promise<boolean>;
  /** Nothing of it is left; these two do nothing where that is so already. */
  removeThread(threadId: string): Promise<void>;
  removeCard(cardId: string): Promise<void>;
  /** A sentence in the thread; `once` tells it from all others. */
  say(threadId: string, words: { text: string; once: string }): Promise<void>;
  /** A page of what was said in the thread after a message, oldest first; `next` is null with the last of it. */
  saidAfter(threadId: string, messageId: string | null): Promise<{ said: Heard[]; next: string | null }>;
  /** The bytes of a file that was sent, or null when it is no longer there. */
  fetchFile(url: string, mostBytes: number): Promise<Uint8Array | null>;
};

/** Something said in a thread. */
export type Heard = {
  id: string;
  threadId: string;
  authorId: string;
  authorName: string;
  isBot: boolean;
  content: string;
  at: Date;
  editedAt: Date | null;
  files: { id: string; name: string; size: number; url: string }[];
};

/** Somebody deleted the thread. */
export class ThreadGone extends Error {
  override name = "ThreadGone";
}
