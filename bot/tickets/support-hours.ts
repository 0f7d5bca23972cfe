import { minute } from "@/contract/vocabulary/time";

/** Full hours in the time zone; days from Monday = 1 to Sunday = 7. */
export type Hours = { timezone: string; from: number; to: number; days: readonly number[] };

/** Every time zone's full hour falls on a quarter of UTC's. */
const quarter = 15 * minute;
const week = 7 * 24 * 4;

export function isOpenAt({ timezone, from, to, days }: Hours, at: Date): boolean {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone: timezone,
    weekday: "short",
    hour: "numeric",
    hourCycle: "h23",
  }).formatToParts(at);
  const read = (type: string) => parts.find((part) => part.type === type)?.value ?? "";
  const day = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].indexOf(read("weekday")) + 1;
  const now = Number(read("hour"));
  return days.includes(day) && now >= from && now < to;
}

/** When support opens next; null if it doesn't within eight days. */
export function nextOpening(hours: Hours, now: Date): Date | null {
  const next = Math.ceil(now.getTime() / quarter) * quarter;
  for (let ahead = 0; ahead < week + 24 * 4; ahead += 1) {
    const at = new Date(next + ahead * quarter);
    if (isOpenAt(hours, at)) return at;
  }
  return null;
}
