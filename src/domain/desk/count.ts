import { and, count, desc, type SQL, sql } from "drizzle-orm";
import type { DeskFilters, DeskList } from "@/contract/wire/desk/lists";
import type { Actor } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { othersTurn } from "@/core/base/others-turn";
import { olderThan, type Place, theFuture } from "@/core/database/pages";
import { authorize } from "../permissions";
import { lists } from "./lists";
import type { Listed } from "./newest";

/** Counting stops here. */
const mostCounted = 1_000_000;
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
  const { conditions, few = [] } = await which(ctx, filters);
  let counted = few.length;
  for (const condition of conditions)
    counted += await countAlong(ctx, listed, condition, mostCounted - counted);
  return { count: Math.min(counted, mostCounted), more: counted >= mostCounted };
}

/** Counts the rows that meet a condition along its index, up to one step more than `most`. */
async function countAlong(
  ctx: Ctx,
  listed: Listed,
  condition: SQL | undefined,
  most: number,
): Promise<number> {
  let counted = 0;
  for (let after = theFuture; counted < most;) {
    const ahead = and(condition, olderThan(after, listed.at, listed.id));
    const next = await placeAhead(ctx, listed, ahead);
    if (next === null) return counted + (await countRest(ctx, listed, ahead));
    counted += step;
    after = next;
    await othersTurn();
  }
  return counted;
}

/** The place of the row that ends the next step; null if fewer rows are left. */
async function placeAhead(
  { store: { db } }: Ctx,
  { at, id }: Listed,
  condition: SQL | undefined,
): Promise<Place | null> {
  const [row] = await db
    .select({ at: sql<number>`${at}`, id: sql<string>`${id}` })
    .from(at.table)
    .where(condition)
    .orderBy(desc(at), desc(id))
    .limit(1)
    .offset(step - 1);
  return row ? { at: new Date(row.at), id: row.id } : null;
}

async function countRest(
  { store: { db } }: Ctx,
  { at, id }: Listed,
  condition: SQL | undefined,
): Promise<number> {
  const rest = db
    .select({ id: sql<string>`${id}`.as("counted") })
    .from(at.table)
    .where(condition)
    .orderBy(desc(at), desc(id))
    .limit(step)
    .as("rest");
  const [row] = await db.select({ count: count() }).from(rest);
  return row?.count ?? 0;
}
