import { and, eq } from "drizzle-orm";
import { commit, mustHaveChanged } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { notice } from "@/core/notice";
import { isConflict } from "@/core/refusal";
import type { Ticket } from "./queries";
import { keep } from "./open";
import { tickets } from "../schema/tickets";

/** Something that deletes every thread would otherwise have threads made for ever; a reopening allows as many again. */
const mostThreadsARound = 3;

/** Whether a thread may be made for it, however many were deleted before. */
export const mayHaveThread = ({ threadsLost, round }: Ticket): boolean =>
  threadsLost < mostThreadsARound * round;

/**
 * The row forgets a thread that is gone, so that a new one is made while the ticket is open. After three of
 * them staff are told instead.
 */
export async function loseThread(ctx: Ctx, ticket: Ticket): Promise<void> {
  if (!ticket.threadId) return;
  const lost = { threadId: null, threadAskedAt: null, greetingId: null, threadsLost: ticket.threadsLost + 1 };
  const isEnough = ticket.state === "open" && !mayHaveThread({ ...ticket, ...lost });
  try {
    await commit(ctx.store, [
      ctx.store.db
        .update(tickets)
        .set(lost)
        .where(and(eq(tickets.id, ticket.id), eq(tickets.threadId, ticket.threadId))),
      mustHaveChanged("conflict"),
      keep(ctx, ticket.id),
      ...(isEnough
        ? [notice(ctx, `threads:${ticket.id}`, { kind: "trouble", sentence: lostTooOften(ticket) })]
        : []),
    ]);
  } catch (error) {
    // another noticed it first
    if (!isConflict(error)) throw error;
  }
  ctx.wake();
}

const lostTooOften = ({ number }: Ticket): string =>
  `The thread of ticket #${number} was deleted ${mostThreadsARound} times, so no new one is made. Find out who or what deletes it (a moderation bot?), then close and reopen the ticket.`;
