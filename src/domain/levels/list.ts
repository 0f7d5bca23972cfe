import { asc, type SQLWrapper, sql } from "drizzle-orm";
import { Refusal } from "@/core/base/refusal";
import type { Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { preparedRead, preparedWrite } from "@/core/database/prepared";
import { levels } from "../schema/levels";
import type { Ladder, Level, LevelName } from "./ladder";

/** The shop's levels in their order, the lowest first, retired ones included. */
export const ladderOf = (ctx: Ctx): Promise<Ladder> => readLadder(ctx.store).all();

const readLadder = preparedRead((db) =>
  db.select().from(levels).orderBy(asc(levels.place), asc(levels.createdAt), asc(levels.id)).prepare(),
);

/** The present name of the level whose id a column of the surrounding query holds; the id if the shop lacks it. */
export const levelNameIn = (id: SQLWrapper) =>
  sql<string>`coalesce((SELECT l.name FROM levels l WHERE l.id = ${id}), ${id})`;

/** The same of one id. */
export const levelNameOf = async (ctx: Ctx, id: string): Promise<string> =>
  (await ladderOf(ctx)).find((one) => one.id === id)?.name ?? id;

/**
 * A level that licences can be made of: the named one, or the first. Refuses with `level_unknown` one that the shop
 * doesn't have, or has retired.
 */
export async function levelToGive(ctx: Ctx, id: string | undefined): Promise<Level> {
  const found = (await ladderOf(ctx)).find((one) =>
    id === undefined ? one.retiredAt === null : one.id === id && one.retiredAt === null,
  );
  if (!found) throw new Refusal("level_unknown", { field: "level" });
  return found;
}

/**
 * Makes a level that an order sold and this database lacks, as after a restore: without features or a role, and retired,
 * until an owner has looked.
 */
export const keepLevel = (ctx: Ctx, { id, name }: LevelName): Write =>
  insertSold(ctx.store, { id, name, at: ctx.now() });

const insertSold = preparedWrite((db) =>
  db
    .insert(levels)
    .values({
      id: sql.placeholder("id"),
      name: sql.placeholder("name"),
      place: sql`(SELECT coalesce(max(place), 0) + 1 FROM levels)`,
      fromOrder: true,
      createdAt: sql.placeholder("at"),
      retiredAt: sql.placeholder("at"),
    })
    .onConflictDoNothing(),
);
