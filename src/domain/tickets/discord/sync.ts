import { and, eq, isNull, or, type SQL } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { theShop } from "@/core/base/actor";
import { commit, mustHaveChanged, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { failpoint } from "@/core/log/failpoints";
import type { Handler } from "@/core/jobs/job-handlers";
import { notice } from "../../notice";
import { retryNow } from "@/core/jobs/outbox";
import { Refusal } from "@/core/base/refusal";
import { botTopics } from "../../outbox-topics";
import { GuildForbids } from "../../discord/guild";
import type { BuildStore } from "../../releases/store";
import { tickets } from "../../schema/tickets";
import { mailInstead } from "../writing/answered";
import { catchUp, inspectTicket } from "./catch-up";
import { closeWrites } from "../writing/change";
import { eraseAtDiscord, eraseTraces } from "./erase";
import { copyFile } from "../writing/files";
import { postMessages } from "./posts";
import { guestsOf, type Ticket, ticketById } from "../reading/queries";
import { forgetLostThread, mayHaveThread, postQueuedMessage } from "../reading/thread";
import { type TicketChannels, ThreadGone } from "../reading/ticket-channels";

/** The outbox handlers that make Discord agree with the tickets' rows. */
export function ticketHandlers(ctx: Ctx, channels: TicketChannels, files: BuildStore) {
  return {
    syncTicket: ({ subject }) => syncTicket(ctx, { channels, files }, subject),
    inspectTicket: ({ subject }) => inspectTicket(ctx, channels, subject),
    copyFile: ({ subject }) => copyFile(ctx, { channels, files }, subject),
    eraseAtDiscord: (job) => eraseAtDiscord(channels, job),
    postQueuedMessage: (job) => postQueuedMessage(ctx, channels, job),
  } satisfies { [N in keyof typeof botTopics]?: Handler<(typeof botTopics)[N]> };
}

/**
 * Takes the steps still missing for a ticket, and stores each before the next, so that it can stop anywhere and resume.
 * Replaces a deleted thread. Shows staff the card even if there can be no thread.
 */
export async function syncTicket(ctx: Ctx, services: SyncServices, id: string): Promise<Write[]> {
  const { channels } = services;
  const ticket = await ticketById(ctx, id);
  if (!ticket) return [];
  const { ending, forbidden } = await syncThread(ctx, services, ticket);
  const now = await ticketById(ctx, id);
  if (!now) return ending;
  const cardId = await channels.showCard(now);
  failpoint("ticket.card-shown");
  if (cardId !== now.cardId)
    await storeMade(ctx, id, { cardId }, noneBut(tickets.cardId, now.cardId, cardId));
  if (forbidden) throw forbidden;
  return ending;
}

/** Where a ticket's conversation and its files are. */
type SyncServices = { channels: TicketChannels; files: BuildStore };
type SyncResult = { ending: Write[]; forbidden?: GuildForbids };

async function syncThread(ctx: Ctx, services: SyncServices, ticket: Ticket): Promise<SyncResult> {
  let placed = ticket;
  try {
    placed = await withThread(ctx, services.channels, ticket);
    if (!placed.threadId) return { ending: [] };
    const syncAs = placed.state === "open" ? syncOpen : syncClosed;
    return { ending: await syncAs(ctx, services, placed, placed.threadId) };
  } catch (error) {
    if (error instanceof GuildForbids) return { ending: [], forbidden: error };
    if (!(error instanceof ThreadGone)) throw error;
    // this requests another sync
    await forgetLostThread(ctx, placed);
    return { ending: [] };
  }
}

async function syncOpen(
  ctx: Ctx,
  services: SyncServices,
  ticket: Ticket,
  threadId: string,
): Promise<Write[]> {
  const { channels } = services;
  const { id, discordUserId } = ticket;
  if (ticket.round > 1) {
    await channels.unarchiveThread(threadId);
    failpoint("ticket.woken");
  }
  if (ticket.formerMemberId) {
    await channels.removeFromThread(threadId, ticket.formerMemberId);
    await storeMade(ctx, id, { formerMemberId: null }, eq(tickets.formerMemberId, ticket.formerMemberId));
  }
  const member = discordUserId && (await channels.addToThread(threadId, discordUserId));
  for (const guest of await guestsOf(ctx, id)) await channels.addToThread(threadId, guest);
  if (!ticket.greetingId) {
    const greetingId = await channels.postGreeting(threadId, ticket);
    failpoint("ticket.greeted");
    await storeMade(ctx, id, { greetingId }, eq(tickets.threadId, threadId));
    await retryNow(ctx, [botTopics.postQueuedMessage]);
  }
  if (ticket.via === "site") await noteMembership(ctx, ticket, member === "inside");
  await postMessages(ctx, services, { id, threadId });
  if (ticket.via === "site") return [];
  if (member === "barred") return mailInstead(ctx, ticket);
  if (member !== "away") return [];
  return closeWrites(ctx, ticket, { actor: theShop, reason: "The member left the server." });
}

/** A ticket from the site needs no thread: its customer may leave the server, and then gets the answers by mail. */
async function noteMembership(ctx: Ctx, ticket: Ticket, isInside: boolean): Promise<void> {
  const { id, inThread } = ticket;
  if (inThread === isInside) return;
  await storeMade(ctx, id, { inThread: isInside });
  // their mail may have been given up while they were in the thread
  if (!isInside) await commit(ctx.store, mailInstead(ctx, ticket));
}

async function syncClosed(
  ctx: Ctx,
  services: SyncServices,
  ticket: Ticket,
  threadId: string,
): Promise<Write[]> {
  const { channels } = services;
  // also after the closing message: an upload may have ended since
  if (ticket.greetingId) await postMessages(ctx, services, { id: ticket.id, threadId });
  if (!ticket.farewellId) {
    await catchUp(ctx, channels, ticket.id, { again: true });
    const farewellId = await channels.postFarewell(threadId, ticket);
    failpoint("ticket.goodbye-said");
    await storeMade(ctx, ticket.id, { farewellId }, eq(tickets.round, ticket.round));
  }
  await channels.lockThread(threadId);
  failpoint("ticket.shut");
  // another ticket may have waited for room among the server's threads
  await retryNow(ctx, [botTopics.syncTicket]);
  return [];
}

/** Creates an open ticket's thread if the ticket may have one; for a closed ticket, only looks for it. */
async function withThread(ctx: Ctx, channels: TicketChannels, ticket: Ticket): Promise<Ticket> {
  if (ticket.threadId) return ticket;
  const findOrMake =
    ticket.state === "open" ? threadFor(ctx, channels, ticket) : strayThread(channels, ticket);
  const threadId = await findOrMake;
  if (!threadId) return ticket;
  await storeMade(ctx, ticket.id, { threadId }, noneBut(tickets.threadId, threadId));
  return { ...ticket, threadId };
}

async function threadFor(ctx: Ctx, channels: TicketChannels, ticket: Ticket): Promise<string | null> {
  if (!mayHaveThread(ticket)) return null;
  const asked = ticket.threadAskedAt !== null;
  if (!asked) await storeMade(ctx, ticket.id, { threadAskedAt: ctx.now() });
  failpoint("ticket.thread-announced");
  const make = () => channels.makeThread(ticket, (name) => notifyRenamed(ctx, ticket, name));
  const threadId = (asked ? await channels.findThread(ticket) : null) ?? (await make());
  failpoint("ticket.thread-made");
  return threadId;
}

const notifyRenamed = (ctx: Ctx, { id, number }: Ticket, name: string): Promise<void> =>
  commit(ctx.store, [
    ...notice(
      ctx,
      `thread name:${id}`,
      {
        kind: "trouble",
        sentence: `Discord refuses the name of ticket #${number}'s thread, so it is called "${name}". Nothing else changed.`,
      },
      { needsSomebody: false },
    ),
  ]);

/** A thread whose creation was recorded as begun but never as done. */
async function strayThread(channels: TicketChannels, ticket: Ticket): Promise<string | null> {
  return ticket.threadAskedAt && ticket.greetingId === null ? channels.findThread(ticket) : null;
}

type MadeAtDiscord = Partial<
  Pick<
    Ticket,
    "threadAskedAt" | "threadId" | "greetingId" | "farewellId" | "cardId" | "inThread" | "formerMemberId"
  >
>;

/** As a condition: no other process has stored another value meanwhile. */
const noneBut = (column: SQLiteColumn, ...known: (string | null)[]): SQL | undefined =>
  or(isNull(column), ...known.flatMap((one) => (one ? [eq(column, one)] : [])));

/**
 * Stores what was made at Discord. If the ticket was erased meanwhile, or has another thread or card by now, removes it
 * there instead. Throws if `still` no longer holds: a greeting belongs to one thread, and a farewell to one round.
 */
async function storeMade(ctx: Ctx, id: string, made: MadeAtDiscord, still?: SQL): Promise<void> {
  try {
    await commit(ctx.store, [
      ctx.store.db
        .update(tickets)
        .set(made)
        .where(and(eq(tickets.id, id), still)),
      mustHaveChanged("ticket_unknown"),
    ]);
  } catch (error) {
    const { threadId = null, cardId = null } = made;
    const isUnwanted = error instanceof Refusal && error.code === "ticket_unknown";
    if (isUnwanted && (threadId ?? cardId) !== null) {
      await commit(ctx.store, [eraseTraces(ctx, { threadId, cardId })]);
    }
    throw error;
  }
}
