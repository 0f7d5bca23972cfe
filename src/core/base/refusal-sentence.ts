import { brand } from "@/brand/brand";
import type { BlockKind } from "@/contract/vocabulary/kinds";
import { type RefusalCode, refusals } from "@/contract/vocabulary/refusals";
import type { RefusalDetail } from "./refusal";

type Refused = { code: RefusalCode; detail?: RefusalDetail };

/** The sentence for a refusal wherever an entry point has none of its own; on pages, so without a full stop. */
export function sentenceOf({ code, detail = {} }: Refused): string {
  if (detail.sentence !== undefined) return detail.sentence;
  if (code === "blocked") return blockedSentence(detail.blocked);
  if (detail.retryAfterSeconds === undefined) return refusals[code].sentence;
  return `Too many requests, please try again in ${detail.retryAfterSeconds} seconds`;
}

/** As {@link sentenceOf}, with a full stop. A third party's text stays as it is. */
export const fullSentenceOf = (refused: Refused): string =>
  refused.detail?.sentence ?? sentenceOf(refused).replace(/\.?$/, ".");

const blocked: Record<BlockKind, string> = {
  device: "This device is blocked",
  email: "That email address is blocked",
  network: "Your network is blocked",
  discord: "That Discord account is blocked",
};

/** Says what is blocked, and where to ask for the reason. */
export const blockedSentence = (kind?: BlockKind): string =>
  `${kind ? blocked[kind] : refusals.blocked.sentence}. Please ask support: ${brand.supportEmail}`;
