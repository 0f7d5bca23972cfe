import { Command, InvalidArgumentError } from "commander";
import { Refusal } from "@/core/base/refusal";
import { importCustomers, validateCustomers } from "@/domain/customers/import";
import { importKeys, validateKeys, type LineNote } from "@/domain/licences/keys/import";
import { withShop, byOperator, example, print, withReason } from "../terminal/command-line";
import { customerColumns, customersIn } from "../files/customers-in-file";
import { keyColumns, keysIn } from "../files/keys-in-file";
import { noteLines, refuseLines } from "../files/line-errors";
import { progressBar } from "../terminal/progress";
import { counted } from "../terminal/table";

type ImportOptions = {
  reason: string;
  column?: Record<string, string>;
  skip?: boolean;
  dryRun?: boolean;
  json?: boolean;
};

const withImportOptions = (noun: Command, fields: readonly string[]) =>
  withReason(noun)
    .option(
      "--column <field=name>",
      'what the file calls a column, such as key="License Key"; once for each',
      (text: string, before: Record<string, string> | undefined) => ({
        ...before,
        ...columnIn(text, fields),
      }),
    )
    .option("--skip", "continue without the lines that are wrong; they are named and counted")
    .option("--dry-run", "check the file and say what would be imported, without changing anything");

function columnIn(text: string, fields: readonly string[]): Record<string, string> {
  const [, field = "", name = ""] = /^\s*([a-z_]+)\s*=(.*)$/s.exec(text) ?? [];
  if (fields.includes(field) && name.trim() !== "") return { [field]: name };
  throw new InvalidArgumentError(`Write field=name, where the field is one of ${fields.join(", ")}.`);
}

const aboutFiles = `
CSV with commas, semicolons or tabs, or a list of objects in JSON; in UTF-8 or UTF-16. Other columns are ignored and
listed. Days may be fractions and are rounded up. Whatever is changed, merged or refused is named by its line.`;

const aboutKeys = `
Columns, in any order; only key and days must be there:
  ${keyColumns.join(", ")}
KeyAuth's exports are read as they are: [{"key": "…", "level": "1", "expiry": 30}], or key,level,days|key,level,days.
${aboutFiles}`;

const aboutCustomers = `
Columns, in any order; only email must be there:
  ${customerColumns.join(", ")}
A key, days or expires makes a licence that the customer holds right away: days count from the import, "lifetime" or a
key alone is a lifetime, and without a key one is made. A key that was imported before and is not redeemed yet is used.
expires is a date, which ends with its day in the line's time zone or else the shop's (TIME_ZONE), or a time like
2026-01-31T18:00Z; 9999-12-31 is a lifetime. A customer without a username gets one from the email. Discord ids that may be rounded are named and
not linked. Addresses count as confirmed by their owners, unless the file is --unconfirmed. Passwords and hardware ids
can't be imported.
${aboutFiles}
The customer gets in with "Forgot password?" and their email; until then nobody can sign in. Nothing is mailed.`;

/** `shop import …` */
export function importCommand(): Command {
  const noun = new Command("import").description("import from another shop; safe to repeat");
  withImportOptions(noun.command("keys <file>"), keyColumns)
    .description("keys sold by another shop, from CSV or KeyAuth's exports; - reads standard input")
    .addHelpText(
      "after",
      `${aboutKeys}\n${example('import keys keys.csv --column key=Serial --reason "moving in"')}`,
    )
    .action(keys);
  withImportOptions(noun.command("customers <file>"), customerColumns)
    .option("--link-anyway", "link Discord ids that may be rounded too")
    .option("--unconfirmed", "nobody has proven that these mailboxes are the customers' own")
    .description("customers of another shop, as accounts, from CSV or JSON; - reads standard input")
    .addHelpText(
      "after",
      `${aboutCustomers}\n${example('import customers people.csv --dry-run --reason "moving in"')}`,
    )
    .action(customers);
  return noun;
}

async function keys(
  path: string,
  { reason, column = {}, skip, dryRun = false, json }: ImportOptions,
): Promise<void> {
  const { keys: typed, faults, ...file } = keysIn(await bytesOf(path), column);
  const { keys: found, changed, merged, refused } = validateKeys(typed);
  const notes = { refused: [...faults, ...refused], changed, merged };
  if (notes.refused.length > 0 && !skip) refuseLines(notes.refused, file.unit);
  await withShop(async ({ ctx }) => {
    sayFound(json, file, notes);
    const bar = progressBar("Importing keys", json);
    const by = { ...byOperator(reason), dryRun, onProgress: bar.at };
    const { made, known } = await importKeys(ctx, found, by).finally(bar.end);
    const output = { made, known, ...reportOf(file, notes), ...dry(dryRun) };
    print(json, output, summaryOf("key", { made, known, dryRun }, file, notes));
  });
}

async function customers(
  path: string,
  {
    reason,
    column = {},
    skip,
    linkAnyway = false,
    unconfirmed = false,
    dryRun = false,
    json,
  }: ImportOptions & { linkAnyway?: boolean; unconfirmed?: boolean },
): Promise<void> {
  const bytes = await bytesOf(path);
  await withShop(async ({ ctx }) => {
    const { customers: typed, faults, ...file } = customersIn(bytes, { columns: column, zone: ctx.timeZone });
    if (faults.length > 0 && !skip) refuseLines(faults, file.unit);
    const bar = progressBar("Checking the file", json);
    const validating = validateCustomers(ctx, typed, { linkAnyway, onProgress: bar.at });
    const { fresh, known, over, refused, changed, unlinked } = await validating.finally(bar.end);
    const notes = { refused: [...faults, ...refused], changed, unlinked };
    if (refused.length > 0 && !skip) refuseLines(refused, file.unit);
    sayFound(json, file, notes);
    if (!json && over > 0) console.error(overAlready(over));
    if (!dryRun) {
      const making = progressBar("Importing customers", json);
      await importCustomers(
        ctx,
        fresh,
        { ...byOperator(reason), confirmed: !unconfirmed },
        making.at,
      ).finally(making.end);
    }
    const output = { made: fresh.length, known, over, ...reportOf(file, notes), ...dry(dryRun) };
    print(json, output, summaryOf("customer", { made: fresh.length, known, over, dryRun }, file, notes));
  });
}

type File = { format: string; lines: number; ignored: string[]; unit: "Line" | "Entry" };
type Notes = Record<string, LineNote[]>;

const importWords: Record<string, string> = {
  refused: "refused",
  changed: "changed",
  merged: "merged with another",
  unlinked: "not linked to Discord",
};

/** Says how the file was read and what becomes of its lines, before anything is written. */
function sayFound(json: boolean | undefined, { format, lines, unit }: File, notes: Notes): void {
  if (json) return;
  const rows = unit === "Line" ? counted(lines, "line") : counted(lines, "entry", "entries");
  console.error(`Read ${rows}: ${format}.`);
  for (const [kind, found] of Object.entries(notes)) {
    if (found.length > 0)
      console.error([`${found.length} ${importWords[kind]}:`, ...noteLines(found, unit)].join("\n"));
  }
}

/** The same for scripts, with every note. */
const reportOf = ({ format, lines, ignored }: File, notes: Notes) => ({
  ...Object.fromEntries(Object.entries(notes).map(([kind, found]) => [kind, found.length])),
  notes: Object.entries(notes).flatMap(([kind, found]) => found.map((note) => ({ ...note, kind }))),
  ignored_columns: ignored,
  read: { format, lines },
});

const dry = (dryRun: boolean) => (dryRun ? { dry_run: true } : {});

type Sum = { made: number; known: number; over?: number; dryRun: boolean };

function summaryOf(noun: string, { made, known, over = 0, dryRun }: Sum, { ignored }: File, notes: Notes) {
  const were = dryRun ? "would be" : made === 1 ? "was" : "were";
  const others = `${known} ${known === 1 ? "was" : "were"} already known.`;
  const found = Object.entries(notes).filter(([, lines]) => lines.length > 0);
  const counts = found.map(([kind, lines]) => `${lines.length} ${importWords[kind]}`).join(", ");
  return [
    `${counted(made, noun)} ${were} imported, ${others}${dryRun ? " Nothing was changed." : ""}`,
    ...(counts ? [`${counts}.`] : []),
    ...(over > 0 ? [overAlready(over)] : []),
    ...(ignored.length > 0 ? [`These columns were ignored: ${ignored.join(", ")}.`] : []),
  ].join("\n");
}

const overAlready = (over: number) => `${counted(over, "licence is", "licences are")} over already.`;

async function bytesOf(path: string): Promise<Uint8Array> {
  try {
    return await (path === "-" ? Bun.stdin : Bun.file(path)).bytes();
  } catch {
    throw new Refusal("not_found", { sentence: `${path} can't be read.` });
  }
}
