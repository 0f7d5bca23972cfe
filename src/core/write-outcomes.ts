import type { Client } from "@libsql/client";

/** `failure` is null if something was stored. `at` is on the clock of `performance.now()`. */
export type WriteOutcome = { at: number; failure: unknown };

const last = new WeakMap<Client, WriteOutcome>();

/** Notes whether a database could store what it was last given. */
export function noteWrite(client: Client, failure: unknown): void {
  last.set(client, { at: performance.now(), failure });
}

export const lastWrite = (client: Client): WriteOutcome | undefined => last.get(client);
