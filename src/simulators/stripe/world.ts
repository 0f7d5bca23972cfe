import type Stripe from "stripe";
import type { Faults } from "./faults";
import type { Ledger } from "./ledger";

export type Endpoint = Pick<
  Stripe.WebhookEndpoint,
  "id" | "url" | "enabled_events" | "status" | "api_version" | "metadata"
> & {
  /** Of those that were made by a call: events are sent to them, signed with it. */
  secret?: string;
  created?: number;
  /** The mode of the key that made it, with which alone it is seen; those of the account's beginning are of both. */
  live?: boolean;
};

/**
 * `tax_location`, `schedule`, `url`, an address that the internet can't reach, and `nameless`, an account without a
 * business name: 400; `permission`: 403.
 */
export const refusals = ["tax_location", "schedule", "permission", "url", "nameless"] as const;
export type Refused = (typeof refusals)[number];

/** What every part of the simulator uses. */
export type World = {
  ledger: Ledger;
  /** A new id: `prefix` and `length` letters, 24 by default; the same seed gives the same ids in the same order. */
  ids: { next(prefix: string, length?: number): string };
  faults: Faults;
  /** Unix milliseconds. */
  now(): number;
  /** The simulator's own time, also while `now` is a moment that it catches up with, or the time of a test clock. */
  present(): number;
  /** The base URL of the pages, without a trailing slash. */
  url: string;
  /** The API call that makes the present changes; null for the page and the control API. */
  cause: Stripe.Event.Request | null;
  /** The accepted secret keys, each with the permissions it lacks, such as `dispute_read`. */
  keys: Map<string, string[]>;
  /** The account's Stripe Tax settings: the rate, and whether prices include tax. */
  tax: { percent: number; within: boolean };
  /** The currency of the balance and how much of it a payment's buys; null if the balance has every currency. */
  settlement: { currency: string; rate: number } | null;
  /** Events not listed yet, and how many of the next events to withhold. */
  withheld: { next: number; events: Set<string> };
  /** What becomes of a subscription whose last retry failed, as the account's settings have it. */
  afterRetries: "cancel" | "unpaid" | "past_due";
  /** The webhook endpoints that the account lists. */
  endpoints: Endpoint[];
  /** How the account's wire differs from the SDK's usual one. */
  wire: {
    /** The API version of the events made from now on. */
    version: string;
    /** The types that the endpoint is sent; null for all. */
    types: ReadonlySet<string> | null;
    /** The calls that are refused until it is taken back, the first that fits. */
    refusals: { path: string; as: Refused }[];
  };
  /** Whether the current API call uses a live key. */
  live: boolean;
  /** Whether changes make no events. */
  silent: boolean;
};

export function seconds(world: World): number {
  return Math.floor(world.now() / 1000);
}
