import { eq } from "drizzle-orm";
import { commit, type Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { failpoint } from "@/core/failpoints";
import { hurry } from "@/core/outbox";
import { GuildForbids } from "../community/guild";
import { catchUp } from "./catch-up";
import { closeWrites } from "./change";
import { guestsOf, type Ticket, ticketById } from "./queries";
import { loseThread, mayHaveThread } from "./lose-thread";
import { keepTopic } from "./open";
import { type TicketRoom, ThreadGone } from "./ticket-channels";
import { sayTopic } from "./say";
import { tickets } from "../schema/tickets";

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
  let placed = ticket;
  try {
    placed = await established(ctx, room, ticket);
    if (!placed.threadId) return { ending: [] };
    const keepAs = placed.state === "open" ? keepOpen : keepClosed;
    return { ending: await keepAs(ctx, room, placed, placed.threadId) };
  } catch (error) {
    if (error instanceof GuildForbids) return { ending: [], forbidden: error };
    if (!(error instanceof ThreadGone)) throw error;
    // which posts this work anew
    await loseThread(ctx, placed);
    return { ending: [] };
  }
}

async function keepOpen(ctx: Ctx, room: TicketRoom, ticket: Ticket, threadId: string): Promise<Write[]> {
  const { id } = ticket;
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
    await hurry(ctx, [sayTopic]);
  }
  if (inside !== "away") return [];
  return closeWrites(ctx, ticket, { by: "shop", actor: "shop", reason: "The member left the server." });
}

async function keepClosed(ctx: Ctx, room: TicketRoom, ticket: Ticket, threadId: string): Promise<Write[]> {
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

/** The ticket with its thread: made where it is open and may have one; else only found, where an attempt ended before it could say so. */
async function established(ctx: Ctx, room: TicketRoom, ticket: Ticket): Promise<Ticket> {
  if (ticket.threadId) return ticket;
  const threadId = await (ticket.state === "open" ? threadFor(ctx, room, ticket) : strayThread(room, ticket));
  if (!threadId) return ticket;
  await note(ctx, ticket.id, { threadId });
  return { ...ticket, threadId };
}

async function threadFor(ctx: Ctx, room: TicketRoom, ticket: Ticket): Promise<string | null> {
  if (!mayHaveThread(ticket)) return null;
  const asked = ticket.threadAskedAt !== null;
  if (!asked) await note(ctx, ticket.id, { threadAskedAt: ctx.now() });
  failpoint("ticket.thread-announced");
  const threadId = (asked ? await room.findThread(ticket) : null) ?? (await room.makeThread(ticket));
  failpoint("ticket.thread-made");
  return threadId;
}

async function strayThread(room: TicketRoom, ticket: Ticket): Promise<string | null> {
  return ticket.threadAskedAt && ticket.greetingId === null ? room.findThread(ticket) : null;
}

const note = (ctx: Ctx, id: string, made: Partial<typeof tickets.$inferInsert>) =>
  commit(ctx.store, [ctx.store.db.update(tickets).set(made).where(eq(tickets.id, id))]);
