import { isPayable, money, rightAmounts } from "@/contract/vocabulary/money";
import { leastPrice } from "@/contract/vocabulary/bounds";
import { Refusal } from "@/core/base/refusal";

/** Refuses with `amount_uneven` an amount in minor units that the payment provider would not take. */
export function expectPayable(amount: number, currency: string): void {
  const right = rightAmounts(currency);
  if (right === null || isPayable(amount, currency)) return;
  const sentence = `${money(amount, currency)} can't be paid: amounts in ${currency.toUpperCase()} ${right.words}.`;
  throw new Refusal("amount_uneven", { field: "amount", sentence });
}

/** The same for what an order costs, which must not be too little either. */
export function expectPrice(amount: number, currency: string): void {
  expectPayable(amount, currency);
  const least = leastPrice(currency);
  if (amount >= least) return;
  const sentence = `${money(amount, currency)} is too little: Stripe takes no less than ${money(least, currency)}.`;
  throw new Refusal("amount_uneven", { field: "amount", sentence });
}
