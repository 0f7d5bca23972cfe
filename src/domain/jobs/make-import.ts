import { type ImportedThing, importOutcomes, type ImportOutcome } from "@/contract/vocabulary/import-files";
import type { ImportPreview } from "@/contract/wire/desk/imports";
import type { By } from "@/core/base/actor";
import { yieldToEventLoop } from "@/core/base/yield";
import { commit, mustHaveChanged } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { expectNoCopy } from "@/core/database/restored-copy";
import { takeTurn } from "@/core/limits/turns";
import { enqueue } from "@/core/jobs/outbox";
import type { Table } from "../imports/file-rows";
import { planImport, type ImportPlan, type ImportRow, type ImportTerms } from "../imports/import";
import { keptFile } from "../imports/kept-file";
import { inUnits } from "../imports/line-notes";
import { type Planned, sentenceIn } from "../imports/planned";
import { shopTopics } from "../outbox-topics";
import { authorize, expectConfirmed } from "../permissions";
import type { BuildStore } from "../releases/store";
import { licenceJobItems, licenceJobs } from "../schema/jobs";
import { rowOf, startWrites } from "./make";

type Where = { ctx: Ctx; parts: BuildStore };
type Asked = Pick<ImportTerms, "columns" | "levels" | "linkAnyway" | "confirmed">;

const sampled = 10;
const linesAtOnce = 100;

/** What would become of each line of a file that was sent. Refuses as {@link planned}. */
export async function previewImport(where: Where, id: string, asked: Asked, by: By): Promise<ImportPreview> {
  authorize(by, "import.make");
  const { lines, over, ignored, levels, knownLevels, unit } = await planned(where, id, asked, by);
  const of = (outcome: ImportOutcome) => lines.filter((one) => one.outcome === outcome);
  return {
    total: lines.length,
    unit: unit === "Line" ? "line" : "entry",
    // every outcome is there
    lines: Object.fromEntries(
      importOutcomes.map((outcome) => [outcome, of(outcome).length]),
    ) as ImportPreview["lines"],
    over,
    ignored,
    levels,
    known_levels: knownLevels,
    sample: importOutcomes.flatMap((outcome) =>
      of(outcome)
        .slice(0, sampled)
        .map(({ line, name, notes }) => {
          const sentence = sentenceIn(notes);
          return { line, outcome, name, sentence: sentence && inUnits(sentence, unit) };
        }),
    ),
  };
}

/**
 * Makes a job that imports a file that was sent; resolves to its id, which is the file's, so that a file is imported by
 * one job. The file is deleted once its lines are stored. Refuses as {@link planned}, and with `copy` on a restored copy.
 */
export async function makeImport(where: Where, id: string, asked: Asked, by: By): Promise<string> {
  authorize(by, "import.make");
  const { ctx } = where;
  const { what, lines } = await planned(where, id, asked, {
    ...by,
    found: () => expectConfirmed(ctx, by, "import.make"),
  });
  await expectNoCopy(ctx);
  const action = what === "keys" ? "import_keys" : "import_customers";
  const made = { ...rowOf(ctx, by), id, action, ...alreadyDone(lines) } as const;
  await commit(ctx.store, [
    ctx.store.db.insert(licenceJobs).values(made).onConflictDoNothing(),
    mustHaveChanged("import_unknown"),
  ]);
  for (let from = 0; from < lines.length; from += linesAtOnce) {
    const page = lines.slice(from, from + linesAtOnce);
    await commit(ctx.store, [
      ctx.store.db
        .insert(licenceJobItems)
        .values(page.map((line, at) => itemOf(ctx, { jobId: id, position: from + at }, line))),
    ]);
    await yieldToEventLoop();
  }
  await commit(ctx.store, [
    ...startWrites(ctx, { id, action, total: lines.length }, by),
    enqueue(ctx, { topic: shopTopics.removeImportFile, subject: id }),
  ]);
  return id;
}

const alreadyDone = (lines: Planned<ImportRow>[]) => ({
  done: lines.filter(({ row }) => row === null).length,
  refused: lines.filter(({ outcome }) => outcome === "refused").length,
});

type Place = { jobId: string; position: number };

/** A line of which nothing is imported is done. */
function itemOf(ctx: Ctx, place: Place, { line, row, outcome, notes }: Planned<ImportRow>) {
  const own = { ...place, licenceId: "", line };
  return row === null
    ? { ...own, doneAt: ctx.now(), outcome, note: sentenceIn(notes), content: null }
    : { ...own, doneAt: null, outcome: null, note: null, content: sealedRow(ctx, place, row) };
}

const contextOf = ({ jobId, position }: Place) => `import:${jobId}:${position}`;

const sealedRow = (ctx: Ctx, place: Place, row: ImportRow): string =>
  ctx.secrets.seal(JSON.stringify(row), contextOf(place));

/** The row that an item has; null if the shop's secret was replaced since. */
export function rowIn(ctx: Ctx, place: Place, content: string): ImportRow | null {
  try {
    return JSON.parse(ctx.secrets.open(content, contextOf(place)), (name, value: unknown) =>
      name === "expiresAt" && typeof value === "string" ? new Date(value) : value,
    ) as ImportRow;
  } catch {
    return null;
  }
}

/**
 * Plans a file that was sent, one at a time for each member of staff; calls `found` once it is there. Refuses with
 * `import_unknown` once it is gone, and with `invalid_field` where the columns don't fit.
 */
async function planned(
  where: Where,
  id: string,
  asked: Asked,
  { actor, found }: By & { found?: () => void },
): Promise<ImportPlan & { what: ImportedThing; unit: Table["unit"] }> {
  const end = takeTurn(where.ctx, `import:${"accountId" in actor ? actor.accountId : actor.kind}`);
  try {
    const file = await keptFile(where, id, asked.columns);
    found?.();
    const plan = await planImport(where.ctx, file, { ...asked, hint: chooseColumn });
    return { ...plan, what: file.what, unit: file.table.unit };
  } finally {
    end();
  }
}

const chooseColumn = (field: string) => `choose the column that is the ${field}`;
