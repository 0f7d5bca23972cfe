/**
 * Places where a crash could hurt, each named for what has happened just before it. Armed by the
 * setting `FAILPOINT`, which production refuses; passing one then kills the process as a power cut
 * would. Unarmed, passing one compares a null.
 */
export const failpoints = [
  /** Stripe has the session, we have nothing of it. */
  "order.opened-at-stripe",
  /** Session and payment are stored, the buyer was not told where to pay. */
  "order.stored",
  /** Stripe said what it holds, nothing is written. */
  "settle.read",
  /** Payment, licence and letters are on disk, nobody was told. */
  "settle.stored",
  /** All is stored, Stripe waits for its 200. */
  "webhook.settled",
  /** A worker holds the job and has done nothing. */
  "outbox.claimed",
  /** The mail server has the letter, the job still stands. */
  "outbox.delivered",
  /** The job is gone. */
  "outbox.finished",
  /** A page of sessions is settled, the sweep has not noted it. */
  "sweep.page-settled",
  /** The sweep has noted how far it is. */
  "sweep.page-noted",
  /** A ticket is stored, nothing of it is in the server. */
  "ticket.stored",
  /** That a thread will be asked for is stored. */
  "ticket.thread-announced",
  /** The thread exists, we don't know which it is. */
  "ticket.thread-made",
  /** A ticket was opened again and its thread is awake, nobody was let in. */
  "ticket.woken",
  /** The first message is said, which is not noted. */
  "ticket.greeted",
  /** Staff see the card, which is not noted. */
  "ticket.card-shown",
  /** A ticket was taken, or closed, and nobody sees it yet. */
  "ticket.changed",
  /** The last message is said, which is not noted. */
  "ticket.goodbye-said",
  /** The thread is shut, the job still stands. */
  "ticket.shut",
] as const;
export type Failpoint = (typeof failpoints)[number];

let armed: { name: Failpoint; passes: number } | null = null;

/** Kills this process at the `passes`-th passing of `name`. */
export function arm(name: Failpoint, passes: number): void {
  armed = { name, passes };
}

/** Marks a place; see {@link failpoints}. */
export function failpoint(name: Failpoint): void {
  if (armed === null || armed.name !== name) return;
  armed.passes -= 1;
  if (armed.passes === 0) process.kill(process.pid, "SIGKILL");
}
