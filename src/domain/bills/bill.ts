import { sum } from "drizzle-orm";
import type { Bill } from "@/contract/wire/payments";
import { dueOf } from "@/contract/wire/bills";
import { money } from "@/contract/vocabulary/money";
import { amountFault, priceFault } from "@/contract/vocabulary/prices";
import { Refusal } from "@/core/base/refusal";
import { type Payment, payments } from "../schema/payments";

type BilledPayment = Pick<
  Payment,
  | "currency"
  | "unitAmount"
  | "quantity"
  | "trialDays"
  | "offAmount"
  | "taxAmount"
  | "taxIncluded"
  | "creditAmount"
  | "outsideAmount"
  | "paidAmount"
  | "refundedAmount"
>;

/** An order's price, payment and refunds. Every displayed amount comes from here. */
export const billOf = (payment: BilledPayment): Bill => ({
  currency: payment.currency,
  // a trial begins without a charge
  asked: payment.trialDays === null ? payment.unitAmount * payment.quantity : 0,
  off: payment.offAmount,
  tax: payment.taxAmount,
  tax_included: payment.taxIncluded,
  credit: payment.creditAmount,
  outside: payment.outsideAmount,
  paid: payment.paidAmount ?? 0,
  refunded: payment.refundedAmount,
});

/** The sum of what was paid, over sold payments. */
export const sumPaid = sum(payments.paidAmount).mapWith(Number);

/** `USD 5.00`, `USD 5.00 asked` while nothing is paid, `USD 4.00, USD 1.00 off, USD 2.00 refunded`. */
export function billInWords(bill: Bill): string {
  const { currency, asked, off, credit, outside, paid, refunded } = bill;
  const unlessNone = (amount: number, what: string) =>
    amount > 0 ? [`${money(amount, currency)} ${what}`] : [];
  const sum = paid > 0 || dueOf(bill) === 0 ? money(paid, currency) : `${money(asked, currency)} asked`;
  return [
    sum,
    ...unlessNone(off, "off"),
    ...unlessNone(credit, "from credit"),
    ...unlessNone(outside, "paid elsewhere"),
    ...unlessNone(refunded, "refunded"),
  ].join(", ");
}

/** Refuses with `amount_uneven` an amount in minor units that the payment provider would not take. */
export const expectPayable = (amount: number, currency: string): void =>
  refuseFor(amountFault(amount, currency));

/** The same for what an order costs, which must not be too little either. */
export const expectPrice = (amount: number, currency: string): void =>
  refuseFor(priceFault(amount, currency));

function refuseFor(sentence: string | null): void {
  if (sentence !== null) throw new Refusal("amount_uneven", { field: "amount", sentence });
}
