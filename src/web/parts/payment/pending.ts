import { dueOf } from "@/contract/wire/bills";
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
    { name: "Expected", text: expectedArrival(payment, now) },
    ...(payment.email ? [{ name: "Mail", text: mailText(payment, payment.email) }] : []),
  ];
}

/** Whether the money should have arrived by now. */
export const isSlow = ({ created }: PurchaseResult, now: Date): boolean =>
  now.getTime() - created * 1_000 >= longest;

function expectedArrival(payment: PurchaseResult, now: Date): string {
  if (isSlow(payment, now))
    return "Your bank is slower than it should be. Write to us, and we'll look into it.";
  const created = payment.created * 1_000;
  const after = (wait: number) => formatDay(new Date(created + wait));
  return now.getTime() - created < usual
    ? `By about ${after(usual)}. Some banks take until ${after(longest)}.`
    : `Your bank is slower than most; expect it by about ${after(longest)}.`;
}

function mailText({ gift, quantity }: PurchaseResult, email: string): string {
  if (gift?.email) return `The key goes to ${gift.email}, the receipt to ${email}.`;
  return `The license ${quantity > 1 ? "keys go" : "key goes"} to ${email}.`;
}
