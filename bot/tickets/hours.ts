export type Hours = { timezone: string; from: number; to: number; days: readonly number[] };

const hour = 3_600_000;

/** Whether somebody is usually there, by the clock of the hours' own time zone. */
export function isOpenAt({ timezone, from, to, days }: Hours, at: Date): boolean {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone: timezone,
    weekday: "short",
    hour: "numeric",
  }).formatToParts(at);
  const read = (type: string) => parts.find((part) => part.type === type)?.value ?? "";
  const day = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"].indexOf(read("weekday")) + 1;
  const now = Number(read("hour"));
  return days.includes(day) && now >= from && now < to;
}

/** The next full hour at which somebody is there; looks a week ahead. */
export function nextOpening(hours: Hours, now: Date): Date {
  const next = Math.ceil(now.getTime() / hour) * hour;
  for (let ahead = 0; ahead < 8 * 24; ahead += 1) {
    const at = new Date(next + ahead * hour);
    if (isOpenAt(hours, at)) return at;
  }
  return new Date(next);
}
