import type Stripe from "stripe";
import type { Faults } from "./faults";
import type { Ledger } from "./ledger";

export type Endpoint = Pick<Stripe.WebhookEndpoint, "url" | "enabled_events" | "status">;

/** What every part of the simulator works with. */
export type World = {
  ledger: Ledger;
  /** A new id: `prefix` and so many letters, 24 unless told; the same seed gives the same ids in the same order. */
  ids: { next(prefix: string, length?: number): string };
  faults: Faults;
  /** Unix milliseconds. */
  now(): number;
  /** The base of its pages, without a trailing slash. */
  url: string;
  /** The API call behind the changes now being made; null for the page and the control API. */
  cause: Stripe.Event.Request | null;
  /** The secret keys that are accepted, each with the permissions it lacks, such as `dispute_read`. */
  keys: Map<string, string[]>;
  /** What the account has set at Stripe Tax: how much is due, and whether prices hold it already. */
  tax: { percent: number; within: boolean };
  /** Events that are made and not listed yet, and how many of the next ones will not be. */
  withheld: { next: number; events: Set<string> };
  /** The webhook endpoints that the account lists. */
  endpoints: Endpoint[];
  /** Whether the API call under way came with a live key. */
  live: boolean;
};

export function seconds(world: World): number {
  return Math.floor(world.now() / 1000);
}
