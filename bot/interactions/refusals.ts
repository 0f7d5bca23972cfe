import { brand } from "@/brand/brand";
import type { RefusalCode } from "@/contract/vocabulary/refusals";
import type { RefusalDetail } from "@/core/base/refusal";

export const notYours = "This is for somebody else.";

/** The bot's sentences for refusals. Those that can't happen in Discord have none. */
const sentences: Partial<Record<RefusalCode, string>> = {
  rate_limited: "Too many attempts. Please try again later.",
  busy: "The shop is very busy right now, please try again in a moment.",
  unavailable: "The shop can't store anything right now, please try again in a moment.",
  conflict: "Somebody changed this at the same moment, please try again.",
  license_malformed: "That is not a license key, please check it for typing mistakes.",
  license_unknown: "That license key does not exist.",
  license_taken: "That license key has already been redeemed.",
  license_yours: "That license key is already on your account.",
  license_disputed: "The payment for that license key is disputed.",
  license_refunded: "The payment for that license key was refunded.",
  license_revoked: "That license key has been revoked.",
  license_suspended: `That license key is suspended. Please write to ${brand.supportEmail}.`,
  license_pointless: "You already hold a lifetime license, so this key would add nothing. It stays unused.",
  license_unchanged: "The license is already in that state.",
  license_required: "That account has no active license.",
  ticket_unknown: "That ticket no longer exists.",
  ticket_open: "There are already three open tickets. Close one of them first.",
  ticket_closed: "That ticket is already closed.",
  ticket_over: "That ticket can't be opened again: it is open, or it ended more than a week ago.",
  ticket_not_closed: "A ticket can be rated once it is closed.",
  ticket_claimed: "Somebody has already claimed that ticket.",
  ticket_not_claimed: "That ticket is not yours.",
  ticket_escalated: "That ticket is already escalated.",
  refund_nothing_left: "Nothing is left to refund of that payment.",
  refund_too_large: "That is more than is left of the payment.",
  amount_uneven: "An amount in that currency must end with a zero.",
  refund_proposed: "A refund is already proposed on this card. An owner has to decide first.",
  refund_repeated: "The same refund was already requested with the same reason.",
  refund_decided: "Somebody has already decided about that refund.",
  refund_unknown: "Somebody has already decided about that refund.",
  refund_cap: "That would exceed what support may propose today. An owner or the operator can refund it.",
  forbidden: notYours,
  role_asleep: "Your role has been asleep since your account was recovered. An owner can wake it.",
  blocked: "That Discord user is blocked. The operator can lift the block.",
  hwid_not_set: "No device is bound to that account.",
  device_unknown: "That account has no such computer.",
};

export function phrase(code: RefusalCode, { retryAfterSeconds, sentence, needs }: RefusalDetail): string {
  if (sentence) return sentence;
  if (needs)
    return needs.some((role) => role === "support" || role === "discord_support") ? staffOnly : ownersOnly;
  if (retryAfterSeconds !== undefined)
    return `Too many attempts. Please try again in ${retryAfterSeconds} seconds.`;
  return sentences[code] ?? wentWrong;
}

export const wentWrong = "Something went wrong on our side. Please try again in a moment.";
const staffOnly = "Only the support team can do this.";
const ownersOnly = "Only the shop's owners can do this.";
export const notHere = "This only works in our server.";
