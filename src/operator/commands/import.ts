import { Command, InvalidArgumentError } from "commander";
import { type ImportedThing, importFields } from "@/contract/vocabulary/import-files";
import { Refusal } from "@/core/base/refusal";
import { type Table, tableIn } from "@/domain/imports/file-rows";
import { type ImportPlan, type ImportRow, importRow, planImport } from "@/domain/imports/import";
import { type LineNote, noteLines, refuseLines } from "@/domain/imports/line-notes";
import type { Ctx } from "@/core/database/context";
import { withShop, byOperator, example, print, withReason } from "../terminal/command-line";
import { progressBar } from "../terminal/progress";
import { counted } from "../terminal/table";

type ImportOptions = {
  reason: string;
  column?: Record<string, string>;
  level?: Record<string, string>;
  skip?: boolean;
  linkAnyway?: boolean;
  unconfirmed?: boolean;
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
    .option(
      "--level <word=level>",
      "the level that a word of the file means, such as VIP=pro; once for each",
      (text: string, before: Record<string, string> | undefined) => ({ ...before, ...levelIn(text) }),
    )
    .option("--skip", "continue without the lines that are wrong; they are named and counted")
    .option("--dry-run", "check the file and say what would be imported, without changing anything");

function columnIn(text: string, fields: readonly string[]): Record<string, string> {
  const [, field = "", name = ""] = /^\s*([a-z_]+)\s*=(.*)$/s.exec(text) ?? [];
  if (fields.includes(field) && name.trim() !== "") return { [field]: name };
  throw new InvalidArgumentError(`Write field=name, where the field is one of ${fields.join(", ")}.`);
}

function levelIn(text: string): Record<string, string> {
  const [, word = "", level = ""] = /^(.*)=\s*([^=\s]+)\s*$/s.exec(text) ?? [];
  if (word.trim() !== "" && level !== "") return { [word.trim()]: level };
  throw new InvalidArgumentError("Write word=level, where the level is the id of one of the shop's.");
}

const aboutFiles = `
CSV with commas, semicolons or tabs, or a list of objects in JSON; in UTF-8 or UTF-16. Other columns are ignored and
listed. A level is the id of one of the shop's, what --level says of the file's word, or empty for the first; a line
with another is refused. Days may be fractions and are rounded up. Whatever is changed, merged or refused is named by its line.`;

const aboutKeys = `
Columns, in any order; only key and days must be there:
  ${importFields.keys.all.join(", ")}
KeyAuth's exports are read as they are: [{"key": "…", "level": "1", "expiry": 30}], or key,level,days|key,level,days.
${aboutFiles}`;

const aboutCustomers = `
Columns, in any order; only email must be there:
  ${importFields.customers.all.join(", ")}
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
  withImportOptions(noun.command("keys <file>"), importFields.keys.all)
    .description("keys sold by another shop, from CSV or KeyAuth's exports; - reads standard input")
    .addHelpText(
      "after",
      `${aboutKeys}\n${example('import keys keys.csv --column key=Serial --reason "moving in"')}`,
    )
    .action((path: string, options: ImportOptions) => importThing("keys", path, options));
  withImportOptions(noun.command("customers <file>"), importFields.customers.all)
    .option("--link-anyway", "link Discord ids that may be rounded too")
    .option("--unconfirmed", "nobody has proven that these mailboxes are the customers' own")
    .description("customers of another shop, as accounts, from CSV or JSON; - reads standard input")
    .addHelpText(
      "after",
      `${aboutCustomers}\n${example('import customers people.csv --dry-run --reason "moving in"')}`,
    )
    .action((path: string, options: ImportOptions) => importThing("customers", path, options));
  return noun;
}

async function importThing(what: ImportedThing, path: string, options: ImportOptions): Promise<void> {
  const {
    reason,
    column = {},
    level: levels = {},
    skip,
    linkAnyway = false,
    unconfirmed = false,
    dryRun = false,
    json,
  } = options;
  const bytes = await bytesOf(path);
  await withShop(async ({ ctx }) => {
    const table = await tableIn(bytes, what, column);
    const checking = progressBar("Checking the file", json);
    const plan = await planImport(
      ctx,
      { what, table },
      {
        columns: column,
        levels,
        hint: (field) => `if it has another name, --column ${field}="…" says it`,
        linkAnyway,
        confirmed: !unconfirmed,
        onProgress: checking.at,
      },
    ).finally(checking.end);
    const notes = notesOf(what, plan);
    const { refused = [] } = notes;
    if (refused.length > 0 && !skip) refuseLines(refused, table.unit);
    sayFound(json, table, notes);
    if (!json && plan.over > 0) console.error(overAlready(plan.over));
    const rows = plan.lines.flatMap(({ line, row }) => (row ? [{ line, row }] : []));
    const bar = progressBar(`Importing ${what}`, json);
    const ended = dryRun
      ? { made: rows.length, known: 0 }
      : await importRows(ctx, rows, { reason, notes, at: bar.at }).finally(bar.end);
    const known = ended.known + plan.lines.filter(({ outcome }) => outcome === "left_out").length;
    const sum = { made: ended.made, known, ...(what === "customers" && { over: plan.over }) };
    const output = { ...sum, ...reportOf(table, plan, notes), ...(dryRun ? { dry_run: true } : {}) };
    print(json, output, summaryOf(what === "keys" ? "key" : "customer", { ...sum, dryRun }, plan, notes));
  });
}

/** How many rows are imported at once; their commits are written to disk together. */
const atOnce = 64;

type Line = { line: number; row: ImportRow };

/** Imports the rows; `known`: how many the shop got meanwhile. Adds those to the notes that became impossible. */
async function importRows(
  ctx: Ctx,
  rows: Line[],
  { reason, notes, at }: { reason: string; notes: Notes; at: (done: number, total: number) => void },
): Promise<{ made: number; known: number }> {
  const sum = { made: 0, known: 0 };
  for (let from = 0; from < rows.length; from += atOnce) {
    const page = rows.slice(from, from + atOnce);
    const importing = { by: byOperator(reason), also: async () => [] };
    const ended = await Promise.allSettled(page.map(({ row }) => importRow(ctx, row, importing)));
    for (const [index, one] of ended.entries()) {
      if (one.status === "rejected") throw one.reason;
      const { outcome, note } = one.value;
      if (outcome === "left_out") sum.known += 1;
      else if (outcome !== "refused") sum.made += 1;
      else notes["refused"]?.push({ line: page[index]?.line ?? 0, sentence: note ?? "it was refused" });
    }
    at(from + page.length, rows.length);
  }
  return sum;
}

/** The lines of the file by what is said of them. */
function notesOf(what: ImportedThing, { lines }: ImportPlan): Notes {
  const of = (wanted: string): LineNote[] =>
    lines.flatMap(({ line, notes }) => {
      const found = notes.filter(({ kind }) => kind === wanted);
      return found.length === 0
        ? []
        : [{ line, sentence: found.map(({ sentence }) => sentence).join(", and ") }];
    });
  const other = what === "keys" ? "merged" : "unlinked";
  return { refused: of("refused"), changed: of("changed"), [other]: of(other) };
}

type Notes = Record<string, LineNote[]>;

const importWords: Record<string, string> = {
  refused: "refused",
  changed: "changed",
  merged: "merged with another",
  unlinked: "not linked to Discord",
};

/** Says how the file was read and what becomes of its lines, before anything is written. */
function sayFound(json: boolean | undefined, { format, rows: { length }, unit }: Table, notes: Notes): void {
  if (json) return;
  const rows = unit === "Line" ? counted(length, "line") : counted(length, "entry", "entries");
  console.error(`Read ${rows}: ${format}.`);
  for (const [kind, found] of Object.entries(notes)) {
    if (found.length > 0)
      console.error([`${found.length} ${importWords[kind]}:`, ...noteLines(found, unit)].join("\n"));
  }
}

/** The same for scripts, with every note. */
const reportOf = ({ format, rows }: Table, { ignored }: ImportPlan, notes: Notes) => ({
  ...Object.fromEntries(Object.entries(notes).map(([kind, found]) => [kind, found.length])),
  notes: Object.entries(notes).flatMap(([kind, found]) => found.map((note) => ({ ...note, kind }))),
  ignored_columns: ignored,
  read: { format, lines: rows.length },
});

type Sum = { made: number; known: number; over?: number; dryRun: boolean };

function summaryOf(
  noun: string,
  { made, known, over = 0, dryRun }: Sum,
  { ignored }: ImportPlan,
  notes: Notes,
) {
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
