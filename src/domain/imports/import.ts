import type { ImportedThing } from "@/contract/vocabulary/import-files";
import type { Ctx } from "@/core/database/context";
import { randomToken } from "@/core/secrets/secrets";
import { hashPassword } from "../accounts/credentials/passwords";
import { authorize } from "../permissions";
import { type CustomerRow, importCustomer, planCustomers } from "./customers";
import { customerIn } from "./customers-in-file";
import { type ColumnNames, rowsOf, type Table } from "./file-rows";
import { importKey, type KeyRow, planKeys } from "./keys";
import { keyIn } from "./keys-in-file";
import type { LineNote } from "./line-notes";
import { type Done, type Importing, inPieces, passedOver, type Planned } from "./planned";

export type ImportRow = ({ thing: "key" } & KeyRow) | ({ thing: "customer" } & CustomerRow);

export type ImportTerms = {
  columns: ColumnNames;
  /** Says how a required column is named where the file has none. */
  hint: (field: string) => string;
  /** Link Discord ids that may be rounded, too. */
  linkAnyway: boolean;
  /** Whether the other shop had proof of the mailboxes. */
  confirmed: boolean;
  onProgress?: (done: number, total: number) => void;
};

export type ImportPlan = {
  /** By line. */
  lines: Planned<ImportRow>[];
  /** How many licences of new customers are over already. */
  over: number;
  ignored: string[];
};

/** What would become of each line of a file. Changes nothing. */
export async function planImport(
  ctx: Ctx,
  { what, table }: { what: ImportedThing; table: Table },
  { linkAnyway, confirmed, onProgress, ...mapping }: ImportTerms,
): Promise<ImportPlan> {
  const now = ctx.now();
  if (what === "keys") {
    const { rows, ignored } = await rowsOf(table, what, mapping);
    const { good, faulty } = parted(await inPieces(rows, keyIn), (row) => "typed" in row);
    const planned = await planKeys(ctx, good, onProgress);
    const lines = planned.map((one) => ({ ...one, row: one.row && { ...one.row, thing: "key" as const } }));
    return { lines: byLine([...lines, ...faulty]), over: 0, ignored };
  }
  const { rows, ignored } = await rowsOf(table, what, mapping);
  const { good, faulty } = parted(
    await inPieces(rows, (row) => customerIn(row, ctx.timeZone)),
    (row) => "email" in row,
  );
  const planned = await planCustomers(ctx, good, { linkAnyway, confirmed, onProgress });
  const lines = planned.map((one) => ({
    ...one,
    row: one.row && { ...one.row, thing: "customer" as const },
  }));
  const over = planned.filter(({ row }) => row?.licence?.expiresAt && row.licence.expiresAt <= now).length;
  return { lines: byLine([...lines, ...faulty]), over, ignored };
}

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
