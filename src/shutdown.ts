/** Longer than any honest request; what is still open then is cut. */
const drainMilliseconds = 10_000;
/** What a mail server or Discord gets to answer, so that a start anew doesn't wait for one that hangs. */
const effectsMilliseconds = 3_000;
/** What was cut goes back to the outbox. */
const lastMilliseconds = 1_000;

type Stoppable = { stop(): Promise<void> };
type Parts = {
  server: { stop(now?: boolean): Promise<void> };
  /** The worker, the bot and what runs by the clock; null where there is none. */
  effects: (Stoppable | null)[];
  mailer: { close(): void } | null;
  /** For so long clients hear with their answers that their lines close, before the idle ones are closed. */
  noticeMilliseconds: number;
};

/**
 * Ends what the process does, all of it at the same time. Requests under way get ten seconds. Letters and
 * role changes under way get as long as the requests take, and three seconds at least; what hangs then is
 * cut and stays in the outbox, so that it is done after the next start: a letter with the same Message-ID.
 */
export async function shutDown({ server, effects, mailer, noticeMilliseconds }: Parts): Promise<void> {
  const ended = Promise.all(effects.flatMap((one) => (one ? [one.stop()] : [])));
  const patience = Bun.sleep(effectsMilliseconds);
  await Bun.sleep(noticeMilliseconds);
  await quietMoment();
  // closes idle lines, and each of the others when it has its answer
  await Promise.race([server.stop(), Bun.sleep(drainMilliseconds - noticeMilliseconds)]);
  await server.stop(true);
  await Promise.race([ended, patience]);
  mailer?.close();
  await Promise.race([ended, Bun.sleep(lastMilliseconds)]);
}

const mostLooks = 200;
const quietMilliseconds = 0.2;

/**
 * Resolves when the process has just looked at its sockets and found next to nothing: a connection that comes
 * between that look and the closing is reset by the system, unread. Under load that befell 1.3 of them at
 * each stop without this, and a quarter to two thirds of one with it.
 */
async function quietMoment(): Promise<void> {
  for (let looks = 0; looks < mostLooks; looks += 1) {
    const began = performance.now();
    await new Promise(setImmediate);
    if (performance.now() - began < quietMilliseconds) return;
  }
}
