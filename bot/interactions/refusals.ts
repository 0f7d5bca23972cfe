import { brand } from "@/brand/brand";
import type { RefusalCode } from "@/contract/refusals";
import type { RefusalDetail } from "@/core/refusal";

/** How the bot words refusals. Those that can't happen in Discord have no sentence. */
const sentences: Partial<Record<RefusalCode, string>> = {
  rate_limited: "That was too often. Please try again later.",
  busy: "The shop is very busy right now, please try again in a moment.",
  unavailable: "The shop can't store anything right now, please try again in a moment.",
  conflict: "Somebody changed this at the same moment, please try again.",
  license_malformed: "That is not a license key, please check it for typing mistakes.",
  license_unknown: "That license key does not exist.",
  license_taken: "That license key has already been redeemed.",
  license_yours: "That license key is on your account already.",
  license_disputed: "The payment for that license key is disputed.",
  license_refunded: "The payment for that license key was refunded.",
  license_revoked: "That license key has been revoked.",
  license_suspended: `That license key is suspended. Please write to ${brand.supportEmail}.`,
  license_pointless: "You already hold a lifetime license, so this key would add nothing. It stays unused.",
  license_unchanged: "That license is in that state already.",
  license_required: "That account has no active license.",
  ticket_unknown: "There is no such ticket any more.",
  ticket_open: "There is an open ticket about that already.",
  ticket_closed: "That ticket is closed already.",
  ticket_over: "That ticket can't be opened again: it is open, or it ended more than a week ago.",
  ticket_claimed: "Somebody has that ticket already.",
  ticket_not_claimed: "That ticket is not yours.",
  ticket_escalated: "That ticket is escalated already.",
  refund_nothing_left: "Nothing of that payment is left to refund.",
  refund_too_large: "That is more than is left of the payment.",
  refund_proposed: "A refund is proposed on this card already. An owner decides first.",
  refund_repeated: "The same refund was already asked for, with the same reason.",
  refund_decided: "Somebody has decided about that refund already.",
  refund_over_cap:
    "That would exceed what may be refunded here today. The operator can refund it from the command line.",
  blocked: "That Discord user is blocked. The operator can lift it.",
  hwid_not_set: "No device is bound to that account.",
};

export function phrase(code: RefusalCode, { retryAfterSeconds, sentence }: RefusalDetail): string {
  if (sentence) return sentence;
  if (retryAfterSeconds !== undefined)
    return `That was too often. Please try again in ${retryAfterSeconds} seconds.`;
  return sentences[code] ?? wentWrong;
}

export const wentWrong = "Something went wrong on our side. Please try again in a moment.";
export const staffOnly = "This is for the support team only.";
export const ownersOnly = "This is for the owners of the shop only.";
export const notYours = "This is for somebody else.";
export const notHere = "This works in our server only.";
