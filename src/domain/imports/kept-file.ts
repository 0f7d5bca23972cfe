import {
  type ImportedThing,
  importedThings,
  importFields,
  maxImportLines,
  tooLongToImport,
} from "@/contract/vocabulary/import-files";
import { hour } from "@/contract/vocabulary/time";
import { Refusal } from "@/core/base/refusal";
import type { Actor } from "@/core/base/actor";
import { commit } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import { expectNoCopy } from "@/core/database/restored-copy";
import type { Handler } from "@/core/jobs/job-handlers";
import { enqueue } from "@/core/jobs/outbox";
import { shopTopics } from "../outbox-topics";
import { authorize } from "../permissions";
import type { BuildStore } from "../releases/store";
import { type ColumnNames, proposedColumns, type Table, tableIn } from "./file-rows";

const keptFor = hour;

/** Where a file is in the store of parts. */
const addressOf = (id: string): string => new Bun.CryptoHasher("sha256").update(`import ${id}`).digest("hex");
const contextOf = (id: string) => `import-file:${id}`;

export type SentFile = {
  id: string;
  what: ImportedThing;
  format: string;
  lines: number;
  columns: string[];
  fields: { name: string; required: boolean; column: string | null }[];
  keptUntil: Date;
};

/**
 * Reads a file and keeps it, encrypted, until it is imported, for an hour at most. Refuses with `invalid_field` what is no
 * such file, with `no_space`, and with `copy` on a restored copy.
 */
export async function keepImportFile(
  { ctx, parts }: { ctx: Ctx; parts: BuildStore },
  { what, bytes }: { what: ImportedThing; bytes: Uint8Array },
  actor: Actor,
): Promise<SentFile> {
  authorize(actor, "import.make");
  await expectNoCopy(ctx);
  const { columns, rows, format, ...table } = await tableIn(bytes, what);
  if (rows.length > maxImportLines)
    throw new Refusal("invalid_field", { field: "file", sentence: tooLongToImport });
  const id = newId();
  const text = ctx.secrets.seal(`${what}\n${Buffer.from(bytes).toString("base64")}`, contextOf(id));
  if (!(await parts.hasSpace(text.length))) throw new Refusal("no_space");
  // first: however this ends, nothing is left behind
  await commit(ctx.store, [
    enqueue(ctx, { topic: shopTopics.removeImportFile, subject: id, delayMilliseconds: keptFor }),
  ]);
  await parts.keep(addressOf(id), new Blob([text]));
  const proposed = proposedColumns({ columns, rows, format, ...table }, what);
  const { all, required } = importFields[what];
  return {
    id,
    what,
    format,
    lines: rows.length,
    columns: [...new Set(columns.map((name) => name.trim()).filter((name) => name !== ""))],
    fields: all.map((name) => ({
      name,
      required: required.some((one) => one === name),
      column: proposed.get(name) ?? null,
    })),
    keptUntil: new Date(ctx.now().getTime() + keptFor),
  };
}

/** A file that was sent. Refuses with `import_unknown` once it is gone. */
export async function keptFile(
  { ctx, parts }: { ctx: Ctx; parts: BuildStore },
  id: string,
  columns: ColumnNames,
): Promise<{ what: ImportedThing; table: Table }> {
  const found = await parts.find(addressOf(id));
  if (!found) throw new Refusal("import_unknown");
  const text = ctx.secrets.open(await new Response(found.body(0, found.size)).text(), contextOf(id));
  const [first = "", base64 = ""] = text.split("\n");
  const what = importedThings.find((one) => one === first) ?? "keys";
  return { what, table: await tableIn(Buffer.from(base64, "base64"), what, columns) };
}

/** The outbox handler that deletes a file. */
export const removeImportFile =
  (parts: BuildStore): Handler<typeof shopTopics.removeImportFile> =>
  async ({ subject: id }) => {
    await parts.remove(addressOf(id));
    return [];
  };
