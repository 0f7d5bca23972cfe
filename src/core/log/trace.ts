import { AsyncLocalStorage } from "node:async_hooks";

const current = new AsyncLocalStorage<string | null>();

/**
 * An id for a request, an interaction or a periodic run. Random, because responses carry it, and two ids must not
 * reveal how many requests came in between.
 */
export const newTrace = (): string => crypto.randomUUID();

/**
 * Runs `act` under an id, which its log lines and the jobs it enqueues then carry, and later the log lines of those
 * jobs. Null for background work.
 */
export const runTraced = <T>(id: string | null, act: () => T): T => current.run(id, act);

/** The id under which the current code runs; null for background work. */
export const currentTrace = (): string | null => current.getStore() ?? null;

/** Whether the current code runs for a request, a job or a timer of the shop. */
export const isShopsWork = (): boolean => current.getStore() !== undefined;
