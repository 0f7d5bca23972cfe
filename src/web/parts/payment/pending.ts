import { dueOf } from "@/contract/wire/bills";
import { maskEmail } from "@/contract/vocabulary/mask";
import { money } from "@/contract/vocabulary/money";
import type { PurchaseResult } from "@/contract/wire/payments";
import { day } from "@/contract/vocabulary/time";
import { formatDay } from "../format-time";

/**
 * Bank debits at Stripe: most take 3 to 5 business days, SEPA up to 14.
 * https://docs.stripe.com/payments/bank-debits
 */
const usual = 7 * day;
const longest = 20 * day;

export type PendingFact = { name: string; text: string };

/** What the buyer of a pending order waits for; null if nothing is due any more. */
export function pendingFacts(payment: PurchaseResult, now: Date): PendingFact[] | null {
  const { bill } = payment;
  const due = bill ? dueOf(bill) - bill.paid : 0;
  if (due <= 0) return null;
  return [
    { name: "Due", text: money(due, bill.currency) },
    { name: "Expected", text: expectedArrival(new Date(payment.created * 1_000), now) },
    ...(payment.email ? [{ name: "Mail", text: mailText(payment, payment.email) }] : []),
  ];
}

function expectedArrival(created: Date, now: Date): string {
  const after = (wait: number) => formatDay(new Date(created.getTime() + wait));
  const waited = now.getTime() - created.getTime();
  if (waited < usual) return `By about ${after(usual)}. Some banks take until ${after(longest)}.`;
  if (waited < longest) return `Your bank takes longer than most. By about ${after(longest)}.`;
  return "This takes longer than usual. Please ask support.";
}

function mailText({ gift, quantity }: PurchaseResult, email: string): string {
  const buyer = maskEmail(email);
  if (gift?.email) return `The key goes to ${maskEmail(gift.email)}, the receipt to ${buyer}.`;
  return `The license ${quantity > 1 ? "keys go" : "key goes"} to ${buyer}.`;
}
