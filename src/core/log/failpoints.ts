/**
 * Places where a crash could do harm, each named after what has just happened. The setting `FAILPOINT`, which
 * production refuses, arms a place: on reaching it, the process kills itself, like a power cut.
 */
export const failpoints = [
  /** Stripe has the session; we have stored nothing. */
  "order.opened-at-stripe",
  /** Session and payment are stored; the buyer has not been sent to Stripe. */
  "order.stored",
  /** Stripe has answered; nothing is written. */
  "settle.read",
  /** Payment, licence and outbox rows are on disk; nothing has been sent. */
  "settle.stored",
  /** Stripe has refunded; we have stored nothing. */
  "refund.made-at-stripe",
  /** Everything is stored; Stripe is waiting for its 200. */
  "webhook.settled",
  /** A worker has claimed the job and done nothing yet. */
  "outbox.claimed",
  /** The mail server has the email; the job is still there. */
  "outbox.delivered",
  /** The job is deleted. */
  "outbox.finished",
  /** A licence of a job is changed, and noted as done. */
  "licence-job.item-done",
  /** A few licences of a job are done; more are left. */
  "licence-job.step-done",
  /** Webhooks are made of the audit log's newest entries; nothing of them is stored. */
  "webhook.read",
  /** Webhooks and how far the log was read are stored; nothing is sent. */
  "webhook.stored",
  /** A receiver has the webhook; we have not recorded that. */
  "webhook.sent",
  /** A page of values is sealed under the new secret. */
  "secrets.page-sealed",
  /** A page of rows is copied to the new database, or compared. */
  "move.page-copied",
  /** Every row is in the other database; neither database records that. */
  "move.copied",
  /** A page of sessions is settled; the reconciliation has not recorded that. */
  "sweep.page-settled",
  /** The reconciliation has recorded how far it got. */
  "sweep.page-noted",
  /** A ticket is stored; Discord has nothing of it. */
  "ticket.stored",
  /** A message from outside Discord is stored; the bot has not posted it. */
  "ticket.written",
  /** The bot posted a part of such a message; its id is not stored. */
  "ticket.message-posted",
  /** The intent to create a thread is stored. */
  "ticket.thread-announced",
  /** The thread exists; its id is not stored. */
  "ticket.thread-made",
  /** A reopened ticket's thread is unarchived; the bot has added nobody to it. */
  "ticket.woken",
  /** The first message is sent; that is not stored. */
  "ticket.greeted",
  /** Staff see the card; that is not stored. */
  "ticket.card-shown",
  /** A ticket was taken or closed; Discord does not show it yet. */
  "ticket.changed",
  /** The last message is sent; that is not stored. */
  "ticket.goodbye-said",
  /** The thread is closed; the job is still there. */
  "ticket.shut",
] as const;
export type Failpoint = (typeof failpoints)[number];

let armed: { name: Failpoint; passes: number } | null = null;

/** Makes this process kill itself when it reaches `name` for the `passes`-th time. */
export function arm(name: Failpoint, passes: number): void {
  armed = { name, passes };
}

/** Marks a place; see {@link failpoints}. */
export function failpoint(name: Failpoint): void {
  if (armed === null || armed.name !== name) return;
  armed.passes -= 1;
  if (armed.passes === 0) process.kill(process.pid, "SIGKILL");
}
