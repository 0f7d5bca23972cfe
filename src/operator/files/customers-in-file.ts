import { z } from "zod";
import { email, username } from "@/contract/wire/accounts";
import { timezone } from "@/contract/wire/envelope";
import type { TypedCustomer } from "@/domain/customers/import";
import { importableKey, keyRule, type LineNote } from "@/domain/licences/keys/import";
import { type FileRow, type FileRows, rowsIn } from "./file-rows";
import { daysIn, devicesIn, devicesRule, typeOf } from "./keys-in-file";

/** Columns may be in any order; only the email is required. */
export const customerColumns = [
  "username",
  "email",
  "key",
  "level",
  "days",
  "expires",
  "devices",
  "discord_id",
  "timezone",
] as const;
type Column = (typeof customerColumns)[number];

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
  level: z.string().transform(typeOf),
  days: readBy(daysIn, "must be a whole number, or lifetime"),
  expires: z.string(),
  devices: readBy(devicesIn, devicesRule),
  discord_id: z.string(),
  timezone: blank.or(timezone),
});

type CustomersInFile = Omit<FileRows<Column>, "rows"> & {
  lines: number;
  customers: TypedCustomer[];
  faults: LineNote[];
};

/**
 * The customers in a file, and what is wrong with its other lines. `zone` is that of dates in lines without a time zone
 * of their own.
 */
export function customersIn(
  file: Uint8Array,
  { columns, zone }: { columns: Partial<Record<string, string>>; zone: string },
): CustomersInFile {
  const { rows, ...read } = rowsIn(file, { fields: customerColumns, required: ["email"], columns });
  const faults: LineNote[] = [];
  const customers = rows.flatMap((row) => {
    const customer = customerOf(row, zone);
    if ("email" in customer) return [customer];
    faults.push(customer);
    return [];
  });
  return { ...read, lines: rows.length, customers, faults };
}

/** A key, a number of days or an expiry date makes a licence; a key alone makes a lifetime one. */
function customerOf({ line, cells: row, numbers }: FileRow<Column>, zone: string): TypedCustomer | LineNote {
  const typed = cells.safeParse(row);
  if (!typed.success) return { line, sentence: sentenceOf(typed.error) };
  const { key, level, expires, devices, timezone: own } = typed.data;
  const end = expires === "" ? null : licenceEndIn(expires, own ?? zone);
  if (end === undefined) return { line, sentence: "expires must be a date like 2026-01-31" };
  const licensed = key !== null || row.days !== "" || end !== null;
  const isNever = end !== null && end.getTime() >= never;
  const terms = isNever ? { days: null, expiresAt: null } : { days: typed.data.days, expiresAt: end };
  return {
    line,
    username: typed.data.username,
    email: typed.data.email,
    timezone: own ?? "UTC",
    discordUserId:
      row.discord_id === "" ? null : { typed: row.discord_id, isNumber: numbers.has("discord_id") },
    licence: licensed ? { key, typedKey: row.key, type: level, ...terms, isNever, devices } : null,
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
