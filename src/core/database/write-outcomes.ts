import type { Client } from "@libsql/client";

/** `failure` is null if the write was stored. `at` is on the clock of `performance.now()`. */
export type WriteOutcome = { at: number; failure: unknown };

const last = new WeakMap<Client, WriteOutcome>();

/** Records whether a database stored its last write. */
export function noteWrite(client: Client, failure: unknown): void {
  last.set(client, { at: performance.now(), failure });
}

export const lastWrite = (client: Client): WriteOutcome | undefined => last.get(client);
