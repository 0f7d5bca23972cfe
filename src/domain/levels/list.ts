import { asc, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { Refusal } from "@/core/base/refusal";
import type { Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { preparedRead, preparedWrite } from "@/core/database/prepared";
import { type LevelRow, levels } from "../schema/levels";
import type { Ladder, LevelName } from "./ladder";

/** The shop's levels in their order, the lowest first, retired ones included. */
export const ladderOf = ({ store }: Pick<Ctx, "store">): Promise<LevelRow[]> => readLadder(store).all();

const readLadder = preparedRead((db) =>
  db.select().from(levels).orderBy(asc(levels.place), asc(levels.createdAt), asc(levels.id)).prepare(),
);

/** {@link ladderOf} as a part of another query, as far as it says what contains what. */
export const ladderIn = (): SQL<Ladder> => {
  const { id, name, place, includesBefore, features, createdAt } = levels;
  const includes = sql`json(iif(${includesBefore}, 'true', 'false'))`;
  const one = sql`json_object('id', ${id}, 'name', ${name}, 'includesBefore', ${includes}, 'features', json(${features}))`;
  const inOrder = sql`SELECT ${one} AS one FROM ${levels} ORDER BY ${place}, ${createdAt}, ${id}`;
  return sql`(SELECT json_group_array(json(one)) FROM (${inOrder}))`.mapWith(
    (text: string) => JSON.parse(text) as Ladder,
  );
};

/** The present name of the level whose id a column of the surrounding query holds; the id if the shop lacks it. */
export const levelNameIn = (id: SQLWrapper) =>
  sql<string>`coalesce((SELECT l.name FROM levels l WHERE l.id = ${id}), ${id})`;

/** The same of one id. */
export const levelNameOf = async (ctx: Ctx, id: string): Promise<string> =>
  (await ladderOf(ctx)).find((one) => one.id === id)?.name ?? id;

/**
 * A level that licences can be made of: the named one, or {@link usualLevel}. Refuses with
 * `level_unknown` one that the shop doesn't have, or has retired.
 */
export async function levelToGive(ctx: Ctx, id: string | undefined): Promise<LevelName> {
  const given = (await ladderOf(ctx)).filter(({ retiredAt }) => retiredAt === null);
  const found = id === undefined ? usualLevel(given) : given.find((one) => one.id === id);
  if (!found) throw new Refusal("level_unknown", { field: "level" });
  return found;
}

/** Of levels that can be given, the one that is meant where none is named: the brand's, or the lowest without it. */
export const usualLevel = (given: readonly LevelRow[]): LevelRow | undefined =>
  given.find(({ isFirst }) => isFirst) ?? given[0];

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
      includesBefore: false,
      fromOrder: true,
      createdAt: sql.placeholder("at"),
      retiredAt: sql.placeholder("at"),
    })
    .onConflictDoNothing(),
);
