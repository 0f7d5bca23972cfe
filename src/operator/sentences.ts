import type { RefusalCode } from "@/contract/refusals";
import type { Refusal } from "@/core/refusal";

/** How the command line says the refusals that its verbs meet; any other is told by its code. */
const sentences: Partial<Record<RefusalCode, string>> = {
  release_exists: "That version was already published. Publish another version instead.",
  release_unknown: "There is no such release or entry, or it was taken back already.",
  release_invalid: "The release can't be published like this.",
  license_unchanged: "The licence is in that state already, or was revoked for good.",
  hwid_not_set: "No computer is bound to that account.",
  mfa_off: "Two-factor is off on that account.",
  discord_taken: "The other side is connected already. --replace ends that connection for this one.",
  link_unknown: "That account is connected to no Discord user.",
  payment_unknown: "There is no such payment.",
  unavailable: "The database can't be reached or written right now. Nothing was changed; try again.",
  conflict: "Somebody changed this at the same moment. Nothing was changed; try again.",
};

export const sentenceOf = ({ code, detail }: Refusal): string =>
  detail.sentence ?? sentences[code] ?? `Refused: ${code}.`;
