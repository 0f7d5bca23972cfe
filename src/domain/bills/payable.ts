import { isPayable, money, rightAmounts } from "@/contract/money";
import { Refusal } from "@/core/refusal";

/** Refuses with `amount_uneven` an amount in minor units that the payment provider would not take. */
export function expectPayable(amount: number, currency: string): void {
  const right = rightAmounts(currency);
  if (right === null || isPayable(amount, currency)) return;
  const sentence = `${money(amount, currency)} can't be paid: amounts in ${currency.toUpperCase()} ${right.words}.`;
  throw new Refusal("amount_uneven", { field: "amount", sentence });
}
