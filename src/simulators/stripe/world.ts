import type Stripe from "stripe";
import type { Faults } from "./faults";
import type { Ids } from "./ids";
import type { Ledger } from "./ledger/ledger";

/** What every part of the stand-in works with. */
export type World = {
  ledger: Ledger;
  ids: Ids;
  faults: Faults;
  /** Unix milliseconds. */
  now(): number;
  /** Base of the hosted pages, without a slash at the end. */
  publicUrl: string;
  /** Which API call the changes now being made come from; null for the page and the control. */
  cause: Stripe.Event.Request | null;
  /** The secret keys that are taken, each with the permissions that it lacks, such as `dispute_read`. */
  keys: Map<string, string[]>;
  /** Whether the API call under way came with a live key. */
  live: boolean;
};

export function seconds(world: World): number {
  return Math.floor(world.now() / 1000);
}

/** The id of a reference, which in this ledger is never expanded. */
export function idOf(reference: string | { id: string } | null | undefined): string | null {
  return typeof reference === "string" ? reference : (reference?.id ?? null);
}
