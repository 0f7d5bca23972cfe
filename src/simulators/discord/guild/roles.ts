import type { Role } from "../rows";
import type { World } from "../world";
import { dispatchRole, dispatchRoleDeleted } from "./dispatch";

export const blankRole = {
  color: 0,
  hoist: false,
  mentionable: false,
  managed_by: null,
  permissions: "0",
} satisfies Partial<Role>;

/** A new role stands at the bottom, above @everyone alone. */
export function addRole(world: World, given: Pick<Role, "name"> & Partial<Role>): Role {
  const { roles } = world.store;
  for (const role of roles.all())
    if (role.position > 0) {
      world.store.put("roles", { ...role, position: role.position + 1 });
      dispatchRole(world, role.id);
    }
  const role = world.store.put("roles", { ...blankRole, id: world.ids.snowflake(), ...given, position: 1 });
  dispatchRole(world, role.id, "CREATE");
  return role;
}

export function changeRole(world: World, role: Role, change: Partial<Role>): Role {
  const changed = world.store.put("roles", { ...role, ...change });
  dispatchRole(world, role.id);
  return changed;
}

/** Members lose a deleted role without an event of their own. */
export function deleteRole(world: World, { id }: Role) {
  for (const member of world.store.members.all())
    if (member.roles.includes(id))
      world.store.put("members", { ...member, roles: member.roles.filter((one) => one !== id) });
  world.store.remove("roles", id);
  dispatchRoleDeleted(world, id);
}
