import type { ImportedThing } from "@/contract/vocabulary/import-files";
import type { Ctx } from "@/core/database/context";
import { randomToken } from "@/core/secrets/secrets";
import { hashPassword } from "../accounts/credentials/passwords";
import { Refusal } from "@/core/base/refusal";
import type { LevelName } from "../levels/ladder";
import { ladderOf, usualLevel } from "../levels/list";
import { maskKey } from "../licences/keys/keys";
import { authorize } from "../permissions";
import { type CustomerRow, importCustomer, planCustomers } from "./customers";
import { customerIn } from "./customers-in-file";
import { type ColumnNames, rowsOf, type Table } from "./file-rows";
import { importableKey, importKey, type KeyRow, planKeys } from "./keys";
import { keyIn, type ReadLevel } from "./keys-in-file";
import type { LineNote } from "./line-notes";
import { type Done, type Importing, inPieces, passedOver, type Planned } from "./planned";

export type ImportRow = ({ thing: "key" } & KeyRow) | ({ thing: "customer" } & CustomerRow);

export type ImportTerms = {
  columns: ColumnNames;
  /** The ids of the levels that the file's words mean. */
  levels: Record<string, string>;
  /** Says how a required column is named where the file has none. */
  hint: (field: string) => string;
  /** Link Discord ids that may be rounded, too. */
  linkAnyway: boolean;
  /** Whether the other shop had proof of the mailboxes. */
  confirmed: boolean;
  onProgress?: (done: number, total: number) => void;
};

export type LevelWord = { word: string; level: string | null };

export type ImportPlan = {
  /** By line. */
  lines: Planned<ImportRow>[];
  /** How many licences of new customers are over already. */
  over: number;
  ignored: string[];
  /** The file's words for levels, with the id that each means; null if nothing says. */
  levels: LevelWord[];
  /** The levels that a word can mean. */
  knownLevels: LevelName[];
};

/** What would become of each line of a file. Changes nothing. */
export async function planImport(
  ctx: Ctx,
  { what, table }: { what: ImportedThing; table: Table },
  { levels, linkAnyway, confirmed, onProgress, ...mapping }: ImportTerms,
): Promise<ImportPlan> {
  const now = ctx.now();
  const words = await levelWords(ctx, levels);
  if (what === "keys") {
    const { rows, ignored } = await rowsOf(table, what, mapping);
    const { good, faulty } = parted(
      await inPieces(rows, (row) => keyIn(row, words.read)),
      (row) => "typed" in row,
    );
    const planned = await planKeys(ctx, good, onProgress);
    const lines = planned.map((one) => ({ ...one, row: one.row && { ...one.row, thing: "key" as const } }));
    return { lines: byLine([...lines, ...faulty]), over: 0, ignored, ...words.found() };
  }
  const { rows, ignored } = await rowsOf(table, what, mapping);
  const { good, faulty } = parted(
    await inPieces(rows, (row) => customerIn(row, ctx.timeZone, words.read)),
    (row) => "email" in row,
  );
  const planned = await planCustomers(ctx, good, { linkAnyway, confirmed, onProgress });
  const lines = planned.map((one) => ({
    ...one,
    row: one.row && { ...one.row, thing: "customer" as const },
  }));
  const over = planned.filter(({ row }) => row?.licence?.expiresAt && row.licence.expiresAt <= now).length;
  return { lines: byLine([...lines, ...faulty]), over, ignored, ...words.found() };
}

/** Reads the words of a file's levels; refuses with `level_unknown` if one shall mean a level that can't be given. */
async function levelWords(ctx: Ctx, meant: Record<string, string>) {
  const known = (await ladderOf(ctx)).filter(({ retiredAt }) => retiredAt === null);
  const given = known.map(({ id }) => id);
  if (Object.values(meant).some((id) => !given.includes(id)))
    throw new Refusal("level_unknown", { field: "levels" });
  const byWord = new Map(Object.entries(meant).map(([word, id]) => [wordOf(word), id]));
  const seen = new Map<string, LevelWord>();
  return {
    read: ((typed) => {
      const word = wordOf(typed);
      const level =
        word === "" ? usualLevel(known)?.id : (byWord.get(word) ?? given.find((id) => id === word));
      if (word !== "" && seen.size < mostWords && !seen.has(word))
        seen.set(word, { word: typed.trim(), level: level ?? null });
      return level === undefined ? { sentence: unknownLevel(typed) } : { level };
    }) satisfies ReadLevel,
    found: () => ({ levels: [...seen.values()], knownLevels: known.map(({ id, name }) => ({ id, name })) }),
  };
}

/** Of a column that isn't one of levels, nobody says what each word means. */
const mostWords = 100;

const wordOf = (typed: string) => typed.trim().toLowerCase();
/** Of what may be a key in the wrong column, only its last symbols. */
const unknownLevel = (word: string) =>
  word.trim() === ""
    ? "it names no level, and the shop sells none"
    : `nothing says which level ${JSON.stringify(importableKey(word) === null ? word.trim() : maskKey(word))} is here`;

function parted<Row extends { line: number }>(
  rows: (Row | LineNote)[],
  isGood: (row: Row | LineNote) => boolean,
): { good: Row[]; faulty: Planned<never>[] } {
  // what isn't good says why
  return {
    good: rows.filter(isGood) as Row[],
    faulty: (rows.filter((row) => !isGood(row)) as LineNote[]).map(({ line, sentence }) =>
      passedOver(line, "refused", sentence),
    ),
  };
}

const byLine = (lines: Planned<ImportRow>[]) => lines.toSorted((one, other) => one.line - other.line);

/** The hash of a random secret that nobody keeps; one for all, because hashing takes longer than everything else. */
let passwordHash: Promise<string> | undefined;

/**
 * Imports a planned row in one commit, with what `also` adds. What it becomes is decided now: another may have its key or
 * email since it was planned.
 */
export async function importRow(ctx: Ctx, row: ImportRow, importing: Importing): Promise<Done> {
  authorize(importing.by, "import.make");
  if (row.thing === "key") return importKey(ctx, row, importing);
  passwordHash ??= hashPassword(randomToken(), "operator");
  return importCustomer(ctx, row, { ...importing, passwordHash: await passwordHash });
}
