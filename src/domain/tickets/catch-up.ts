import { and, desc, eq, ne } from "drizzle-orm";
import type { Ctx } from "@/core/context";
import { ticketById } from "./queries";
import { hearDeletion, hearEdit, keepHeard } from "./record-messages";
import type { Heard, TicketRoom } from "./ticket-channels";
import { ticketMessages } from "../schema/tickets";

/** So many of a thread's messages that are kept are looked at again; what is new is read however much it is. */
const mostLookedAtAgain = 1_000;

type Kept = Pick<typeof ticketMessages.$inferSelect, "id" | "content" | "deletedAt">;

/**
 * Asks Discord for what was said since the last message that was heard; `again`, also for what became
 * of those before it. A page at a time. Throws what `TicketRoom` throws.
 */
export async function catchUp(
  ctx: Ctx,
  room: TicketRoom,
  ticketId: string,
  { again = false }: { again?: boolean } = {},
): Promise<void> {
  const ticket = await ticketById(ctx, ticketId);
  if (!ticket?.threadId) return;
  const { threadId } = ticket;
  // read before asking: what is said meanwhile is in neither, and not taken for deleted
  const kept = await newestKept(ctx, { id: ticketId, threadId });
  const byId = new Map(kept.map((one) => [one.id, one]));
  const [first, last] = [kept.at(-1), kept[0]];
  let after = (again ? kept.length === mostLookedAtAgain && first?.id : last?.id) || null;
  let readable = false;
  for (;;) {
    const { said, next } = await room.saidAfter(threadId, after);
    for (const heard of said) {
      const known = byId.get(heard.id);
      if (!known) await keepHeard(ctx, ticket, heard);
      else await compare(ctx, known, heard);
    }
    // to who may not read a thread's history it looks as if all of it had been deleted
    readable ||= said.length > 0;
    if (readable) await hearDeletion(ctx, goneOf(kept, said, { after, next }));
    if (next === null) break;
    after = next;
  }
  ctx.wake();
}

/** Those kept that should stand between `after` and `next`, and don't. */
function goneOf(kept: Kept[], said: Heard[], { after, next }: { after: string | null; next: string | null }) {
  const there = new Set(said.map(({ id }) => id));
  const within = kept.filter(({ id }) => isAfter(id, after) && (next === null || !isAfter(id, next)));
  return within.filter(({ id, deletedAt }) => !deletedAt && !there.has(id)).map(({ id }) => id);
}

async function compare(ctx: Ctx, known: Kept, { id, content, editedAt }: Heard): Promise<void> {
  if (editedAt && known.content !== content) await hearEdit(ctx, { id, content, at: editedAt });
}

/** What is kept of this very thread, newest first; of one that was lost before it nothing can be asked. */
async function newestKept(ctx: Ctx, ticket: { id: string; threadId: string }): Promise<Kept[]> {
  const { id, content, deletedAt } = ticketMessages;
  const newest = await ctx.store.db
    .select({ id, content, deletedAt })
    .from(ticketMessages)
    .where(and(eq(ticketMessages.ticketId, ticket.id), ne(ticketMessages.author, "note")))
    .orderBy(desc(ticketMessages.at), desc(ticketMessages.id))
    .limit(mostLookedAtAgain);
  return newest.filter((one) => isAfter(one.id, ticket.threadId));
}

/** Discord's ids grow with time. */
const isAfter = (id: string, other: string | null) => other === null || BigInt(id) > BigInt(other);
