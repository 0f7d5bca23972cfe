import { plainTyped } from "@/contract/vocabulary/typed-codes";
import type { Store } from "./database";
import type { Log } from "../log/log";
import type { Secrets } from "../secrets/secrets";

/** What every operation of the domain takes. Time comes only from `now`, so that tests can move it. */
export type Ctx = Readonly<{
  store: Store;
  secrets: Secrets;
  now: () => Date;
  /** Whether the Stripe key takes real money. A licence bought in the other mode grants nothing. */
  livemode: boolean;
  /** The one currency that the shop sells in. */
  currency: string;
  /** The shop's own, in which figures count days. */
  timeZone: string;
  log: Log;
}>;

/** Ids sort by creation time (UUIDv7, RFC 9562), so ordering by id descending gives newest first. */
export const newId = () => Bun.randomUUIDv7();

/** Whether the text is one of our own ids. */
export const isId = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

/** An id of ours or of Stripe, as people type or paste it. */
export const typedId = (typed: string): string => readId(typed) ?? plainTyped(typed);

/** One of our own ids, as people type or paste it; null if it isn't one. */
export function readId(typed: string): string | null {
  const id = plainTyped(typed).toLowerCase();
  return isId(id) ? id : null;
}
