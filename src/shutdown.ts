import { yieldToEventLoop } from "./core/base/yield";

/** Longer than any honest request takes; the shop then cuts open connections. */
const drainMilliseconds = 10_000;
/** How long a mail server or Discord may take to answer, so that a hanging server delays no restart. */
const effectsMilliseconds = 3_000;
/** How long jobs that were cut off have to return to the outbox. */
const lastMilliseconds = 1_000;

type Stoppable = { stop(): Promise<void> };
type Parts = {
  server: { stop(now?: boolean): Promise<void> };
  /** The worker, the scheduler and the bot; null for an absent one. */
  effects: (Stoppable | null)[];
  mailer: { close(): void } | null;
  /** How long answers say `Connection: close` before the server closes idle connections. */
  noticeMilliseconds: number;
};

/**
 * Stops everything at the same time. Requests under way get ten seconds. Emails and role changes under way get as long
 * as the requests take, and at least three seconds; the shop then cuts off those that hang, which stay in the outbox
 * for the next start, an email with the same Message-ID.
 */
export async function shutDown({ server, effects, mailer, noticeMilliseconds }: Parts): Promise<void> {
  const ended = Promise.all(effects.flatMap((one) => (one ? [one.stop()] : [])));
  const effectsTimeout = Bun.sleep(effectsMilliseconds);
  await Bun.sleep(noticeMilliseconds);
  await quietMoment();
  // closes idle connections, and each other connection after its answer
  await Promise.race([server.stop(), Bun.sleep(drainMilliseconds - noticeMilliseconds)]);
  await server.stop(true);
  await Promise.race([ended, effectsTimeout]);
  mailer?.close();
  await Promise.race([ended, Bun.sleep(lastMilliseconds)]);
}

const mostChecks = 200;
const quietMilliseconds = 0.2;

/**
 * Resolves just after the process has polled its sockets and found almost nothing: the operating system resets,
 * unread, a connection that arrives between that poll and the closing. Under load each stop lost 1.3 connections
 * without this, and 0.25 to 0.66 with it.
 */
async function quietMoment(): Promise<void> {
  for (let checks = 0; checks < mostChecks; checks += 1) {
    const began = performance.now();
    await yieldToEventLoop();
    if (performance.now() - began < quietMilliseconds) return;
  }
}
