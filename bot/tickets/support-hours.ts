/** Full hours by the clock of the time zone; days as Monday = 1 to Sunday = 7. */
export type Hours = { timezone: string; from: number; to: number; days: readonly number[] };

/** Every time zone's full hour falls on a quarter of UTC's. */
const quarter = 15 * 60_000;
const week = 7 * 24 * 4;

/** Whether somebody is usually there, by the clock of the hours' own time zone. */
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

/** When somebody is there next; null when within a week and a day nobody ever is. */
export function nextOpening(hours: Hours, now: Date): Date | null {
  const next = Math.ceil(now.getTime() / quarter) * quarter;
  for (let ahead = 0; ahead < week + 24 * 4; ahead += 1) {
    const at = new Date(next + ahead * quarter);
    if (isOpenAt(hours, at)) return at;
  }
  return null;
}
