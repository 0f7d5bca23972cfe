import { and, eq, isNull, lte, sql } from "drizzle-orm";
import { mustHaveChanged, type Write } from "@/core/commit";
import { commitIfFirst } from "@/core/conflict";
import type { Ctx } from "@/core/context";
import { type ticketMessages, tickets } from "../schema/tickets";
import type { Ticket } from "./queries";
import { postInThread } from "./thread";

/** How much text is kept of a ticket, with what it said before edits. */
export const mostTextBytes = 2 * 1024 * 1024;
/** More for what the shop itself says, so that a transcript has its end. */
const mostWithOwnBytes = mostTextBytes + 64 * 1024;
/** Shorter messages count as this much, and so does each file, which bounds their number too. */
const leastBytes = 100;

type Text = Pick<typeof ticketMessages.$inferSelect, "content" | "before">;

/** What a message takes of its ticket's room. */
export const bytesOf = ({ content, before = [] }: Partial<Text>, files = 0): number =>
  Math.max(
    leastBytes,
    [content ?? "", ...before].reduce((sum, text) => sum + Buffer.byteLength(text), 0),
  ) +
  files * leastBytes;

/** As the first writes of a commit: takes room in a ticket, or fails the commit with `conflict` if it is full. */
export const takeRoom = (ctx: Ctx, ticketId: string, bytes: number, author: string): Write[] => [
  ctx.store.db
    .update(tickets)
    .set({ textBytes: sql`${tickets.textBytes} + ${bytes}` })
    .where(
      and(
        eq(tickets.id, ticketId),
        lte(tickets.textBytes, mostFor(author) - bytes),
        author === "shop" ? undefined : isNull(tickets.fullAt),
      ),
    ),
  mustHaveChanged("conflict"),
];

/** The same for what is kept in any case. */
export const countText = (ctx: Ctx, ticketId: string, bytes: number): Write =>
  ctx.store.db
    .update(tickets)
    .set({ textBytes: sql`${tickets.textBytes} + ${bytes}` })
    .where(eq(tickets.id, ticketId));

export const hasRoom = ({ textBytes, fullAt }: Ticket, bytes: number, author: string): boolean =>
  (author === "shop" || fullAt === null) && textBytes + bytes <= mostFor(author);

const mostFor = (author: string) => (author === "shop" ? mostWithOwnBytes : mostTextBytes);

const fullNotice =
  "This ticket holds as much text as we can keep of one. What is written here from now on is not part of its transcript: please open a new ticket.";

/** Has it said once in the thread that nothing more is kept. */
export async function sayFull(ctx: Ctx, { id, fullAt }: Ticket): Promise<void> {
  if (fullAt) return;
  // another message may have noticed it first
  await commitIfFirst(ctx.store, [
    ctx.store.db
      .update(tickets)
      .set({ fullAt: ctx.now() })
      .where(and(eq(tickets.id, id), isNull(tickets.fullAt))),
    mustHaveChanged("conflict"),
    postInThread(ctx, id, { what: "full", text: fullNotice }),
  ]);
}
