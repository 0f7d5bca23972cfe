import { and, eq } from "drizzle-orm";
import { commit, type Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { failpoint } from "@/core/failpoints";
import { hurry } from "@/core/outbox";
import { GuildForbids } from "../community/guild";
import { catchUp } from "./catch-up";
import { closeWrites } from "./change";
import { guestsOf, type Ticket, ticketById } from "./find";
import { keepTopic } from "./open";
import { type TicketRoom, ThreadGone } from "./room";
import { tickets } from "./tables";

/**
 * Takes every step that is still to be taken for a ticket, each written down before the next, so that
 * it may be stopped anywhere and taken up again. A thread that was deleted is made anew. Staff see the
 * card even where the thread can't be had.
 */
export async function keepTicket(ctx: Ctx, room: TicketRoom, id: string): Promise<Write[]> {
  const ticket = await ticketById(ctx, id);
  if (!ticket) return [];
  const { ending, forbidden } = await keepThread(ctx, room, ticket);
  const now = await ticketById(ctx, id);
  if (!now) return ending;
  const cardId = await room.showCard(now);
  failpoint("ticket.card-shown");
  if (cardId !== now.cardId) await note(ctx, id, { cardId });
  if (forbidden) throw forbidden;
  return ending;
}

type Kept = { ending: Write[]; forbidden?: GuildForbids };

async function keepThread(ctx: Ctx, room: TicketRoom, ticket: Ticket): Promise<Kept> {
  const isOpen = ticket.state === "open";
  try {
    return { ending: await (isOpen ? keepOpen(ctx, room, ticket) : keepClosed(ctx, room, ticket)) };
  } catch (error) {
    if (error instanceof GuildForbids) return { ending: [], forbidden: error };
    if (!(error instanceof ThreadGone)) throw error;
    await loseThread(ctx, ticket);
    const anew = isOpen ? await ticketById(ctx, ticket.id) : null;
    return anew ? keepThread(ctx, room, anew) : { ending: [] };
  }
}

async function keepOpen(ctx: Ctx, room: TicketRoom, ticket: Ticket): Promise<Write[]> {
  const { id } = ticket;
  const threadId = ticket.threadId ?? (await establish(ctx, room, ticket));
  if (ticket.round > 1) {
    await room.wakeThread(threadId);
    failpoint("ticket.woken");
  }
  const inside = await room.letIn(threadId, ticket.discordUserId);
  for (const guest of await guestsOf(ctx, id)) await room.letIn(threadId, guest);
  if (!ticket.greetingId) {
    const greetingId = await room.greet(threadId, ticket);
    failpoint("ticket.greeted");
    await note(ctx, id, { greetingId });
  }
  if (inside !== "away") return [];
  return closeWrites(ctx, ticket, { by: "shop", actor: "shop", reason: "The member left the server." });
}

async function keepClosed(ctx: Ctx, room: TicketRoom, ticket: Ticket): Promise<Write[]> {
  // a thread may have been asked for by an attempt that ended before it could say so
  const threadId =
    ticket.threadId ??
    (ticket.threadAskedAt && ticket.greetingId === null ? await room.findThread(ticket) : null);
  if (!threadId) return [];
  if (!ticket.threadId) await note(ctx, ticket.id, { threadId });
  if (!ticket.farewellId) {
    await catchUp(ctx, room, ticket.id, { again: true });
    const farewellId = await room.sayGoodbye(threadId, ticket);
    failpoint("ticket.goodbye-said");
    await note(ctx, ticket.id, { farewellId });
  }
  await room.shutThread(threadId);
  failpoint("ticket.shut");
  // another may have waited for room in the server
  await hurry(ctx, [keepTopic]);
  return [];
}

async function establish(ctx: Ctx, room: TicketRoom, ticket: Ticket): Promise<string> {
  const asked = ticket.threadAskedAt !== null;
  if (!asked) await note(ctx, ticket.id, { threadAskedAt: ctx.now() });
  failpoint("ticket.thread-announced");
  const threadId = (asked ? await room.findThread(ticket) : null) ?? (await room.makeThread(ticket));
  failpoint("ticket.thread-made");
  await note(ctx, ticket.id, { threadId });
  return threadId;
}

/** The row forgets a thread that is gone, so that a new one is made while the ticket is open. */
export async function loseThread(ctx: Ctx, ticket: Ticket): Promise<void> {
  if (!ticket.threadId) return;
  await commit(ctx.store, [
    ctx.store.db
      .update(tickets)
      .set({
        threadId: null,
        threadAskedAt: null,
        greetingId: null,
        threadsLost: ticket.threadsLost + 1,
      })
      .where(and(eq(tickets.id, ticket.id), eq(tickets.threadId, ticket.threadId))),
  ]);
}

const note = (ctx: Ctx, id: string, made: Partial<typeof tickets.$inferInsert>) =>
  commit(ctx.store, [ctx.store.db.update(tickets).set(made).where(eq(tickets.id, id))]);
