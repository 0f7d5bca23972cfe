import type { Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { type Job, post } from "@/core/outbox";
import { ticketById } from "./find";
import { type TicketRoom, ThreadGone } from "./room";

/** Work on this topic says a sentence in a ticket's thread. */
export const sayTopic = "ticket.say";

/** The row that has something said in an open ticket's thread; `what` tells it from its other sentences. */
export const say = (ctx: Ctx, ticketId: string, words: { what: string; text: string }): Write =>
  post(ctx, { topic: sayTopic, subject: `${ticketId}:${words.what}`, payload: { text: words.text } });

export async function sayWhatIsDue(ctx: Ctx, room: TicketRoom, job: Job): Promise<Write[]> {
  const ticket = await ticketById(ctx, job.subject.split(":")[0] ?? "");
  if (ticket?.state !== "open" || !ticket.threadId) return [];
  // posted by the function above alone
  const { text } = job.payload as { text: string };
  try {
    await room.say(ticket.threadId, {
      text,
      once: `${job.key}:${job.createdAt.getTime()}:${job.generation}`,
    });
  } catch (error) {
    // whoever makes the next thread greets anew
    if (!(error instanceof ThreadGone)) throw error;
  }
  return [];
}
