import { count, eq, sql } from "drizzle-orm";
import { isDeepStrictEqual } from "node:util";
import { maxFeatures, maxLevels } from "@/contract/vocabulary/bounds";
import { type RoleEffect, roleEffectText } from "@/contract/vocabulary/level-words";
import type { LevelEffect } from "@/contract/wire/desk/levels";
import type { By } from "@/core/base/actor";
import { Refusal } from "@/core/base/refusal";
import { record } from "@/core/database/audit";
import { commit, mustNotExist, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { queueRoleMove } from "../discord/level-roles";
import { levelRolesOf } from "../discord/roles";
import { ladderOf } from "../levels/list";
import { authorize, expectConfirmed } from "../permissions";
import { type LevelRow, levels } from "../schema/levels";
import { stillSelling } from "./change";
import { holdersOf } from "./levels-for-staff";

export type LevelTerms = Pick<LevelRow, "name" | "place" | "includesBefore" | "features" | "roleId">;

/** What it would do if a level gave this role. Refuses a role that customers can't have. */
export type JudgeRole = (roleId: string, level: string) => Promise<RoleEffect>;

/** `takesRole`: although members would lose the role that the level gets. */
type RoleChoice = { judge: JudgeRole; takesRole: boolean };

type NewLevel = Omit<LevelTerms, "place"> & RoleChoice & { id: string; place?: number | undefined };

/**
 * Adds a level, above all others unless it has a place. Refuses with `level_exists` an id that any level ever had, with
 * `levels_full`, and a role as {@link changeLevel} does.
 */
export async function addLevel(
  ctx: Ctx,
  { place = maxLevels, judge, takesRole, ...given }: NewLevel,
  by: By,
): Promise<void> {
  authorize(by, "level.add");
  expectConfirmed(ctx, by, "level.add");
  const before = await ladderOf(ctx);
  if (before.some(({ id }) => id === given.id)) throw new Refusal("level_exists");
  if (before.length >= maxLevels) throw new Refusal("levels_full");
  await expectRole({ judge, takesRole }, given, null);
  const made = {
    ...given,
    place,
    isFirst: false,
    fromOrder: false,
    createdAt: ctx.now(),
    retiredAt: null,
    version: 0,
  };
  const after = ordered([...before, made], made);
  await commit(ctx.store, [
    ...storeWrites(ctx, before, after),
    record(ctx, { ...by, action: "level.added", subject: given.id, detail: termsIn(after, given.id) }),
  ]);
}

/** `again`: a retired level can be sold again. */
type LevelChange = Partial<LevelTerms> & RoleChoice & { again?: boolean };

/**
 * Changes a level for everybody who has it. Refuses with `level_unknown`, with `role_held` a role that members would
 * lose, and as {@link JudgeRole}.
 */
export async function changeLevel(
  ctx: Ctx,
  id: string,
  { again, judge, takesRole, ...change }: LevelChange,
  by: By,
): Promise<void> {
  authorize(by, "level.change");
  const before = await ladderOf(ctx);
  const was = levelIn(before, id);
  expectConfirmed(ctx, by, "level.change");
  const is = { ...was, ...change, fromOrder: false, ...(again && { retiredAt: null }) };
  await expectRole({ judge, takesRole }, is, was.roleId);
  const changed = before.map((one) => (one.id === id ? is : one));
  const after = change.place === undefined ? changed : ordered(changed, is);
  await commit(ctx.store, [
    ...storeWrites(ctx, before, after),
    record(ctx, { ...by, action: "level.changed", subject: id, detail: changeIn(before, after, id) }),
  ]);
}

/**
 * Takes a level and its offers off sale; whoever has it keeps it. Refuses with `level_unknown`, and with `last_offer` if
 * nothing else is on sale.
 */
export async function retireLevel(ctx: Ctx, id: string, by: By): Promise<void> {
  authorize(by, "level.retire");
  const before = await ladderOf(ctx);
  const was = levelIn(before, id);
  if (was.retiredAt) throw new Refusal("level_unknown", { subject: true });
  expectConfirmed(ctx, by, "level.retire");
  const after = before.map((one) => (one.id === id ? { ...one, retiredAt: ctx.now() } : one));
  const sentence = "Nothing else is on sale. Put an offer of another level on sale before you retire it.";
  await commit(ctx.store, [
    ...storeWrites(ctx, before, after),
    stillSelling(ctx, { sentence }),
    record(ctx, { ...by, action: "level.retired", subject: id, detail: changeIn(before, after, id) }),
  ]);
}

/** Whom a change of a level would concern; of its role too, if it gets one. Refuses as {@link JudgeRole}. */
export async function previewLevel(
  ctx: Ctx,
  { id, roleId, judge }: { id: string; roleId?: string | null | undefined; judge: JudgeRole },
  by: By,
): Promise<LevelEffect> {
  authorize(by, "level.change");
  const was = (await ladderOf(ctx)).find((level) => level.id === id);
  const changes = roleId != null && roleId !== was?.roleId;
  return { ...(await holdersOf(ctx, id)), role: changes ? await judge(roleId, id) : null };
}

function levelIn(all: readonly LevelRow[], id: string): LevelRow {
  const found = all.find((level) => level.id === id);
  if (!found) throw new Refusal("level_unknown", { subject: true });
  return found;
}

/** The levels with one of them at the place that it asks for. */
function ordered(all: readonly LevelRow[], moved: LevelRow): LevelRow[] {
  const others = all.filter(({ id }) => id !== moved.id);
  return others.toSpliced(moved.place - 1, 0, moved).map((level, at) => ({ ...level, place: at + 1 }));
}

async function expectRole(
  { judge, takesRole }: RoleChoice,
  { id, roleId }: Pick<LevelRow, "id" | "roleId">,
  before: string | null,
): Promise<void> {
  if (roleId === null || roleId === before) return;
  const effect = await judge(roleId, id);
  if (takesRole || effect.losing === 0) return;
  const sentence = `${roleEffectText(effect)} Choose to take the role from them, or choose another role.`;
  throw new Refusal("role_held", { field: "role", sentence });
}

const termsIn = (all: readonly LevelRow[], wanted: string) => {
  const { name, place, includesBefore, features, roleId, retiredAt } = levelIn(all, wanted);
  return { name, place, includesBefore, features, roleId, retired: retiredAt !== null };
};

const changeIn = (before: readonly LevelRow[], after: readonly LevelRow[], id: string) => ({
  before: termsIn(before, id),
  after: termsIn(after, id),
});

/** Which level gives which role. */
const rolesIn = (all: readonly LevelRow[]) =>
  levelRolesOf(all, "that of the settings")
    .map(({ id, roleId }) => `${id} ${roleId}`)
    .toSorted();

/** The writes that store what differs, and move roles if that is one of them. Their commit fails with `conflict` if any level was changed meanwhile. */
function storeWrites(ctx: Ctx, before: readonly LevelRow[], after: readonly LevelRow[]): Write[] {
  if (new Set(after.flatMap(({ features }) => features)).size > maxFeatures) {
    const sentence = `A shop can have ${maxFeatures} different features, those of retired levels included.`;
    throw new Refusal("invalid_field", { field: "features", sentence });
  }
  const { db } = ctx.store;
  const versions = before.reduce((sum, { version }) => sum + version, 0);
  const known = sql`count(*) = ${before.length} AND coalesce(sum(${levels.version}), 0) = ${versions}`;
  return [
    mustNotExist(
      db
        .select({ many: count() })
        .from(levels)
        .having(sql`NOT (${known})`),
      "conflict",
    ),
    ...after.flatMap((level): Write[] => {
      const was = before.find(({ id }) => id === level.id);
      if (!was) return [db.insert(levels).values(level)];
      if (isDeepStrictEqual(was, level)) return [];
      const set = { ...level, version: was.version + 1 };
      return [db.update(levels).set(set).where(eq(levels.id, level.id))];
    }),
    ...(isDeepStrictEqual(rolesIn(before), rolesIn(after)) ? [] : [queueRoleMove(ctx)]),
  ];
}
