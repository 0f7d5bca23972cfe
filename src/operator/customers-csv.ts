import { z } from "zod";
import { email, username } from "@/contract/accounts";
import { discordId } from "@/contract/discord";
import { timezone } from "@/contract/envelope";
import type { ImportedCustomer } from "@/domain/customers/import";
import { importableKey } from "@/domain/licences/import";
import { refuseLines, type LineFault } from "./line-errors";
import { readCsv } from "./csv";
import { typeOf } from "./keys-csv";

/** Columns may be in any order; only the first two are required. */
export const columns = ["username", "email", "key", "level", "days", "expires", "discord_id", "timezone"];

const blank = z.literal("").transform(() => null);

const line = z.object({
  username,
  email,
  key: blank.or(
    z.string().transform((typed, issue) => {
      const key = importableKey(typed);
      if (key === null) issue.addIssue("must be 12 to 64 letters, digits or dashes");
      return key;
    }),
  ),
  level: z.string().transform(typeOf),
  days: blank.or(z.literal("lifetime")).or(
    z
      .string()
      .regex(/^[1-9]\d{0,5}$/, "must be a whole number, or lifetime")
      .transform(Number),
  ),
  expires: blank.or(z.iso.date("must be a date like 2026-01-31").transform((day) => new Date(day))),
  discord_id: blank.or(z.string().regex(discordId, "must be a Discord user id, 17 to 20 digits")),
  timezone: blank.or(timezone),
});

/**
 * The customers in a CSV file, and the names of the columns that are not imported (such as a password or
 * hardware ID). Refuses with the number of every wrong line.
 */
export function customersIn(text: string): { customers: ImportedCustomer[]; ignored: string[] } {
  const [heading, ...rows] = readCsv(text);
  const names = heading?.cells.map((name) => name.trim().toLowerCase()) ?? [];
  for (const wanted of ["username", "email"]) {
    if (!names.includes(wanted)) refuseLines([{ line: 1, sentence: `it has no column ${wanted}` }]);
  }
  const faults: LineFault[] = [];
  const customers = rows.flatMap(({ line: number, cells }) => {
    const typed = Object.fromEntries(columns.map((name) => [name, cells[names.indexOf(name)]?.trim() ?? ""]));
    const read = line.safeParse(typed);
    if (read.success) return [customerOf(number, read.data)];
    faults.push({ line: number, sentence: sentenceOf(read.error) });
    return [];
  });
  if (faults.length > 0) refuseLines(faults);
  return { customers, ignored: names.filter((name) => name !== "" && !columns.includes(name)) };
}

/** A key, a number of days or an expiry date makes a licence; a key alone makes a lifetime one. */
function customerOf(number: number, typed: z.output<typeof line>): ImportedCustomer {
  const { key, level, days, expires } = typed;
  const licensed = key !== null || days !== null || expires !== null;
  return {
    line: number,
    username: typed.username,
    email: typed.email,
    timezone: typed.timezone ?? "UTC",
    discordUserId: typed.discord_id,
    licence: licensed
      ? { key, type: level, days: typeof days === "number" ? days : null, expiresAt: expires }
      : null,
  };
}

/** The first problem found; for a union, that of its last alternative. */
function sentenceOf({ issues: [issue] }: z.ZodError): string {
  const field = String(issue?.path[0]);
  const inner = issue?.code === "invalid_union" ? issue.errors.at(-1)?.[0] : issue;
  const message = inner?.code === "invalid_union" ? inner.errors.at(-1)?.[0]?.message : inner?.message;
  return `${field} ${message ?? "is wrong"}`;
}
