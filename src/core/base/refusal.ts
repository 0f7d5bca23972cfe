import type { BlockKind } from "@/contract/vocabulary/kinds";
import type { RefusalCode } from "@/contract/vocabulary/refusals";
import type { Role } from "./actor";

/** Details of a refusal. `sentence` is a third party's text to show instead of ours. */
export type RefusalDetail = {
  field?: string;
  /** What the call itself is about doesn't exist, whatever the code means elsewhere. */
  subject?: true;
  sentence?: string;
  retryAfterSeconds?: number;
  /** When it will be allowed again. */
  availableAt?: Date;
  blocked?: BlockKind;
  /** `forbidden`: the roles that may do it. */
  needs?: readonly Role[];
  /** `license_unchanged`: the licence's present state. */
  state?: "suspended" | "not suspended" | "revoked";
  /** `already_subscribed`: our id of the subscription that runs. */
  subscription?: string;
  /** The other fields that are wrong, so that a form can show all mistakes at once. */
  others?: readonly Refusal[];
};

/** An operation refuses. Thrown once, where the operation decides. */
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

/** The refusal in an error, or in the cause of a query builder's error. */
export function refusalIn(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error;
  return error instanceof Error && error.cause !== undefined ? refusalIn(error.cause) : null;
}
