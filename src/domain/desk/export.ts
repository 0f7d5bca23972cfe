import type { DeskFilters, DeskList, DeskRow } from "@/contract/wire/desk/lists";
import type { Actor } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { othersTurn } from "@/core/base/others-turn";
import { pageRows, type Place } from "@/core/database/pages";
import { authorize, expectConfirmed } from "../permissions";
import { type ListPage, readList } from "./lists";

type Wanted<L extends DeskList> = { list: L; filters: DeskFilters<L> };

/**
 * All rows of a list, a page at a time as the caller takes them; other requests are served between two pages. When the
 * caller has taken the last row or stops, the log records how many rows were taken. Refuses with `confirm`.
 */
export function exportForDesk<L extends DeskList>(
  ctx: Ctx,
  actor: Actor,
  wanted: Wanted<L>,
): AsyncGenerator<DeskRow<L>[]> {
  authorize(actor, "desk.export");
  expectConfirmed(ctx, actor, "desk.export");
  return loggedPages(ctx, actor, wanted);
}

async function* loggedPages<L extends DeskList>(
  ctx: Ctx,
  actor: Actor,
  { list, filters }: Wanted<L>,
): AsyncGenerator<DeskRow<L>[]> {
  const told = { list, filters: impersonal(filters) };
  let taken = 0;
  let complete = false;
  try {
    for await (const rows of pages(ctx, { list, filters })) {
      taken += rows.length;
      yield rows;
    }
    complete = true;
  } finally {
    const detail = { ...told, rows: taken, complete };
    await commit(ctx.store, [record(ctx, { actor, action: "desk.exported", subject: list, detail })]);
  }
}

async function* pages<L extends DeskList>(ctx: Ctx, wanted: Wanted<L>): AsyncGenerator<DeskRow<L>[]> {
  for (let after: Place | null = null; ;) {
    const { rows, next }: ListPage<L> = await readList(ctx, { ...wanted, page: { after, most: pageRows } });
    yield rows;
    if (!next) return;
    after = next;
    await othersTurn();
  }
}

/** The filters as the log may keep them: without ids of Discord users. */
const impersonal = (filters: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(filters).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value.replace(/^(discord(?: user)?):.*/s, "$1")]] : [],
    ),
  );
