import type { Interval } from "./kinds";
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
} & BeforeTax;

/** Set where Stripe did not say the amount, so that tax comes on top. */
type BeforeTax = { plus_tax?: true | undefined };

/** What is charged, as people read it. */
export const charge = (amount: number, currency: string, { plus_tax: plusTax }: BeforeTax): string =>
  `${money(amount, currency)}${plusTax ? " plus tax" : ""}`;

/** What is charged next and when, with the day as its reader's time zone has it. */
export function nextChargeText(
  { amount, currency, every, trial, reduced, plus_tax }: NextCharge,
  onDay: string,
): string {
  const price = charge(amount, currency, { plus_tax });
  if (!trial) return `Renews on ${onDay} for ${price}, until you cancel.`;
  return reduced
    ? `Free until ${onDay}. Then ${price} for the first ${every}, and it renews every ${every} until you cancel.`
    : `Free until ${onDay}. Then ${price} every ${every}, until you cancel.`;
}
