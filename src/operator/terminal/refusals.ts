import type { RefusalCode } from "@/contract/vocabulary/refusals";
import { databaseFault } from "@/core/database/database-fault";
import type { Refusal } from "@/core/base/refusal";

/** The command line's sentence for each refusal that its commands meet; any other is shown as its code. */
const sentences: Partial<Record<RefusalCode, string>> = {
  forbidden: "The command line may not do that.",
  release_exists: "That version is already published. Publish another version instead.",
  release_unknown: "There is no such release or entry, or it was already withdrawn.",
  release_invalid: "The release can't be published as it is.",
  license_required: "That account has no active licence.",
  places_full: "All places of that account are taken: shop devices remove frees one.",
  hwid_not_set: "No computer is bound to that account.",
  device_unknown: "That account has no computer with that id: shop devices list shows them.",
  mfa_off: "Two-factor is off on that account.",
  discord_taken: "The other side is already connected. Use --replace to end that connection.",
  blocked: "That is blocked. `shop blocks list` says why, `shop blocks remove` lifts it.",
  block_exists: "That is already blocked.",
  block_unknown: "There is no such block. `shop blocks list` shows all of them with their ids.",
  server_key_exists: "There is a key with that name already. Choose another name, or remove that key first.",
  server_key_unknown: "There is no such key. `shop keys list` shows all of them.",
  announcement_unknown: "There is no such announcement. `shop announce list` shows all of them.",
  announcement_differs:
    "The same letter was announced to other customers. Change its text, so that nobody gets the same letter twice.",
  announcement_stopped: "That announcement was stopped. Change its text to announce it again.",
  mail_off: "Mail is off (MAIL=off), so no letter can be sent.",
  link_unknown: "That account is not connected to a Discord user.",
  offer_unknown: "There is no such offer, or it is retired.",
  offer_exists: "There is or was an offer with that id. Choose another.",
  code_unknown: "There is no such promotion code, or it has ended.",
  payment_unknown: "There is no such payment.",
  payment_not_gift: "That payment is not a gift.",
  payment_not_sold: "That payment gave no licence, so there is no receipt to send.",
  payment_without_email:
    "No address is stored for that payment: give it one with shop payments correct-email.",
  rate_limited: "That was done as often as a day allows. Nothing was changed; try again tomorrow.",
  refund_nothing_left: "Nothing of that payment is left to refund, or nothing was ever paid.",
  amount_uneven: "In the shop's currency Stripe takes only whole amounts, or such that end with a zero.",
  refund_too_large: "That is more than is left of the payment.",
  email_unchanged: "That is the address already.",
  email_unconfirmed:
    "That account's address isn't confirmed. Give the address instead of the name, or have its owner confirm it first.",
  email_taken: "Another account has that address, or may still take it back.",
  job_unknown: "There is no such job.",
  job_finished: "That job is over already.",
  outbox_unknown: "That delivery is not waiting any more. `shop outbox list` shows what waits.",
  outbox_running: "That delivery is being tried right now.",
  reply_unknown: "There is no such saved reply. `shop replies list` shows all of them with their ids.",
  reply_exists: "There is a saved reply with that name already.",
  reply_limit: "There are 200 saved replies already, which is the most.",
  license_pointless: "That account has a lifetime licence, to which this one adds nothing.",
  webhook_unknown: "There is no such endpoint. `shop webhooks list` shows all of them with their ids.",
  webhook_exists:
    "There is an endpoint with that URL already, and a second one would get everything twice. `shop webhooks list` shows it.",
  webhook_limit: "There are 50 endpoints already, which is the most. Remove one first.",
  webhook_enabled: "That endpoint is not disabled.",
  webhook_disabled: "That endpoint is disabled: shop webhooks enable it first.",
  webhook_event_unknown:
    "There is no such event or delivery: both are kept for 30 days. `shop webhooks deliveries` shows their ids.",
  unavailable: "The database can't be reached or written right now. Nothing was changed; try again.",
  unconfirmed:
    "The database's answer was lost, so this may or may not have been done. Look before you try again.",
  conflict: "Somebody changed this at the same moment. Nothing was changed; try again.",
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
  return sentences[code] ?? `Refused: ${code}.`;
}
