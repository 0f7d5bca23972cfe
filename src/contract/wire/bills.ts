import { signedMoney } from "../vocabulary/money";
import type { Bill } from "./payments";

/** What there was to pay for an order. */
export const dueOf = (bill: Bill): number => bill.asked - bill.off + bill.tax - bill.credit - bill.outside;

/** What lies between the price of an order and what there was to pay, as Stripe's invoices name it. */
export function priceChanges(bill: Bill): { name: string; amount: string }[] {
  const changes: [string, number][] = [
    ["Discount", -bill.off],
    ["Tax", bill.tax],
    ["Applied balance", -bill.credit],
    ["Paid elsewhere", -bill.outside],
  ];
  return changes.flatMap(([name, minor]) =>
    minor === 0 ? [] : { name, amount: signedMoney(minor, bill.currency) },
  );
}
