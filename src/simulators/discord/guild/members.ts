import { refusals } from "../errors";
import type { Member } from "../rows";
import { type World, isoNow } from "../world";
import { dispatchMember, dispatchMemberRemoved } from "./dispatch";
import { mustBeAllowed, ranksAboveRole } from "./permissions";
import { leaveThreads } from "./threads";

/** A known user outside the server is an unknown member; any other id is an unknown user. */
export function memberOf(world: World, user: string): Member {
  const member = world.store.members.get(user);
  if (member) return member;
  throw world.store.users.has(user) ? refusals.unknownMember() : refusals.unknownUser();
}

/** Does nothing if the user is already in the server. */
export function join(world: World, user: string, roles: string[] = []): Member {
  if (!world.store.users.has(user)) throw refusals.unknownUser();
  if (world.store.bans.has(user)) throw refusals.banned();
  const there = world.store.members.get(user);
  if (there) return there;
  const member = { id: user, nick: null, roles, joined_at: isoNow(world), timed_out_until: null };
  world.store.put("members", member);
  dispatchMember(world, "GUILD_MEMBER_ADD", member);
  return member;
}

/** Also removes their roles: a user who comes back starts with none. */
export function leave(world: World, user: string) {
  memberOf(world, user);
  leaveThreads(world, user);
  world.store.remove("members", user);
  dispatchMemberRemoved(world, user);
}

export function ban(world: World, user: string) {
  world.store.put("bans", { id: user });
  if (world.store.members.has(user)) leave(world, user);
}

export function giveRole(world: World, actor: string, user: string, role: string): Member {
  const member = memberOf(world, user);
  mustAssign(world, actor, role);
  return member.roles.includes(role) ? member : updateMember(world, user, { roles: [...member.roles, role] });
}

export function takeRole(world: World, actor: string, user: string, role: string): Member {
  const member = memberOf(world, user);
  mustAssign(world, actor, role);
  const roles = member.roles.filter((one) => one !== role);
  return roles.length < member.roles.length ? updateMember(world, user, { roles }) : member;
}

/** Changes a member without checking permissions, and sends the gateway event. */
export function updateMember(world: World, user: string, change: Partial<Member>): Member {
  const changed = world.store.put("members", { ...memberOf(world, user), ...change });
  dispatchMember(world, "GUILD_MEMBER_UPDATE", changed);
  return changed;
}

function mustAssign(world: World, actor: string, id: string) {
  const role = world.store.roles.get(id);
  if (!role) throw refusals.unknownRole();
  mustBeAllowed(world, actor, ["MANAGE_ROLES"]);
  if (id === world.known.guildId) throw refusals.invalidRole();
  if (role.managed_by !== null || !ranksAboveRole(world, actor, role)) throw refusals.missingPermissions();
}
