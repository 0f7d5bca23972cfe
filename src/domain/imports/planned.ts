import type { ImportOutcome } from "@/contract/vocabulary/import-files";
import type { By } from "@/core/base/actor";
import { yieldToEventLoop } from "@/core/base/yield";
import { commit, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";

/** What would become of a line of a file. */
export type Planned<Row> = {
  line: number;
  outcome: ImportOutcome;
  /** Why it is not imported, or not as it is written. */
  notes: { kind: "changed" | "unlinked" | "merged" | "known" | "refused"; sentence: string }[];
  /** The customer, or the masked key. */
  name: string | null;
  /** What is imported; null if nothing is. */
  row: Row | null;
};

const rowsAtOnce = 100;

/** What each row becomes; requests are served between two pieces. */
export async function inPieces<Row, Result>(
  rows: readonly Row[],
  become: (row: Row) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const row of rows) if (results.push(become(row)) % rowsAtOnce === 0) await yieldToEventLoop();
  return results;
}

export const sentenceIn = (notes: Planned<unknown>["notes"]): string | null =>
  notes.length === 0 ? null : notes.map(({ sentence }) => sentence).join(", and ");

/** A line that is not imported. */
export const passedOver = (
  line: number,
  outcome: "refused" | "merged" | "left_out",
  sentence: string,
): Planned<never> => ({
  line,
  outcome,
  notes: [{ kind: outcome === "left_out" ? "known" : outcome, sentence }],
  name: null,
  row: null,
});

/** What became of a row; `id` is that of its licence or account, empty if it became nothing. */
export type Done = { outcome: ImportOutcome; note: string | null; id: string };

/** `also`: further writes of the commit, computed again at each try. */
export type Importing = { by: By; also: (done: Done) => Promise<Write[]> };

/** Stores what became of a row, with what that takes. */
export async function finishRow(ctx: Ctx, done: Done, writes: Write[], { also }: Importing): Promise<Done> {
  await commit(ctx.store, [...writes, ...(await also(done))]);
  return done;
}
