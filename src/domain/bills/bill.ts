import { sql, sum } from "drizzle-orm";
import type { Bill } from "@/contract/payments";
import { money } from "@/contract/money";
import { payments } from "../schema/payments";

type Billed = Pick<
  typeof payments.$inferSelect,
  "currency" | "askedAmount" | "paidAmount" | "refundedAmount" | "soldAt"
>;

/** What an order cost, what was paid and what was refunded. Every amount that anybody is shown comes from here. */
export const billOf = (payment: Billed): Bill => ({
  currency: payment.currency,
  asked: payment.askedAmount,
  off: 0,
  tax: 0,
  tax_included: 0,
  paid: payment.paidAmount ?? (payment.soldAt ? payment.askedAmount : 0),
  refunded: payment.refundedAmount,
});

/** The sum of what was paid, over sold payments. */
export const sumPaid = sum(sql`coalesce(${payments.paidAmount}, ${payments.askedAmount})`).mapWith(Number);

/** `USD 5.00`, `USD 5.00 asked` while nothing is paid, `USD 5.00, USD 2.00 refunded`. */
export function billInWords({ currency, asked, paid, refunded }: Bill): string {
  const sum = paid > 0 ? money(paid, currency) : `${money(asked, currency)} asked`;
  return refunded > 0 ? `${sum}, ${money(refunded, currency)} refunded` : sum;
}
