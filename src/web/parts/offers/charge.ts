import { brand } from "@/brand/brand";
import { chargeText } from "@/contract/vocabulary/money";
import { nearDay } from "@/contract/vocabulary/dates";
import { day } from "@/contract/vocabulary/time";
import { daysText, perText, saleText } from "@/contract/wire/offer-term";
import type { CheckedCode, Offer } from "@/contract/wire/offers";
import { inBrowser } from "../../page/currency";
import { firstOffer } from "../../page/offers";

/** `now` is null where a text must not depend on it: in a page as it was sent. */
type Terms = { quantity: number; code: CheckedCode | undefined; now: Date | null };

/** What is charged, when, and until when: `Free until Dec 5, then $3.00 a month. Cancel any time.` */
export function chargeSentence(offer: Offer, { quantity, code, now }: Terms): string {
  const { recurring, days, currency } = offer;
  const charge = (minor: number) => (inBrowser ? chargeText(minor, currency) : `%charge-${minor}%`);
  const due = code?.amount ?? offer.amount * quantity;
  if (recurring === null) {
    const paid = due === 0 ? "You pay nothing" : `One payment of ${charge(due)}`;
    return `${paid}${lastsText(days, quantity)}`;
  }
  const { interval, trial_days: trial } = recurring;
  const each = (minor: number) => `${charge(minor)} a ${interval}`;
  const then = `then ${each(offer.amount)}`;
  const free = (days: number) =>
    now === null ? `for ${daysText(days)}` : `until ${nearDay(trialEnd(days, now), now)}`;
  const begins = trial === null ? "" : `Free ${free(trial)}, then `;
  const today = trial === null ? ", starting today" : "";
  const lowered = now === null ? 0 : loweredCharges(offer, code, now);
  if (lowered === 1)
    return `${begins}${charge(due)} ${begins ? `for a ${interval}` : "today"}, ${then}. ${cancel}`;
  if (lowered > 1 && lowered < Infinity)
    return `${begins}${each(due)} for ${lowered} ${interval}s, ${then}. ${cancel}`;
  return `${begins}${each(lowered ? due : offer.amount)}${today}. ${cancel}`;
}

const cancel = "Cancel any time.";

function lastsText(days: number | null, quantity: number): string {
  if (days === null) return quantity > 1 ? ". The keys never expire." : ". The license never expires.";
  const time = daysText(days);
  return quantity > 1 ? `. Each key lasts ${time}.` : ` for ${time}. It doesn't renew.`;
}

/** What stands after the price: `Lifetime`, or `/ month · 7 days free`. */
export function priceTail(offer: Offer, code: CheckedCode | undefined, now: Date): string {
  const { recurring, devices } = offer;
  if (recurring === null) return saleText(offer);
  const lowered = loweredCharges(offer, code, now);
  const per =
    lowered === 1
      ? `for the first ${recurring.interval}`
      : `${perText(offer).trim()}${lowered > 1 && lowered < Infinity ? ` for ${lowered} ${recurring.interval}s` : ""}`;
  return recurring.trial_days === null && devices === 1 ? per : `${per} · ${saleText(offer)}`;
}

/** What pressing the button does. `purchase`: its words where a license is paid for with one payment. */
export function actText({ id, recurring }: Offer, purchase: string): string {
  if (id === firstOffer.id) return `%first-act(${purchase})%`;
  if (recurring === null) return purchase;
  return recurring.trial_days === null ? "Subscribe" : "Start free trial";
}

/** `own`: the brand's words, which sell its first level. */
export const purchaseTextOf = ({ level }: Offer, own: string): string =>
  level.id === brand.premium.type ? own : `Buy ${level.name}`;

/** How many charges of a subscription a code lowers, which counts its months from the checkout on; 0 without a code. */
export function loweredCharges({ recurring }: Offer, code: CheckedCode | undefined, now: Date): number {
  if (!code || code.off === 0) return 0;
  if (recurring === null || code.lasts === null || code.lasts === "once") return 1;
  if (code.lasts === "forever") return Infinity;
  const first = trialEnd(recurring.trial_days ?? 0, now);
  const end = monthsAfter(now, code.lasts);
  const months = recurring.interval === "year" ? 12 : 1;
  let count = 0;
  while (monthsAfter(first, count * months) < end) count += 1;
  return count;
}

const trialEnd = (days: number, now: Date) => new Date(now.getTime() + days * day);

/** As Stripe counts: in a month without that day, the last one. */
function monthsAfter(date: Date, months: number): Date {
  const later = new Date(date);
  later.setUTCMonth(later.getUTCMonth() + months);
  // it ran over into the next month
  if (later.getUTCDate() !== date.getUTCDate()) later.setUTCDate(0);
  return later;
}
