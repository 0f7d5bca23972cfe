import { AsyncLocalStorage } from "node:async_hooks";

const current = new AsyncLocalStorage<string | null>();

/**
 * An id for something that was asked of the shop: a request, an interaction, a turn of its own. Random, as answers
 * bear it and nobody should learn from two of them how many there were in between.
 */
export const newTrace = (): string => crypto.randomUUID();

/**
 * Does something under an id: every log line meanwhile bears it, and so does the work that is posted, and
 * that work's lines when it is done later. Null for what goes on by itself, whoever set it going.
 */
export const traced = <T>(id: string | null, act: () => T): T => current.run(id, act);

/** What goes on at this moment; null when it goes on by itself. */
export const currentTrace = (): string | null => current.getStore() ?? null;
