import type { Store } from "./database";
import type { Log } from "./log";
import type { Secrets } from "./secrets";

/** What every verb of the domain is given. Time comes only from `now`, so that tests can move it. */
export type Ctx = Readonly<{
  store: Store;
  secrets: Secrets;
  now: () => Date;
  /** Whether the running Stripe key takes real money. A licence bought in the other mode entitles to nothing. */
  livemode: boolean;
  log: Log;
  /** Called after a commit that posted jobs, so that they are done at once rather than at the next look. */
  wake: () => void;
}>;

/** Sorts by the time it was made (UUIDv7, RFC 9562), so that newest first is by id descending. */
export const newId = () => Bun.randomUUIDv7();

/** Whether somebody typed one of our own ids. */
export const isId = (typed: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(typed.trim());
