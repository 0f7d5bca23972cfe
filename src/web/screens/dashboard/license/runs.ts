import { licenceEnd } from "@/contract/vocabulary/licence-end";
import type { Licence } from "@/contract/wire/licences";
import type { Offer } from "@/contract/wire/offers";
import { day } from "@/contract/vocabulary/time";
import { formatDay } from "../../../parts/format-time";

/**
 * Whether the account has a timed licence, which no subscription pays for, or had one that expired, and has no active
 * lifetime one. One that was revoked or refunded can't be renewed.
 */
export const isRenewable = (licences: readonly Licence[]) =>
  licences.some((one) => isTimed(one) && !takenBack.has(one.status)) && !holdsLifetime(licences);

const takenBack = new Set<Licence["status"]>(["revoked", "refunded"]);

const isTimed = ({ expiry_date, subscription }: Licence) => expiry_date !== null && subscription === null;

/** What buying an offer now would change about the licences: `It extends your license from Dec 23, 2026 to Jan 22, 2027.` */
export function runsText(
  { days, recurring, level }: Pick<Offer, "days" | "recurring" | "level">,
  held: readonly Licence[],
  now: Date,
): string {
  const licences = held.filter((one) => one.level.id === level.id);
  // a subscription runs at the same time as bought days, which follow one another
  const end = endOf(recurring || days === null ? licences : licences.filter(isTimed), now);
  if (recurring) return end ? `It runs alongside your license, which ends ${formatDay(end)}.` : "";
  if (days === null) return end ? `Your license now ends ${formatDay(end)}.` : "";
  const after = formatDay(new Date((end ?? now).getTime() + days * day));
  return end ? `It extends your license from ${formatDay(end)} to ${after}.` : `It runs until ${after}.`;
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
