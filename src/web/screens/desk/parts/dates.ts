import { datesIn } from "@/contract/vocabulary/dates";
import { day, hour, minute, second } from "@/contract/vocabulary/time";

const ago = new Intl.RelativeTimeFormat("en-US", { numeric: "auto" });
const visitors = datesIn();

/** `3 hours ago`, `yesterday`, `in 2 days`, by the visitor's calendar; beyond a month the day itself. */
export function fromNow(at: Date, now: Date): string {
  const away = at.getTime() - now.getTime();
  const distance = Math.abs(away);
  if (distance < minute) return "just now";
  if (distance < hour) return ago.format(Math.trunc(away / minute), "minute");
  if (distance < day) return ago.format(Math.trunc(away / hour), "hour");
  const days = Math.round((new Date(at).setHours(0, 0, 0, 0) - new Date(now).setHours(0, 0, 0, 0)) / day);
  if (distance < 30 * day) return ago.format(days || Math.sign(away), "day");
  return visitors.day(at);
}

/** `12 min`, `3 h`, `5 days`. */
export function lengthText(length: number): string {
  if (length < minute) return `${Math.round(length / second)} s`;
  if (length < 2 * hour) return `${Math.round(length / minute)} min`;
  return length < 2 * day ? `${Math.round(length / hour)} h` : `${Math.round(length / day)} days`;
}

const short = new Intl.DateTimeFormat("en-US", { timeZone: "UTC", month: "short", day: "numeric" });
const long = new Intl.DateTimeFormat("en-US", { timeZone: "UTC", dateStyle: "medium" });
const month = new Intl.DateTimeFormat("en-US", { timeZone: "UTC", month: "long", year: "numeric" });

/** `Mar 4`, from a day such as `2026-03-04`. */
export const shortDay = (date: string): string => short.format(new Date(date));

/** `Mar 4, 2026`, `Week of Mar 2, 2026` or `March 2026`. */
export function bucketText(date: string, bucket: "day" | "week" | "month"): string {
  const at = new Date(date);
  if (bucket === "month") return month.format(at);
  return bucket === "week" ? `Week of ${long.format(at)}` : long.format(at);
}

/** `2026-03-04` in a time zone. */
export const dayIn = (timeZone: string, at: Date): string =>
  new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" }).format(
    at,
  );
