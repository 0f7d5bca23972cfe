import { datesIn } from "@/contract/dates";
import { day, hour, minute } from "@/contract/time";

/** `other_mode` → `Other mode`. */
export function inWords(name: string): string {
  const words = name.replaceAll(/[_.-]/g, " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const ago = new Intl.RelativeTimeFormat("en-US", { numeric: "auto" });
const visitors = datesIn();

/** `3 hours ago`, `in 2 days`; beyond a month the day itself. */
export function fromNow(at: Date, now: Date): string {
  const away = at.getTime() - now.getTime();
  const distance = Math.abs(away);
  if (distance < minute) return "just now";
  if (distance < hour) return ago.format(Math.trunc(away / minute), "minute");
  if (distance < day) return ago.format(Math.trunc(away / hour), "hour");
  if (distance < 30 * day) return ago.format(Math.trunc(away / day), "day");
  return visitors.day(at);
}

/** `1 licence`, `1,234 licences`, `1,000+ licences`. */
export const counted = (count: number, one: string, more = `${one}s`, suffix = ""): string =>
  `${count.toLocaleString("en-US")}${suffix} ${count === 1 && suffix === "" ? one : more}`;
