import type { RefusalCode } from "@/contract/refusals";

/** What a refusal may say beyond its code. `sentence` is somebody else's words to show instead of ours. */
export type RefusalDetail = { field?: string; sentence?: string; retryAfterSeconds?: number };

/**
 * A verb says no. Thrown once, where it is decided; every door turns the code into its own words.
 */
export class Refusal extends Error {
  override name = "Refusal";
  constructor(
    readonly code: RefusalCode,
    readonly detail: RefusalDetail = {},
  ) {
    super(code);
  }
}

/** A guard found that another commit came first: read again, decide again. */
export const isConflict = (error: unknown) => error instanceof Refusal && error.code === "conflict";
