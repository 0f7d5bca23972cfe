import type { Interval } from "./intervals";
import { money } from "./money";

/** What a subscription charges next, in minor units. */
export type NextCharge = {
  amount: number;
  currency: string;
  every: Interval;
  /** Whether it ends a trial. */
  trial: boolean;
  /** Whether a code or credit makes it less than the price, perhaps for this once. */
  reduced: boolean;
};

/** What is charged next and when, with the day as its reader's time zone has it. */
export function nextChargeText(
  { amount, currency, every, trial, reduced }: NextCharge,
  onDay: string,
): string {
  const price = money(amount, currency);
  if (!trial) return `Renews on ${onDay} for ${price}, until you cancel.`;
  return reduced
    ? `Free until ${onDay}. Then ${price} for the first ${every}, and it renews every ${every} until you cancel.`
    : `Free until ${onDay}. Then ${price} every ${every}, until you cancel.`;
}
