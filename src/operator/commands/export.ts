import { mkdir, open, rm } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import { join, resolve } from "node:path";
import { Command, Option } from "commander";
import type { Ctx } from "@/core/database/context";
import { inFolder } from "@/core/database/disk-fault";
import { Refusal } from "@/core/base/refusal";
import { keyOf } from "@/domain/licences/keys/issue";
import { maskKey } from "@/domain/licences/keys/keys";
import { unsubscribedAmong } from "@/domain/campaigns/unsubscribe";
import { exportShop } from "@/domain/privacy/shop-export";
import { accounts } from "@/domain/schema/accounts";
import { licences } from "@/domain/schema/licences";
import { payments } from "@/domain/schema/payments";
import { everyRow } from "../files/every-row";
import { csvHeading, csvLine, type CsvCell } from "@/core/base/csv-line";
import { withShop, byOperator, print, withReason } from "../terminal/command-line";
import { cellsOf, type ExportedTable, exportedTables } from "../files/export-tables";
import { progressBar } from "../terminal/progress";
import { counted } from "../terminal/table";

type Format = "csv" | "jsonl";
type ExportOptions = { format: Format; keys?: boolean; reason: string; json?: boolean };

/** `shop export <folder>` */
export const exportVerb = (): Command =>
  withReason(new Command("export"), 'export books/ --reason "the yearly audit"')
    .argument("<folder>", "where the files go; none of them may exist yet")
    .summary("export the shop's data as CSV or JSON lines; keys only with --keys")
    .description(
      `export the shop's data, one file per table: ${exportedTables.map(({ name }) => name).join(", ")}. It contains no secrets but names every customer, so keep it safe`,
    )
    .addOption(new Option("--format <name>", "CSV or JSON lines").choices(["csv", "jsonl"]).default("csv"))
    .option("--keys", "include whole licence keys, for importing them elsewhere; handle them like money")
    .action(exportAll);

async function exportAll(
  typed: string,
  { format, keys = false, reason, json }: ExportOptions,
): Promise<void> {
  const folder = resolve(typed);
  // customers go first
  setPriority(constants.priority.PRIORITY_LOW);
  await withShop(async ({ ctx }) => {
    await inFolder(folder, () => mkdir(folder, { recursive: true }));
    const counts = await Promise.all(exportedTables.map(({ table }) => ctx.store.db.$count(table)));
    const total = counts.reduce((sum, count) => sum + count, 0);
    const bar = progressBar("Writing", json);
    const written = await exportShop(ctx, { by: byOperator(reason), keys }, () =>
      writeTables(ctx, { folder, format, keys, onProgress: (rows) => bar.at(rows, total) }),
    ).finally(bar.end);
    const lines = Object.entries(written).map(([name, count]) => `${name}: ${counted(count, "row")}`);
    print(json, { folder, ...written }, `${folder}\n  ${lines.join("\n  ")}`);
  });
}

type Files = { folder: string; format: Format; keys: boolean; onProgress: (rows: number) => void };

/** Resolves to the number of rows of each table. */
async function writeTables(ctx: Ctx, { folder, format, keys, onProgress }: Files) {
  const written: Record<string, number> = {};
  const made: string[] = [];
  let done = 0;
  try {
    for (const table of exportedTables) {
      const path = join(folder, `${table.name}.${format}`);
      const writing = { path, format, keys, onProgress: (rows: number) => onProgress(done + rows) };
      const rows = await inFolder(folder, () => writeTable(ctx, table, writing));
      made.push(path);
      written[table.name] = rows;
      done += rows;
    }
  } catch (error) {
    // or the next export would be refused because of them
    for (const path of made) await rm(path, { force: true });
    throw error;
  }
  return written;
}

type TableExport = { path: string; format: Format; keys: boolean; onProgress: (rows: number) => void };

/** Writes a file that only its owner may read; resolves to the number of rows. */
async function writeTable(ctx: Ctx, exported: ExportedTable, writing: TableExport): Promise<number> {
  const { path, format, keys, onProgress } = writing;
  const file = await open(path, "wx", 0o600).catch(() => {
    throw new Refusal("conflict", { sentence: `${path} already exists or can't be written.` });
  });
  let count = 0;
  try {
    for await (const rows of everyRow(ctx, exported.table)) {
      const wishes = await mailPreferenceCells(ctx, exported, rows);
      const output = rows.map((row, at) => ({
        ...keyCells(ctx, row, { exported, keys }),
        ...cellsOf(exported, row),
        ...wishes[at],
      }));
      if (count === 0 && format === "csv") await file.write(csvHeading(Object.keys(output[0] ?? {})));
      await file.write(
        output.map(format === "csv" ? (one) => csvLine(Object.values(one)) : jsonLine).join(""),
      );
      count += rows.length;
      onProgress(count);
    }
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
  return count;
}

const jsonLine = (row: Record<string, CsvCell>) => `${JSON.stringify(row)}\n`;

/** A licence's row starts with the columns that `shop import keys` reads. */
function keyCells(
  ctx: Ctx,
  row: Record<string, unknown>,
  { exported, keys }: { exported: ExportedTable; keys: boolean },
): Record<string, CsvCell> {
  if (exported.table !== licences) return {};
  const licence = row as typeof licences.$inferSelect;
  const key = keyOf(ctx, licence);
  return { key: keys ? key : maskKey(key), level: licence.level, days: licence.days };
}

/** Senders who mail customers from an export must leave out unsubscribed ones. */
async function mailPreferenceCells(
  ctx: Ctx,
  { table }: ExportedTable,
  rows: Record<string, unknown>[],
): Promise<Record<string, CsvCell>[]> {
  if (table !== accounts && table !== payments) return [];
  const emails = rows.map(({ email }) => (typeof email === "string" ? email : ""));
  const since = await unsubscribedAmong(ctx, emails);
  return emails.map((email) => ({ unsubscribed_at: since.get(email) ?? null }));
}
