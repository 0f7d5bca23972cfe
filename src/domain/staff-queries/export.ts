import { and, count, type SQL, sql } from "drizzle-orm";
import type { DeskFilters, DeskList, DeskRow } from "@/contract/wire/desk/lists";
import type { Actor } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { yieldToEventLoop } from "@/core/base/yield";
import { pageRows, type Place } from "@/core/database/pages";
import { authorize, expectConfirmed } from "../permissions";
import { type ListPage, lists, readList } from "./lists";
import { inOrder, isPast, type ListColumns } from "./newest";

type ExportRequest<L extends DeskList> = { list: L; filters: DeskFilters<L> };

/**
 * All rows of a list, a page at a time as the caller takes them; other requests are served between two pages. When the
 * caller has taken the last row or stops, the log records how many rows were taken. Refuses with `confirm`.
 */
export function exportForDesk<L extends DeskList>(
  ctx: Ctx,
  actor: Actor,
  wanted: ExportRequest<L>,
): AsyncGenerator<DeskRow<L>[]> {
  authorize(actor, "desk.export");
  expectConfirmed(ctx, actor, "desk.export");
  return loggedPages(ctx, actor, wanted);
}

async function* loggedPages<L extends DeskList>(
  ctx: Ctx,
  actor: Actor,
  { list, filters }: ExportRequest<L>,
): AsyncGenerator<DeskRow<L>[]> {
  const request = { list, filters: impersonal(filters) };
  let taken = 0;
  let complete = false;
  try {
    for await (const rows of pages(ctx, { list, filters })) {
      taken += rows.length;
      yield rows;
    }
    complete = true;
  } finally {
    const detail = { ...request, rows: taken, complete };
    await commit(ctx.store, [record(ctx, { actor, action: "desk.exported", subject: list, detail })]);
  }
}

async function* pages<L extends DeskList>(ctx: Ctx, wanted: ExportRequest<L>): AsyncGenerator<DeskRow<L>[]> {
  for (let after: Place | null = null; ;) {
    const { rows, next }: ListPage<L> = await readList(ctx, { ...wanted, page: { after, most: pageRows } });
    yield rows;
    if (!next) return;
    after = next;
    await yieldToEventLoop();
  }
}

/** The filters as the log may keep them: without ids of Discord users. */
const impersonal = (filters: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(filters).flatMap(([name, value]) =>
      typeof value === "string" ? [[name, value.replace(/^(discord(?: user)?):.*/s, "$1")]] : [],
    ),
  );

/** Counting stops here. */
const maxCounted = 1_000_000;
/** How many entries of an index are counted before other requests are served. */
const step = 5_000;

/** How many rows an export would have. */
export async function countForDesk<L extends DeskList>(
  ctx: Ctx,
  actor: Actor,
  { list, filters }: { list: L; filters: DeskFilters<L> },
): Promise<{ count: number; more: boolean }> {
  authorize(actor, "desk.export");
  const { listed, which } = lists[list];
  const { conditions, few = [], order = listed } = await which(ctx, filters);
  let counted = few.length;
  for (const condition of conditions)
    counted += await countAlong(ctx, order, condition, maxCounted - counted);
  return { count: Math.min(counted, maxCounted), more: counted >= maxCounted };
}

/** Counts the rows that meet a condition along its index, up to one step more than `most`. */
async function countAlong(
  ctx: Ctx,
  listed: ListColumns,
  condition: SQL | undefined,
  most: number,
): Promise<number> {
  let counted = 0;
  for (let after: Place | null = null; counted < most;) {
    const ahead = and(condition, isPast(listed, after));
    const next: Place | null = await placeAhead(ctx, listed, ahead);
    if (next === null) return counted + (await countRest(ctx, listed, ahead));
    counted += step;
    after = next;
    await yieldToEventLoop();
  }
  return counted;
}

/** The place of the row that ends the next step; null if fewer rows are left. */
async function placeAhead(
  { store: { db } }: Ctx,
  order: ListColumns,
  condition: SQL | undefined,
): Promise<Place | null> {
  const { at, id } = order;
  const [row] = await db
    .select({ at: sql<number>`${at}`, id: sql<string>`${id}` })
    .from(at.table)
    .where(condition)
    .orderBy(...inOrder(order))
    .limit(1)
    .offset(step - 1);
  return row ? { at: new Date(row.at), id: row.id } : null;
}

async function countRest(
  { store: { db } }: Ctx,
  order: ListColumns,
  condition: SQL | undefined,
): Promise<number> {
  const { at, id } = order;
  const rest = db
    .select({ id: sql<string>`${id}`.as("counted") })
    .from(at.table)
    .where(condition)
    .orderBy(...inOrder(order))
    .limit(step)
    .as("rest");
  const [row] = await db.select({ count: count() }).from(rest);
  return row?.count ?? 0;
}
