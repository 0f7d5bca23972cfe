import { refusals } from "../errors";
import type { Member } from "../store/rows";
import { type World, isoNow } from "../world";
import { note } from "./audit";
import { tellBan, tellMember, tellMemberGone } from "./happenings";
import { can, mustBeAllowed, ranksAboveMember, ranksAboveRole } from "./standing";
import { leaveThreads } from "./thread-members";

/** Who does something, and why, as the audit log keeps it. */
export type By = { actor: string; reason: string | null };

/** A known user outside the server is an unknown member; anybody else an unknown user. */
export function memberOf(world: World, user: string): Member {
  const member = world.store.members.get(user);
  if (member) return member;
  throw world.store.users.has(user) ? refusals.unknownMember() : refusals.unknownUser();
}

/** Comes in, or stays if there already. */
export function join(
  world: World,
  user: string,
  given: { roles?: string[]; nick?: string | null } = {},
): Member {
  if (!world.store.users.has(user)) throw refusals.unknownUser();
  if (world.store.bans.has(user)) throw refusals.banned();
  const there = world.store.members.get(user);
  if (there) return there;
  const member = world.store.put("members", {
    id: user,
    nick: given.nick ?? null,
    roles: given.roles ?? [],
    joined_at: isoNow(world),
    timed_out_until: null,
  });
  tellMember(world, "GUILD_MEMBER_ADD", member);
  return member;
}

/** Goes, and with them their roles: who comes back starts with none. */
export function leave(world: World, user: string) {
  memberOf(world, user);
  leaveThreads(world, user);
  world.store.remove("members", user);
  tellMemberGone(world, user);
}

export function kick(world: World, by: By, user: string) {
  memberOf(world, user);
  mustBeAllowed(world, by.actor, ["KICK_MEMBERS"]);
  if (!ranksAboveMember(world, by.actor, user)) throw refusals.missingPermissions();
  leave(world, user);
  note(world, { ...by, action: "MEMBER_KICK", target: user });
}

export function ban(world: World, by: By, user: string) {
  mustBeAllowed(world, by.actor, ["BAN_MEMBERS"]);
  if (!world.store.users.has(user)) throw refusals.unknownUser();
  if (!ranksAboveMember(world, by.actor, user)) throw refusals.missingPermissions();
  world.store.put("bans", { id: user, reason: by.reason });
  tellBan(world, "GUILD_BAN_ADD", user);
  if (world.store.members.has(user)) leave(world, user);
  note(world, { ...by, action: "MEMBER_BAN_ADD", target: user });
}

export function unban(world: World, by: By, user: string) {
  mustBeAllowed(world, by.actor, ["BAN_MEMBERS"]);
  if (!world.store.bans.has(user)) throw refusals.unknownBan();
  world.store.remove("bans", user);
  tellBan(world, "GUILD_BAN_REMOVE", user);
  note(world, { ...by, action: "MEMBER_BAN_REMOVE", target: user });
}

export function giveRole(world: World, by: By, user: string, role: string) {
  const member = roleChange(world, by.actor, user, role);
  if (!member.roles.includes(role)) setRoles(world, by, member, [...member.roles, role]);
}

export function takeRole(world: World, by: By, user: string, role: string) {
  const member = roleChange(world, by.actor, user, role);
  const rest = member.roles.filter((one) => one !== role);
  if (rest.length < member.roles.length) setRoles(world, by, member, rest);
}

/** Everything may be said at once, as in `PATCH /guilds/:id/members/:id`; nothing is done unless all may be. */
export type MemberChange = {
  roles?: string[] | null | undefined;
  nick?: string | null | undefined;
  communication_disabled_until?: string | null | undefined;
};

export function changeMember(world: World, by: By, user: string, change: MemberChange): Member {
  const member = memberOf(world, user);
  const roles = change.roles === undefined ? undefined : [...new Set(change.roles)];
  if (roles) {
    const differing = [...roles, ...member.roles].filter(
      (role) => roles.includes(role) !== member.roles.includes(role),
    );
    for (const role of differing) mustAssign(world, by.actor, role);
  }
  if (change.nick !== undefined) mayRename(world, by.actor, user);
  if (change.communication_disabled_until !== undefined) mayTimeOut(world, by.actor, user);
  if (roles) setRoles(world, by, member, roles);
  const { nick, communication_disabled_until: until } = change;
  if (nick === undefined && until === undefined) return memberOf(world, user);
  const changed = world.store.put("members", {
    ...memberOf(world, user),
    ...(nick !== undefined && { nick: nick || null }),
    ...(until !== undefined && { timed_out_until: until }),
  });
  tellMember(world, "GUILD_MEMBER_UPDATE", changed);
  note(world, { ...by, action: "MEMBER_UPDATE", target: user });
  return changed;
}

function roleChange(world: World, actor: string, user: string, role: string): Member {
  const member = memberOf(world, user);
  mustAssign(world, actor, role);
  return member;
}

function mustAssign(world: World, actor: string, id: string) {
  const role = world.store.roles.get(id);
  if (!role) throw refusals.unknownRole();
  mustBeAllowed(world, actor, ["MANAGE_ROLES"]);
  if (id === world.known.guildId) throw refusals.invalidRole();
  if (role.managed_by !== null || !ranksAboveRole(world, actor, role)) throw refusals.missingPermissions();
}

function mayRename(world: World, actor: string, user: string) {
  if (actor === user) return mustBeAllowed(world, actor, ["CHANGE_NICKNAME"]);
  mustBeAllowed(world, actor, ["MANAGE_NICKNAMES"]);
  if (!ranksAboveMember(world, actor, user)) throw refusals.missingPermissions();
}

function mayTimeOut(world: World, actor: string, user: string) {
  mustBeAllowed(world, actor, ["MODERATE_MEMBERS"]);
  const safe = can(world, user, "ADMINISTRATOR") || !ranksAboveMember(world, actor, user);
  if (safe) throw refusals.missingPermissions();
}

function setRoles(world: World, by: By, member: Member, roles: string[]) {
  const changed = world.store.put("members", { ...member, roles });
  tellMember(world, "GUILD_MEMBER_UPDATE", changed);
  const differing = [...roles, ...member.roles].filter(
    (role) => roles.includes(role) !== member.roles.includes(role),
  );
  for (const role of differing) note(world, { ...by, action: "MEMBER_ROLE_UPDATE", target: member.id, role });
}
