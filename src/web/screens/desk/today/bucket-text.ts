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
