import { and, eq, isNull, lte, sql } from "drizzle-orm";
import { mustHaveChanged, type Write } from "@/core/database/commit";
import { commitIfFirst } from "@/core/database/conflict";
import type { Ctx } from "@/core/database/context";
import { type ticketMessages, tickets } from "../../schema/tickets";
import type { Ticket } from "../reading/queries";
import { postInThread } from "../reading/thread";

/** The most text of a ticket, including earlier versions of messages. */
export const mostTextBytes = 2 * 1024 * 1024;
/** A larger limit for the shop's own messages, so that a transcript has its end. */
const mostWithOwnBytes = mostTextBytes + 64 * 1024;
/** Shorter messages, and every file, count as this much, which also bounds their number. */
const leastBytes = 100;

type Text = Pick<typeof ticketMessages.$inferSelect, "content" | "before">;

/** How much of its ticket's room a message takes. */
export const bytesOf = ({ content, before = [] }: Partial<Text>, files = 0): number =>
  Math.max(
    leastBytes,
    [content ?? "", ...before].reduce((sum, text) => sum + Buffer.byteLength(text), 0),
  ) +
  files * leastBytes;

/** The first writes of a commit: take room in a ticket, or fail the commit with `conflict` if it is full. */
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

/** Counts text that the shop keeps in any case. */
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

/** Posts once in the thread that the ticket keeps no more messages. */
export async function sayFull(ctx: Ctx, { id, fullAt }: Ticket): Promise<void> {
  if (fullAt) return;
  // another message may have filled the ticket first
  await commitIfFirst(ctx.store, [
    ctx.store.db
      .update(tickets)
      .set({ fullAt: ctx.now() })
      .where(and(eq(tickets.id, id), isNull(tickets.fullAt))),
    mustHaveChanged("conflict"),
    postInThread(ctx, id, { what: "full", text: fullNotice }),
  ]);
}
