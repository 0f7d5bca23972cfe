import { AsyncLocalStorage } from "node:async_hooks";

/** Unlike that of any other start of the shop. */
const boot = crypto.randomUUID().slice(0, 8);
let number = 0;
const current = new AsyncLocalStorage<string | null>();

/** An id for something that was asked of the shop: a request, an interaction, a turn of its own. */
export const newTrace = (): string => `${boot}-${(number += 1).toString(36).padStart(7, "0")}`;

/**
 * Does something under an id: every log line meanwhile bears it, and so does the work that is posted, and
 * that work's lines when it is done later. Null for what goes on by itself, whoever set it going.
 */
export const traced = <T>(id: string | null, act: () => T): T => current.run(id, act);

/** What goes on at this moment; null when it goes on by itself. */
export const currentTrace = (): string | null => current.getStore() ?? null;
