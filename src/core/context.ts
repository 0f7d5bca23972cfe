import type { Store } from "./database";
import type { Log } from "./log";
import type { Secrets } from "./secrets";

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
export const isId = (typed: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(typed.trim());
