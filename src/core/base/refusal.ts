import type { BlockKind } from "@/contract/vocabulary/kinds";
import { type RefusalCode, refusals } from "@/contract/vocabulary/refusals";
import { texts } from "@/contract/vocabulary/texts";
import { brand } from "@/brand/brand";
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

type RefusalFields = { code: RefusalCode; detail?: RefusalDetail };

/**
 * The sentence for a refusal wherever an entry point has none of its own. It ends with a full stop, unless it is a third
 * party's or the specification's, which stay to the letter.
 */
export function sentenceOf({ code, detail = {} }: RefusalFields): string {
  if (detail.sentence !== undefined) return detail.sentence;
  if (code === "blocked") return blockedSentence(detail.blocked);
  if (detail.retryAfterSeconds !== undefined)
    return `Too many requests, please try again in ${detail.retryAfterSeconds} seconds`;
  const { sentence } = refusals[code];
  return quoted.has(sentence) ? sentence : stopped(sentence);
}

const quoted: ReadonlySet<unknown> = new Set(Object.values(texts));
const stopped = (sentence: string) => sentence.replace(/\.?$/, ".");

/** As {@link sentenceOf}, also with the full stop that the specification leaves out: for Discord and the command line. */
export const fullSentenceOf = (refused: RefusalFields): string =>
  refused.detail?.sentence ?? stopped(sentenceOf(refused));

const blocked: Record<BlockKind, string> = {
  device: "This device is blocked",
  email: "That email address is blocked",
  network: "Your network is blocked",
  discord: "That Discord account is blocked",
};

/** Says what is blocked, and where to ask for the reason. */
export const blockedSentence = (kind?: BlockKind): string =>
  `${kind ? blocked[kind] : refusals.blocked.sentence}. Please write to ${brand.supportEmail}.`;
