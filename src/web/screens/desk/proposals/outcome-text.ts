import type { RefundOutcome } from "@/contract/wire/desk/refunds";
import { money } from "@/contract/vocabulary/money";

/** What became of a refund, in a sentence. */
export function refundOutcomeText({ state, amount, currency, repeated }: RefundOutcome): string {
  const sum = money(amount, currency);
  if (repeated) return `${sum} was already refunded for the same reason, so nothing was refunded again`;
  return {
    made: `${sum} is refunded`,
    approved: `${sum} is approved, and will be refunded as soon as Stripe responds`,
    proposed: `A refund of ${sum} is waiting for an owner`,
    declined: `The refund of ${sum} is declined`,
  }[state];
}
