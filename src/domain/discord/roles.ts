import type { LevelName } from "../levels/ladder";
import type { LevelRow } from "../schema/levels";

/*
 * Which roles of levels a Discord user should have. Nothing here reads or writes.
 */

/** A level with the role that it gives; several levels may share one. */
export type LevelRole = LevelName & { roleId: string };

/** Whether a level gives a role: the first gives that of the settings unless it has its own. */
export const givesRole = ({ roleId, isFirst }: Pick<LevelRow, "roleId" | "isFirst">): boolean =>
  roleId !== null || isFirst;

/** The levels that give a role, in their order. */
export const levelRolesOf = (
  levels: readonly Pick<LevelRow, "id" | "name" | "roleId" | "isFirst">[],
  firstRoleId: string,
): LevelRole[] =>
  levels.filter(givesRole).map(({ id, name, roleId }) => ({ id, name, roleId: roleId ?? firstRoleId }));

/** The facts that decide about the roles of a member of the server. */
export type RoleFacts = {
  /** The levels of which the linked account has an active licence; none without a link. */
  levels: readonly string[];
  /** Every role that the member has, whoever gave it. */
  held: readonly string[];
  /** The roles that the shop gave them. */
  given: readonly string[];
};

export type RoleAction = "grant" | "take";

/** `levels`: those that give the role, or of which the account has it; none if no level gives it any more. */
export type RoleChange = { action: RoleAction; roleId: string; levels: LevelRole[] };

/** What a reconciliation has to do about each role that a level gives, and about those that one gave; nothing if all are right. */
export function roleChanges(roles: readonly LevelRole[], { levels, held, given }: RoleFacts): RoleChange[] {
  const byRole = Map.groupBy(roles, ({ roleId }) => roleId);
  const current = [...byRole].flatMap(([roleId, giving]): RoleChange[] => {
    const entitling = giving.filter(({ id }) => levels.includes(id));
    const isWanted = entitling.length > 0;
    if (isWanted === held.includes(roleId)) return [];
    return [
      isWanted ? { action: "grant", roleId, levels: entitling } : { action: "take", roleId, levels: giving },
    ];
  });
  const former = given.filter((roleId) => held.includes(roleId) && !byRole.has(roleId));
  return [...current, ...former.map((roleId): RoleChange => ({ action: "take", roleId, levels: [] }))];
}

/** Roles that a member has and should have, and that aren't recorded as the shop's: as after a restore. */
export const unrecordedRoles = (roles: readonly LevelRole[], { levels, held, given }: RoleFacts): string[] =>
  roles
    .filter(({ id, roleId }) => levels.includes(id) && held.includes(roleId) && !given.includes(roleId))
    .map(({ roleId }) => roleId);

/**
 * The levels whose role a member has: those of the account, or, of a role that the member shouldn't have, all that give
 * it.
 */
export function levelsShown(
  roles: readonly LevelRole[],
  { levels, held }: Pick<RoleFacts, "levels" | "held">,
): string[] {
  const wanted = new Set(roles.filter(({ id }) => levels.includes(id)).map(({ roleId }) => roleId));
  return roles
    .filter(({ id, roleId }) => held.includes(roleId) && (levels.includes(id) || !wanted.has(roleId)))
    .map(({ id }) => id);
}
