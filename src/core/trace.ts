import { AsyncLocalStorage } from "node:async_hooks";

const current = new AsyncLocalStorage<string | null>();

/**
 * An id for a request, an interaction or a periodic run. It is random because responses carry it, and two of them
 * must not reveal how many came in between.
 */
export const newTrace = (): string => crypto.randomUUID();

/**
 * Runs `act` under an id, which every log line and posted job then carries, and the log lines of those jobs when they
 * run later. Null for background work, whoever started it.
 */
export const traced = <T>(id: string | null, act: () => T): T => current.run(id, act);

/** The id of what is currently running; null for background work. */
export const currentTrace = (): string | null => current.getStore() ?? null;

/** Whether the shop itself is at work: for a request, for a job, or on a timer. */
export const isShopsWork = (): boolean => current.getStore() !== undefined;
