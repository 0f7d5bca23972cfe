import { refusals } from "../errors";
import { permission } from "../permissions";
import type { Role } from "../store/rows";
import type { World } from "../world";
import { note } from "./audit";
import { tellMember, tellRole, tellRoleGone } from "./happenings";
import type { By } from "./members";
import { mustBeAllowed, permissionsOf, ranksAboveRole } from "./standing";

export type RoleChange = {
  name?: string | null | undefined;
  permissions?: string | null | undefined;
  color?: number | null | undefined;
  hoist?: boolean | null | undefined;
  mentionable?: boolean | null | undefined;
};

export function createRole(world: World, by: By, change: RoleChange): Role {
  mustBeAllowed(world, by.actor, ["MANAGE_ROLES"]);
  mustHold(world, by.actor, change.permissions);
  shift(world, 1);
  const everyone = world.store.roles.get(world.known.guildId);
  const blank: Role = {
    id: world.ids.snowflake(),
    name: "new role",
    color: 0,
    hoist: false,
    mentionable: false,
    managed_by: null,
    position: 1,
    permissions: everyone?.permissions ?? "0",
  };
  const role = world.store.put("roles", { ...blank, ...given(change) });
  tellRole(world, "GUILD_ROLE_CREATE", role.id);
  note(world, { ...by, action: "ROLE_CREATE", target: role.id });
  return role;
}

export function changeRole(world: World, by: By, id: string, change: RoleChange): Role {
  const role = roleToManage(world, by.actor, id);
  mustHold(world, by.actor, change.permissions);
  const changed = world.store.put("roles", { ...role, ...given(change) });
  tellRole(world, "GUILD_ROLE_UPDATE", id);
  note(world, { ...by, action: "ROLE_UPDATE", target: id });
  return changed;
}

export function deleteRole(world: World, by: By, id: string) {
  const role = roleToManage(world, by.actor, id);
  if (role.managed_by !== null || id === world.known.guildId) throw refusals.invalidRole();
  world.store.remove("roles", id);
  tellRoleGone(world, id);
  for (const member of world.store.members.all().filter(({ roles }) => roles.includes(id))) {
    const roles = member.roles.filter((one) => one !== id);
    tellMember(world, "GUILD_MEMBER_UPDATE", world.store.put("members", { ...member, roles }));
  }
  note(world, { ...by, action: "ROLE_DELETE", target: id });
}

/** Moves roles; only those below one's own highest may go anywhere, and only to below it. */
export function moveRoles(
  world: World,
  by: By,
  moves: { id: string; position?: number | null | undefined }[],
) {
  for (const { id } of moves) roleToManage(world, by.actor, id);
  for (const { id, position } of moves) placeRole(world, id, position ?? 1);
}

/** Puts a role at a position and closes the ranks around it, whoever asks. */
export function placeRole(world: World, id: string, position: number) {
  const all = world.store.roles.all().filter((role) => role.id !== world.known.guildId);
  const others = all.filter((role) => role.id !== id).toSorted((a, b) => a.position - b.position);
  const moved = world.store.roles.get(id);
  if (!moved) throw refusals.unknownRole();
  others.splice(Math.max(0, position - 1), 0, moved);
  for (const [index, role] of others.entries()) {
    if (role.position === index + 1) continue;
    world.store.put("roles", { ...role, position: index + 1 });
    tellRole(world, "GUILD_ROLE_UPDATE", role.id);
  }
}

function shift(world: World, from: number) {
  for (const role of world.store.roles.all())
    if (role.position >= from) world.store.put("roles", { ...role, position: role.position + 1 });
}

function roleToManage(world: World, actor: string, id: string): Role {
  const role = world.store.roles.get(id);
  if (!role) throw refusals.unknownRole();
  mustBeAllowed(world, actor, ["MANAGE_ROLES"]);
  if (!ranksAboveRole(world, actor, role)) throw refusals.missingPermissions();
  return role;
}

/** Nobody can give a role what they haven't got. */
function mustHold(world: World, actor: string, permissions: string | null | undefined) {
  if (!permissions) return;
  const held = permissionsOf(world, actor);
  const missing = BigInt(permissions) & ~held;
  if (missing !== 0n && (held & permission.ADMINISTRATOR) === 0n) throw refusals.missingPermissions();
}

function given(change: RoleChange): Partial<Role> {
  return {
    ...(change.name != null && { name: change.name }),
    ...(change.permissions != null && { permissions: change.permissions }),
    ...(change.color != null && { color: change.color }),
    ...(change.hoist != null && { hoist: change.hoist }),
    ...(change.mentionable != null && { mentionable: change.mentionable }),
  };
}
