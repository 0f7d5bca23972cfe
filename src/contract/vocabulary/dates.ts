/**
 * How dates and times are written: `Dec 23, 2026`, `4:05 PM` and `Dec 23, 2026 at 4:05 PM`, in a time zone, which is the
 * runtime's own (in a browser the visitor's) where none is given.
 */
export function datesIn(timeZone?: string) {
  const day = new Intl.DateTimeFormat("en-US", { dateStyle: "medium", timeZone });
  const hour = new Intl.DateTimeFormat("en-US", { timeStyle: "short", timeZone });
  // newer runtimes use a narrow no-break space before AM and PM
  const clock = (at: Date) => hour.format(at).replace("\u202f", " ");
  const time = (at: Date) => `${day.format(at)} at ${clock(at)}`;
  return { day: (at: Date): string => day.format(at), clock, time };
}

// pages that need no time in UTC load nothing of it
const utc = /* @__PURE__ */ datesIn("UTC");

/** `Dec 23, 2026`, the day in UTC. */
export const utcDay = (at: Date): string => utc.day(at);

/** `Dec 23, 2026 at 4:05 PM UTC`, for mails and notices, whose readers' time zones are unknown. */
export const utcTime = (at: Date): string => `${utc.time(at)} UTC`;

/** `2026-12-23 16:05 UTC`: times for the command line, where they are in columns and sort. */
export const utcStamp = (at: Date): string => `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`;

/** `2026-12-23`, the day in UTC (ISO 8601), for machines and the command line. */
export const isoDay = (at: Date): string => at.toISOString().slice(0, 10);

/** `Dec 5`, in the runtime's time zone; in another year `Jan 4, 2027`. */
export function nearDay(at: Date, now: Date): string {
  const year = at.getFullYear() === now.getFullYear() ? {} : ({ year: "numeric" } as const);
  return new Intl.DateTimeFormat("en-US", { month: "short", day: "numeric", ...year }).format(at);
}
