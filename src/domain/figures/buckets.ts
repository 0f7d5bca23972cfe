import { day, hour, minute } from "@/contract/vocabulary/time";

/*
 * Days of a time zone, and which rows of sums add up to them. Nothing here reads or writes.
 */

export type BucketSize = "day" | "week" | "month";

/** The time between two moments, in Unix milliseconds; `date` is its first day. */
export type Bucket = { date: string; from: number; until: number };

/** The spans of sums; each is a multiple of the one before. */
export const spans = { quarter: 15 * minute, hour, day } as const;

/** The most rows of an answer. */
export const mostBuckets = 400;

/**
 * The days, weeks (from Monday) or months from one day to another, both included. The first begins with `from`, even
 * within a week or month, and the last ends with `to`. At most one more than {@link mostBuckets}.
 */
export function bucketsOf(
  { from, to }: { from: string; to: string },
  size: BucketSize,
  timeZone: string,
): Bucket[] {
  const end = Temporal.PlainDate.from(to).add({ days: 1 });
  const buckets: Bucket[] = [];
  let first = Temporal.PlainDate.from(from);
  while (Temporal.PlainDate.compare(first, end) < 0 && buckets.length <= mostBuckets) {
    const following = nextOf(first, size);
    const next = Temporal.PlainDate.compare(following, end) > 0 ? end : following;
    buckets.push({
      date: first.toString(),
      from: beginning(first, timeZone),
      until: beginning(next, timeZone),
    });
    first = next;
  }
  return buckets;
}

/** The same number of days right before. */
export function bucketBefore({ from, to }: { from: string; to: string }, timeZone: string): Bucket {
  const first = Temporal.PlainDate.from(from);
  const days = first.until(Temporal.PlainDate.from(to)).days + 1;
  const date = first.subtract({ days });
  return { date: date.toString(), from: beginning(date, timeZone), until: beginning(first, timeZone) };
}

/** The day in a time zone, moved by some days. */
export const dayIn = (timeZone: string, at: Date, move = 0): string =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime())
    .toZonedDateTimeISO(timeZone)
    .toPlainDate()
    .add({ days: move })
    .toString();

function nextOf(first: Temporal.PlainDate, size: BucketSize): Temporal.PlainDate {
  if (size === "day") return first.add({ days: 1 });
  if (size === "week") return first.add({ days: 8 - first.dayOfWeek });
  return first.with({ day: 1 }).add({ months: 1 });
}

/** Sums are kept by quarter-hour; only offsets of the distant past are no multiple of that. */
const beginning = (date: Temporal.PlainDate, timeZone: string): number =>
  floorTo(spans.quarter, date.toZonedDateTime(timeZone).epochMilliseconds);

export const floorTo = (span: number, at: number): number => Math.floor(at / span) * span;
const ceilTo = (span: number, at: number): number => Math.ceil(at / span) * span;

/** Rows of one span, from one moment to another. */
export type Piece = { span: number; from: number; until: number };

/** The fewest rows that add up to a time whose ends are multiples of a quarter-hour. */
export const piecesOf = (from: number, until: number): Piece[] =>
  split(from, until, [spans.quarter, spans.hour, spans.day]);

function split(from: number, until: number, [span = spans.day, ...wider]: number[]): Piece[] {
  const [next] = wider;
  if (next === undefined) return some({ span, from, until });
  const [first, last] = [ceilTo(next, from), floorTo(next, until)];
  if (first >= last) return some({ span, from, until });
  return [
    ...some({ span, from, until: first }),
    ...split(first, last, wider),
    ...some({ span, from: last, until }),
  ];
}

const some = (piece: Piece): Piece[] => (piece.from < piece.until ? [piece] : []);
