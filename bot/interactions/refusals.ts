import type { RefusalCode } from "@/contract/vocabulary/refusals";
import { fullSentenceOf, type Refusal, type RefusalDetail } from "@/core/base/refusal";

export const notYours = "This is for someone else.";

/** What the bot says instead of the usual sentence. */
const instead: Partial<Record<RefusalCode, string>> = {
  license_required: "That account has no active license.",
  ticket_open: "There are already three open tickets. Close one of them first.",
  ticket_over: "That ticket can't be reopened. It's open, or it was closed more than a week ago.",
  refund_cap: "That is more than support may propose today. An owner or the operator can refund it.",
  forbidden: notYours,
  blocked: "That Discord user is blocked. The operator can lift the block.",
  hwid_not_set: "No device is bound to that account.",
};

export function refusalText({ code, detail }: Refusal): string {
  const { sentence, needs } = detail;
  if (sentence) return sentence;
  if (needs) return isForSupport(needs) ? staffOnly : ownersOnly;
  return instead[code] ?? fullSentenceOf({ code, detail });
}

/** Whether the support team may do what needs one of these roles. */
export const isForSupport = (needs: NonNullable<RefusalDetail["needs"]>): boolean =>
  needs.some((role) => role === "support" || role === "discord_support");

export const wentWrong = "Something went wrong on our side. Please try again in a moment.";
const staffOnly = "Only the support team can do this.";
const ownersOnly = "Only the shop's owners can do this.";
export const notHere = "This only works in our server.";
