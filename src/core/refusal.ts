import type { RefusalCode } from "@/contract/refusals";

/** What a refusal may say beyond its code. `sentence` is somebody else's words to show instead of ours. */
export type RefusalDetail = {
  field?: string;
  sentence?: string;
  retryAfterSeconds?: number;
  /** From when on it would not be refused. */
  availableAt?: Date;
};

/**
 * A verb says no. Thrown once, where it is decided; every door turns the code into its own words.
 */
export class Refusal extends Error {
  override name = "Refusal";
  constructor(
    readonly code: RefusalCode,
    readonly detail: RefusalDetail = {},
    options?: ErrorOptions,
  ) {
    super(code, options);
  }
}

/** The refusal that an error is, or that a query builder has wrapped in an error of its own. */
export function refusalIn(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error;
  return error instanceof Error && error.cause !== undefined ? refusalIn(error.cause) : null;
}

/** A guard found that another commit came first: read again, decide again. */
export const isConflict = (error: unknown) => error instanceof Refusal && error.code === "conflict";
