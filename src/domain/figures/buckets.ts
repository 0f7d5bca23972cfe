/*
 * Days of a time zone. Nothing here reads or writes.
 */

export type BucketSize = "day" | "week" | "month";

/** The time between two moments, in Unix milliseconds; `date` is its first day. */
export type Bucket = { date: string; from: number; until: number };
export type TimeSpan = Pick<Bucket, "from" | "until">;

type Days = { from: string; to: string };

/** The most rows of an answer. */
export const maxBuckets = 400;

/**
 * The days, weeks (from Monday) or months from one day to another, both included. The first begins with `from`, even
 * within a week or month, and the last ends with `to`. At most one more than {@link maxBuckets}.
 */
export function bucketsOf({ from, to }: Days, size: BucketSize, timeZone: string): Bucket[] {
  const end = Temporal.PlainDate.from(to).add({ days: 1 });
  const buckets: Bucket[] = [];
  let first = Temporal.PlainDate.from(from);
  while (Temporal.PlainDate.compare(first, end) < 0 && buckets.length <= maxBuckets) {
    const following = nextOf(first, size);
    const next = Temporal.PlainDate.compare(following, end) > 0 ? end : following;
    buckets.push({
      date: first.toString(),
      from: startOfDay(first, timeZone),
      until: startOfDay(next, timeZone),
    });
    first = next;
  }
  return buckets;
}

/** The same number of days right before. */
export function bucketBefore({ from, to }: Days, timeZone: string): Bucket {
  const first = Temporal.PlainDate.from(from);
  const days = first.until(Temporal.PlainDate.from(to)).days + 1;
  const date = first.subtract({ days });
  return { date: date.toString(), from: startOfDay(date, timeZone), until: startOfDay(first, timeZone) };
}

/** A range of any length is one stretch of time. */
export const timeSpanOf = ({ from, to }: Days, timeZone: string): TimeSpan => ({
  from: startOfDay(from, timeZone),
  until: startOfDay(Temporal.PlainDate.from(to).add({ days: 1 }), timeZone),
});

/** The day in a time zone, moved by some days. */
export const dayIn = (timeZone: string, at: Date, move = 0): string =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDate()
    .add({ days: move })
    .toString();

/** When a day begins in a time zone. */
export const startOfDay = (date: Temporal.PlainDate | string, timeZone: string): number =>
  Temporal.PlainDate.from(date).toZonedDateTime(timeZone).epochMilliseconds;

function nextOf(first: Temporal.PlainDate, size: BucketSize): Temporal.PlainDate {
  if (size === "day") return first.add({ days: 1 });
  if (size === "week") return first.add({ days: 8 - first.dayOfWeek });
  return first.with({ day: 1 }).add({ months: 1 });
}
