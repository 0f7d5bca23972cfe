import type { RefusalCode } from "@/contract/vocabulary/refusals";
import { databaseFault } from "@/core/database/database-fault";
import { fullSentenceOf, type Refusal } from "@/core/base/refusal";

type Sentences = Partial<Record<RefusalCode, string>>;

/** What the command line says instead of the usual sentence. */
const instead: Sentences = {
  forbidden: "The command line may not do that.",
  release_unknown: "There is no such release or entry, or it was already withdrawn.",
  license_required: "That account has no active licence.",
  places_full: "All seats of that account are in use: shop devices remove frees one.",
  hwid_not_set: "No computer is bound to that account.",
  mfa_off: "Two-factor is off on that account.",
  discord_taken: "The other side is already connected. Use --replace to end that connection.",
  blocked: "That is blocked. `shop blocks list` says why, `shop blocks remove` lifts it.",
  rate_limited: "That was done as often as a day allows. Nothing was changed; try again tomorrow.",
  email_unchanged: "That is the address already.",
  email_taken: "Another account has that address, or may still take it back.",
  license_pointless: "That account has a lifetime licence, to which this one adds nothing.",
  unavailable: "The database can't be reached or written right now. Nothing was changed; try again.",
  conflict: "Someone changed this at the same moment. Nothing was changed; try again.",
};

/** What it adds to the usual sentence. */
const additions: Sentences = {
  release_exists: "Publish another version instead.",
  device_unknown: "`shop devices list` shows them.",
  block_unknown: "`shop blocks list` shows all of them with their ids.",
  server_key_exists: "Choose another name, or remove that key first.",
  server_key_unknown: "`shop keys list` shows all of them.",
  announcement_unknown: "`shop announce list` shows all of them.",
  announcement_differs: "Change its text, so that nobody gets the same email twice.",
  announcement_stopped: "Change its text to announce it again.",
  payment_without_email: "`shop payments correct-email` gives it one.",
  outbox_unknown: "`shop outbox list` shows what waits.",
  reply_unknown: "`shop replies list` shows all of them with their ids.",
  webhook_unknown: "`shop webhooks list` shows all of them with their ids.",
  webhook_exists: "`shop webhooks list` shows it.",
  webhook_limit: "Remove one first.",
  webhook_event_unknown: "`shop webhooks deliveries` shows their ids.",
};

const states = {
  suspended: "suspended already",
  "not suspended": "not suspended",
  revoked: "revoked for good",
};

export function sentenceOf(refusal: Refusal): string {
  const { code, detail } = refusal;
  // a folder or bucket names itself
  if (detail.sentence !== undefined) return detail.sentence;
  if (detail.state) return `That licence is ${states[detail.state]}. Nothing was changed.`;
  const fault = code === "unavailable" ? databaseFault(refusal) : null;
  if (fault) return `The database can't be used: ${fault.sentence}. Nothing was changed; try again.`;
  // customers read "license", operators "licence"
  const usual = fullSentenceOf(refusal).replaceAll("license", "licence");
  return instead[code] ?? (additions[code] ? `${usual} ${additions[code]}` : usual);
}
