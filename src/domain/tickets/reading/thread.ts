import { and, eq, isNotNull, type SQL } from "drizzle-orm";
import { commitIfFirst, mustHaveChanged, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { notice } from "../../notice";
import type { Job } from "@/core/jobs/job-handlers";
import { jobOf, noJobWaits, enqueue } from "@/core/jobs/outbox";
import { botTopics } from "../../outbox-topics";
import { tickets } from "../../schema/tickets";
import { type Ticket, ticketById } from "./queries";
import { type TicketChannels, ThreadGone } from "./ticket-channels";

export const requestSync = (ctx: Ctx, ticketId: string): Write =>
  enqueue(ctx, { topic: botTopics.syncTicket, subject: ticketId });

/** Whether an attempt to sync the ticket has failed; the outbox retries it. */
export async function isSyncFailing(ctx: Ctx, ticketId: string): Promise<boolean> {
  const job = await jobOf(ctx, botTopics.syncTicket, ticketId);
  return job !== null && job.attempts > 0;
}

/** Queues a message in an open ticket's thread; `what` is its idempotency key. */
export const queueInThread = (ctx: Ctx, ticketId: string, message: { what: string; text: string }): Write =>
  enqueue(ctx, {
    topic: botTopics.postQueuedMessage,
    subject: subjectOf(ticketId, message.what),
    payload: { text: message.text },
  });

/** Queues a message that answers the member: the ticket then waits for them. */
export const queueAnswerInThread = (
  ctx: Ctx,
  ticketId: string,
  message: { what: string; text: string },
): Write[] => [
  queueInThread(ctx, ticketId, message),
  ctx.store.db
    .update(tickets)
    .set({ waitingFor: "member", waitingSince: ctx.now(), remindedAt: null })
    .where(and(eq(tickets.id, ticketId), eq(tickets.state, "open"))),
  requestSync(ctx, ticketId),
];

/** Whether a message waits to be posted, and whether an attempt has failed. */
export async function queuedMessageStatus(ctx: Ctx, ticketId: string, what: string) {
  const job = await jobOf(ctx, botTopics.postQueuedMessage, subjectOf(ticketId, what));
  return { waits: job !== null, isFailing: job !== null && job.attempts > 0 };
}

/** The reminder to silent members. */
export const reminder = "reminder";

/** As a condition: no reminder of the ticket waits to be posted. */
export const noReminderWaits = (ctx: Ctx, ticketId: string): SQL =>
  noJobWaits(ctx, botTopics.postQueuedMessage, subjectOf(ticketId, reminder));

const subjectOf = (ticketId: string, what: string) => `${ticketId}:${what}`;

/**
 * Fails without a thread; the job is retried at once when there is one. A reminder counts from when it is posted, and
 * is not posted once somebody has written.
 */
export async function postQueuedMessage(
  ctx: Ctx,
  channels: TicketChannels,
  job: Job<typeof botTopics.postQueuedMessage>,
): Promise<Write[]> {
  const [id = "", what] = job.subject.split(":");
  const ticket = await ticketById(ctx, id);
  if (ticket?.state !== "open") return [];
  const isReminder = what === reminder;
  if (isReminder && !ticket.remindedAt) return [];
  if (!ticket.threadId || !ticket.greetingId) throw new ThreadGone();
  const { text } = job.payload;
  try {
    // the member may have left the thread
    if (isReminder && ticket.discordUserId) await channels.addToThread(ticket.threadId, ticket.discordUserId);
    await channels.postText(ticket.threadId, {
      text,
      once: `${job.key}:${job.createdAt.getTime()}:${job.generation}`,
    });
  } catch (error) {
    if (error instanceof ThreadGone) await forgetLostThread(ctx, ticket);
    throw error;
  }
  if (!isReminder) return [];
  const unanswered = and(eq(tickets.id, id), isNotNull(tickets.remindedAt));
  return [ctx.store.db.update(tickets).set({ remindedAt: ctx.now() }).where(unanswered)];
}

/** Limits new threads where a bot or a person deletes each of them. Reopening allows as many again. */
const mostThreadsARound = 3;

export const mayHaveThread = ({ threadsLost, round }: Ticket): boolean =>
  threadsLost < mostThreadsARound * round;

/**
 * Forgets a deleted thread, so that an open ticket gets a new one. After the third lost thread, notifies staff instead.
 */
export async function forgetLostThread(ctx: Ctx, ticket: Ticket): Promise<void> {
  if (!ticket.threadId) return;
  const lost = { threadId: null, threadAskedAt: null, greetingId: null, threadsLost: ticket.threadsLost + 1 };
  const isEnough = ticket.state === "open" && !mayHaveThread({ ...ticket, ...lost });
  // another job may have noticed it first
  await commitIfFirst(ctx.store, [
    ctx.store.db
      .update(tickets)
      .set(lost)
      .where(and(eq(tickets.id, ticket.id), eq(tickets.threadId, ticket.threadId))),
    mustHaveChanged("conflict"),
    requestSync(ctx, ticket.id),
    ...(isEnough
      ? notice(ctx, `threads:${ticket.id}`, { kind: "trouble", sentence: lostTooOften(ticket) })
      : []),
  ]);
}

const lostTooOften = ({ number }: Ticket): string =>
  `The thread of ticket #${number} was deleted ${mostThreadsARound} times, so no new one is created. Find out who or what deletes it (a moderation bot?), then close and reopen the ticket.`;
