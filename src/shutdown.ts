/** Longer than any honest request takes; connections still open then are cut. */
const drainMilliseconds = 10_000;
/** How long a mail server or Discord may take to answer, so that a restart doesn't wait for one that hangs. */
const effectsMilliseconds = 3_000;
/** Time for jobs that were cut off to go back to the outbox. */
const lastMilliseconds = 1_000;

type Stoppable = { stop(): Promise<void> };
type Parts = {
  server: { stop(now?: boolean): Promise<void> };
  /** The worker, the scheduler and the bot; null where there is none. */
  effects: (Stoppable | null)[];
  mailer: { close(): void } | null;
  /** How long answers say `Connection: close` before idle connections are closed. */
  noticeMilliseconds: number;
};

/**
 * Stops everything at the same time. Requests under way get ten seconds. Emails and role changes under way get as
 * long as the requests take, and at least three seconds; one that still hangs is cut off and stays in the outbox for
 * the next start, an email with the same Message-ID.
 */
export async function shutDown({ server, effects, mailer, noticeMilliseconds }: Parts): Promise<void> {
  const ended = Promise.all(effects.flatMap((one) => (one ? [one.stop()] : [])));
  const patience = Bun.sleep(effectsMilliseconds);
  await Bun.sleep(noticeMilliseconds);
  await quietMoment();
  // closes idle connections, and each of the others once it has its answer
  await Promise.race([server.stop(), Bun.sleep(drainMilliseconds - noticeMilliseconds)]);
  await server.stop(true);
  await Promise.race([ended, patience]);
  mailer?.close();
  await Promise.race([ended, Bun.sleep(lastMilliseconds)]);
}

const mostLooks = 200;
const quietMilliseconds = 0.2;

/**
 * Resolves once the process has just polled its sockets and found almost nothing: a connection that arrives between
 * that poll and the closing is reset unread by the operating system. Under load that happened to 1.3 connections at
 * each stop without this, and to 0.25 to 0.66 with it.
 */
async function quietMoment(): Promise<void> {
  for (let looks = 0; looks < mostLooks; looks += 1) {
    const began = performance.now();
    await new Promise(setImmediate);
    if (performance.now() - began < quietMilliseconds) return;
  }
}
