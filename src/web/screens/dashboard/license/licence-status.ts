import { brand } from "@/brand/brand";
import { licenceEnd } from "@/contract/vocabulary/licence-end";
import { licenceWords, ownWords, type StateWords } from "@/contract/vocabulary/state-words";
import type { Licence } from "@/contract/wire/licences";
import { day, hour, minute } from "@/contract/vocabulary/time";

/** What the list shows of a licence's status. */
export const shownWords = {
  expired: ownWords(licenceWords.expired),
  disputed: licenceWords.disputed,
  active: licenceWords.active,
  inactive: { word: "Inactive", tone: "neutral" },
} satisfies Record<string, StateWords>;

/** A licence's status; expiry outranks every other status. */
export function statusOf(licence: Licence, now: Date): keyof typeof shownWords {
  if (isExpired(licence, now)) return "expired";
  if (licence.disputed) return "disputed";
  return licence.active ? "active" : "inactive";
}

/** The Time Left column: whole units, rounded down so that it never promises too much. */
export function timeLeftOf(licence: Licence, now: Date): string {
  const { active, redeemed_date, expiry_date, renews_at } = licence;
  if (redeemed_date === null && !active) return "-";
  if (isExpired(licence, now)) return "None";
  const end = licenceEnd(expiry_date, renews_at, now);
  if (end === null) return active ? "Lifetime" : "-";
  const left = end.getTime() - now.getTime();
  if (left <= 0) return "-";
  if (left > day) return `${Math.floor(left / day)} days left`;
  if (left > hour) return `${Math.floor(left / hour)} hours left`;
  return `${Math.floor(left / minute)} minute(s) left`;
}

/** Whether a licence gets a highlighted border. */
export function isHighlighted(licence: Licence, now: Date) {
  return statusOf(licence, now) === "active";
}

/** The name of its level; of the brand's own, `premium` → `Premium`. */
export function typeOf({ type, level }: Licence) {
  if (type && type !== brand.premium.type) return level.name;
  return type ? type.charAt(0).toUpperCase() + type.slice(1) : "Unavailable";
}

/** A licence that staff or a refund ended has not expired. */
function isExpired({ status, expiry_date }: Licence, now: Date) {
  return !isTaken(status) && expiry_date !== null && new Date(expiry_date) <= now;
}

const isTaken = (status: Licence["status"]) => status !== "active" && status !== "expired";
