/**
 * Places where a crash could do harm, each named after what has just happened. Armed by the setting
 * `FAILPOINT`, which production refuses; reaching one then kills the process as a power cut would.
 * Unarmed, reaching one compares a null.
 */
export const failpoints = [
  /** Stripe has the session, we have stored nothing of it. */
  "order.opened-at-stripe",
  /** Session and payment are stored, the buyer was not told where to pay. */
  "order.stored",
  /** Stripe answered what it holds, nothing is written. */
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
  /** A page of values is sealed under the new secret. */
  "secrets.page-sealed",
  /** A page of sessions is settled, the sweep has not noted it. */
  "sweep.page-settled",
  /** The sweep has noted how far it is. */
  "sweep.page-noted",
  /** A ticket is stored, nothing of it is in the server. */
  "ticket.stored",
  /** It is stored that a thread will be requested. */
  "ticket.thread-announced",
  /** The thread exists, but its id is not stored. */
  "ticket.thread-made",
  /** A ticket was reopened and its thread unarchived, nobody was added. */
  "ticket.woken",
  /** The first message is sent, which is not stored. */
  "ticket.greeted",
  /** Staff see the card, which is not stored. */
  "ticket.card-shown",
  /** A ticket was taken, or closed, and nobody sees it yet. */
  "ticket.changed",
  /** The last message is sent, which is not stored. */
  "ticket.goodbye-said",
  /** The thread is closed, the job still stands. */
  "ticket.shut",
] as const;
export type Failpoint = (typeof failpoints)[number];

let armed: { name: Failpoint; passes: number } | null = null;

/** Kills this process when it reaches `name` for the `passes`-th time. */
export function arm(name: Failpoint, passes: number): void {
  armed = { name, passes };
}

/** Marks a place; see {@link failpoints}. */
export function failpoint(name: Failpoint): void {
  if (armed === null || armed.name !== name) return;
  armed.passes -= 1;
  if (armed.passes === 0) process.kill(process.pid, "SIGKILL");
}
