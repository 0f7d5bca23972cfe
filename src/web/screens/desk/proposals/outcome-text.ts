import type { RefundOutcome } from "@/contract/wire/desk/refunds";
import { money } from "@/contract/vocabulary/money";

/** What became of a refund, in a sentence. */
export function refundOutcomeText({ state, amount, currency, repeated }: RefundOutcome): string {
  const sum = money(amount, currency);
  if (repeated) return `${sum} was refunded before, for the same reason; nothing is refunded again`;
  return {
    made: `${sum} is refunded`,
    approved: `${sum} is approved, and refunded as soon as Stripe answers`,
    proposed: `A refund of ${sum} waits for an owner`,
    declined: `The refund of ${sum} is declined`,
  }[state];
}
