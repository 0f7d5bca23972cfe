import type { Interval } from "./intervals";
import { money } from "./money";

/** What a subscription charges next, in minor units. */
export type NextCharge = {
  amount: number;
  currency: string;
  every: Interval;
  /** Whether it ends a trial. */
  trial: boolean;
};

/** What is charged next and when, with the day as its reader's time zone has it. */
export const nextChargeText = ({ amount, currency, every, trial }: NextCharge, onDay: string): string =>
  trial
    ? `Free until ${onDay}. Then ${money(amount, currency)} every ${every}, until you cancel.`
    : `Renews on ${onDay} for ${money(amount, currency)}, until you cancel.`;
