import { day, hour } from "@/contract/time";
import { utcMinute } from "./utc-minute";

/** A deadline and the time left until it: `2025-03-14 10:22 UTC (13 days left)`. */
export function deadlineInWords(at: Date, now: Date): string {
  const left = at.getTime() - now.getTime();
  const within = left < 2 * day ? `${Math.floor(left / hour)} hours` : `${Math.floor(left / day)} days`;
  return `${utcMinute(at)} (${left < 0 ? "passed" : `${within} left`})`;
}
