import { nextChargeText } from "@/contract/vocabulary/next-charge";
import { day } from "@/contract/vocabulary/time";
import type { PurchaseResult } from "@/contract/wire/payments";
import { formatDay, formatDayOf } from "../format-time";
import { areAllRedeemed, areSeveral, spareKey } from "./keys";

/** What happened to a payment: the shop's sentence, and what only the reader's calendar knows. */
export const saidOf = (payment: PurchaseResult, now: Date): string =>
  [payment.message, ...nextChargeSaid(payment), ...refundSaid(payment, now)].join(" ");

/** Where the keys of a paid order were mailed; null if nobody can redeem one, or the message says it. */
export function mailedText(payment: PurchaseResult): string | null {
  const { status, email, gift, sent_receipt: isSent, license_keys: keys } = payment;
  if (status !== "Payment Successful" || !email || gift || !keys?.length || areAllRedeemed(payment))
    return null;
  if (spareKey(payment)) return isSent ? `Also emailed to ${email}.` : `We'll email it to ${email}, too.`;
  const what = areSeveral(payment) ? "The keys were" : "The key was";
  return isSent ? `${what} emailed to ${email}.` : `We'll email it to ${email}.`;
}

/** How long a bank may take to show a refund. */
const refundTakes = 10 * day;

/** When a refund of everything should have arrived; null without one. */
export const refundArrives = ({ refunded_at: at }: Pick<PurchaseResult, "refunded_at">): Date | null =>
  at ? new Date(new Date(at).getTime() + refundTakes) : null;

function nextChargeSaid({ next_charge: next, for_account: added }: PurchaseResult): string[] {
  if (!next) return [];
  const guests = added ? [] : ["To cancel, use the link in your receipt."];
  return [nextChargeText(next, formatDayOf(next.at)), ...guests];
}

function refundSaid(payment: PurchaseResult, now: Date): string[] {
  const arrives = payment.status === "Payment Refunded" ? refundArrives(payment) : null;
  if (!arrives) return [];
  const made = `The refund was made on ${formatDayOf(payment.refunded_at)}.`;
  return [
    made,
    arrives > now
      ? `Your bank should show it by ${formatDay(arrives)}.`
      : "Write to us if your bank still doesn't show it.",
  ];
}
