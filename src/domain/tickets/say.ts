import type { Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { type Job, jobOf, post } from "@/core/outbox";
import { ticketById } from "./queries";
import { loseThread } from "./lose-thread";
import { type TicketRoom, ThreadGone } from "./ticket-channels";

/** Work on this topic says a sentence in a ticket's thread. */
export const sayTopic = "ticket.say";

/** The row that has something said in an open ticket's thread; `what` tells it from its other sentences. */
export const say = (ctx: Ctx, ticketId: string, words: { what: string; text: string }): Write =>
  post(ctx, { topic: sayTopic, subject: subjectOf(ticketId, words.what), payload: { text: words.text } });

/** Whether it still has to be said, and whether that was tried and failed; it is tried again. */
export async function sayingOf(ctx: Ctx, ticketId: string, what: string) {
  const job = await jobOf(ctx, sayTopic, subjectOf(ticketId, what));
  return { waits: job !== null, isHeldUp: job !== null && job.attempts > 0 };
}

const subjectOf = (ticketId: string, what: string) => `${ticketId}:${what}`;

/** What can't be said because there is no thread is tried again, and at once when there is one. */
export async function sayWhatIsDue(ctx: Ctx, room: TicketRoom, job: Job<typeof sayTopic>): Promise<Write[]> {
  const ticket = await ticketById(ctx, job.subject.split(":")[0] ?? "");
  if (ticket?.state !== "open") return [];
  if (!ticket.threadId || !ticket.greetingId) throw new ThreadGone();
  const { text } = job.payload;
  try {
    await room.say(ticket.threadId, {
      text,
      once: `${job.key}:${job.createdAt.getTime()}:${job.generation}`,
    });
  } catch (error) {
    if (error instanceof ThreadGone) await loseThread(ctx, ticket);
    throw error;
  }
  return [];
}
