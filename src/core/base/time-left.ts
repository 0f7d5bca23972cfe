import { day, hour } from "@/contract/vocabulary/time";

/** The time left until a deadline: `13 days left`, or `passed`. To be shown next to its date. */
export function timeLeftText(at: Date, now: Date): string {
  const left = at.getTime() - now.getTime();
  if (left < 0) return "passed";
  return `${left < 2 * day ? `${Math.floor(left / hour)} hours` : `${Math.floor(left / day)} days`} left`;
}
