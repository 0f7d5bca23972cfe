import { and, eq, gt, isNotNull, or } from "drizzle-orm";
import { commit, type Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { post } from "@/core/outbox";
import { catchUp } from "./catch-up";
import { reopenableSince } from "./change";
import { ticketById } from "./queries";
import { loseThread } from "./lose-thread";
import { keep } from "./open";
import { type TicketRoom, ThreadGone } from "./ticket-channels";
import { tickets } from "../schema/tickets";

/** Work on this topic finds out what became of a ticket's places at Discord while nobody told. */
export const lookTopic = "ticket.look";

/** Asks for a look at every ticket that is open or may be opened again. */
export async function lookAtAll(ctx: Ctx): Promise<void> {
  const reopenable = and(gt(tickets.closedAt, reopenableSince(ctx.now())), isNotNull(tickets.threadId));
  const living = await ctx.store.db
    .select({ id: tickets.id })
    .from(tickets)
    .where(or(eq(tickets.state, "open"), reopenable));
  await commit(
    ctx.store,
    living.map(({ id }) => post(ctx, { topic: lookTopic, subject: id })),
  );
  ctx.wake();
}

/**
 * Hears what was said, changed and deleted in a ticket's thread, and has everything put right that is
 * not as it should be: the thread or the card gone, the member not in it.
 */
export async function lookAtTicket(ctx: Ctx, room: TicketRoom, id: string): Promise<Write[]> {
  const ticket = await ticketById(ctx, id);
  if (!ticket) return [];
  try {
    await catchUp(ctx, room, id, { again: true });
  } catch (error) {
    if (!(error instanceof ThreadGone)) throw error;
    await loseThread(ctx, ticket);
    return [];
  }
  if (ticket.state === "closed") return [];
  const { threadId, greetingId, cardId } = ticket;
  const stands =
    threadId !== null &&
    greetingId !== null &&
    cardId !== null &&
    (await room.cardStands(cardId)) &&
    (await room.letIn(threadId, ticket.discordUserId)) !== "away";
  return stands ? [] : [keep(ctx, id)];
}
