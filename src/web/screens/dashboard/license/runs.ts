import { licenceEnd } from "@/contract/vocabulary/licence-end";
import type { Licence } from "@/contract/wire/licences";
import type { Offer } from "@/contract/wire/offers";
import { day } from "@/contract/vocabulary/time";
import { formatDay } from "../../../parts/format-time";

/** Whether the account has had a timed licence, which no subscription pays for, and has no active lifetime one. */
export const isRenewable = (licences: readonly Licence[]) =>
  licences.some(isTimed) && !holdsLifetime(licences);

const isTimed = ({ expiry_date, subscription }: Licence) => expiry_date !== null && subscription === null;

/** `Runs until Jan 22, 2027, now Dec 23, 2026.`: what buying an offer now would change. */
export function runsText(
  { days, recurring }: Pick<Offer, "days" | "recurring">,
  licences: readonly Licence[],
  now: Date,
): string {
  // a subscription runs at the same time as bought days, which follow one another
  const end = endOf(recurring || days === null ? licences : licences.filter(isTimed), now);
  if (recurring) {
    const renews = `Renews every ${recurring.interval} until you cancel it.`;
    return end
      ? `${renews} It runs alongside the time that you already have, until ${formatDay(end)}.`
      : renews;
  }
  if (days === null) return end ? `Runs for life, now until ${formatDay(end)}.` : "Runs for life.";
  const after = new Date((end ?? now).getTime() + days * day);
  return end ? `Runs until ${formatDay(after)}, now ${formatDay(end)}.` : `Runs until ${formatDay(after)}.`;
}

/** Until when the account's timed licences run; null if none does, or one runs for life. */
function endOf(licences: readonly Licence[], now: Date): Date | null {
  const active = licences.filter(({ status }) => status === "active");
  if (active.some(({ expiry_date }) => expiry_date === null)) return null;
  const end = Math.max(
    ...active.map((one) => licenceEnd(one.expiry_date, one.renews_at, now)?.getTime() ?? 0),
  );
  return end > now.getTime() ? new Date(end) : null;
}

const holdsLifetime = (licences: readonly Licence[]) =>
  licences.some(({ active, expiry_date }) => active && expiry_date === null);
