import { dueOf } from "@/contract/wire/bills";
import type { PaymentRow } from "@/contract/wire/desk/rows";
import { money } from "@/contract/vocabulary/money";

/** What was paid or, until then, what is asked. */
export function totalOf({ bill }: Pick<PaymentRow, "bill">): string {
  const { paid, currency } = bill;
  return money(paid > 0 ? paid : dueOf(bill), currency);
}

/** What could still be refunded, in minor units. */
export const unrefundedAmount = ({ bill }: Pick<PaymentRow, "bill">): number =>
  Math.max(0, bill.paid - bill.refunded);
