import { z } from "zod";
import { email, username } from "@/contract/wire/accounts";
import { timezone } from "@/contract/wire/envelope";
import type { importFields } from "@/contract/vocabulary/import-files";
import type { TypedCustomer } from "./customers";
import type { FileRow } from "./file-rows";
import { importableKey, keyRule } from "./keys";
import { daysIn, devicesIn, devicesRule, type ReadLevel } from "./keys-in-file";
import type { LineNote } from "./line-notes";

type Column = (typeof importFields)["customers"]["all"][number];

const blank = z.literal("").transform(() => null);
const readBy = <T>(read: (text: string) => T | undefined, rule: string) =>
  z.string().transform((text, issue): T => {
    const value = read(text);
    if (value === undefined) {
      issue.addIssue(rule);
      return z.NEVER;
    }
    return value;
  });

const cells = z.object({
  username: blank.or(username),
  email,
  key: blank.or(readBy((typed) => importableKey(typed) ?? undefined, keyRule)),
  level: z.string(),
  days: readBy(daysIn, "must be a whole number, or lifetime"),
  expires: z.string(),
  devices: readBy(devicesIn, devicesRule),
  discord_id: z.string(),
  timezone: blank.or(timezone),
});

/**
 * The customer in a row of a file, or what is wrong with the row. A key, a number of days or an expiry date makes a
 * licence; a key alone makes a lifetime one. `zone` is that of dates in rows without a time zone of their own.
 */
export function customerIn(
  { line, cells: row, numbers }: FileRow<Column>,
  zone: string,
  readLevel: ReadLevel,
): TypedCustomer | LineNote {
  const typed = cells.safeParse(row);
  if (!typed.success) return { line, sentence: sentenceOf(typed.error) };
  const { key, level, expires, devices, timezone: own } = typed.data;
  const end = expires === "" ? null : licenceEndIn(expires, own ?? zone);
  if (end === undefined) return { line, sentence: "expires must be a date like 2026-01-31" };
  const licensed = key !== null || row.days !== "" || end !== null;
  const meant = licensed ? readLevel(level) : null;
  if (meant && "sentence" in meant) return { line, ...meant };
  const isNever = end !== null && end.getTime() >= never;
  const terms = isNever ? { days: null, expiresAt: null } : { days: typed.data.days, expiresAt: end };
  return {
    line,
    username: typed.data.username,
    email: typed.data.email,
    timezone: own ?? "UTC",
    discordUserId:
      row.discord_id === "" ? null : { typed: row.discord_id, isNumber: numbers.has("discord_id") },
    licence: meant && { key, typedKey: row.key, ...meant, ...terms, isNever, devices },
  };
}

/** Systems without a lifetime write the last day that a date can hold, 9999-12-31, in some zone. */
const never = Date.UTC(9999, 11, 30);

const written = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:?\d\d)?)?$/i;

/**
 * A licence's end: a day ends when it does in the zone, an instant is itself, and a time without an offset is the
 * zone's. Undefined for anything else.
 */
function licenceEndIn(text: string, zone: string): Date | undefined {
  const [, date = "", time, offset] = written.exec(text) ?? [];
  try {
    return new Date(millisecondsOf({ date, time, offset }, zone));
  } catch {
    return undefined;
  }
}

type Written = { date: string; time: string | undefined; offset: string | undefined };

function millisecondsOf({ date, time, offset }: Written, zone: string): number {
  const day = Temporal.PlainDate.from(date);
  if (!time) return day.add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds;
  if (offset) return Temporal.Instant.from(`${date}T${time}${offset}`).epochMilliseconds;
  return day.toZonedDateTime({ timeZone: zone, plainTime: Temporal.PlainTime.from(time) }).epochMilliseconds;
}

/** The first problem found; for a union, that of its last alternative. */
function sentenceOf({ issues: [issue] }: z.ZodError): string {
  const inner = issue?.code === "invalid_union" ? issue.errors.at(-1)?.[0] : issue;
  return `${String(issue?.path[0])} ${inner?.message ?? "is wrong"}`;
}
