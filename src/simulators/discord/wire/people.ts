import type { Member, Role, User } from "../store/rows";
import type { World } from "../world";
import { refusals } from "../errors";

/** Discord's user object. */
export function userJson({ id, username, global_name, avatar, bot }: User) {
  return {
    id,
    username,
    avatar,
    discriminator: bot ? "0001" : "0",
    public_flags: 0,
    flags: 0,
    ...(bot && { bot }),
    banner: null,
    accent_color: null,
    global_name,
    avatar_decoration_data: null,
    collectibles: null,
    primary_guild: null,
  };
}

/** The guild member object; joined and left members alike need the user that the row belongs to. */
export function memberJson(world: World, member: Member) {
  return { ...memberWithoutUser(member), user: userJson(userOf(world, member.id)) };
}

/** As it stands beside a message's author. */
export function memberWithoutUser(member: Member) {
  return {
    avatar: null,
    banner: null,
    communication_disabled_until: member.timed_out_until,
    flags: 0,
    joined_at: member.joined_at,
    nick: member.nick,
    pending: false,
    premium_since: null,
    roles: member.roles,
    mute: false,
    deaf: false,
  };
}

export function roleJson(role: Role, everyone: string) {
  return {
    id: role.id,
    name: role.name,
    permissions: role.permissions,
    position: role.position,
    color: role.color,
    colors: { primary_color: role.color, secondary_color: null, tertiary_color: null },
    hoist: role.hoist,
    managed: role.managed_by !== null,
    mentionable: role.mentionable,
    icon: null,
    unicode_emoji: null,
    flags: 0,
    ...(role.managed_by !== null && role.id !== everyone && { tags: { bot_id: role.managed_by } }),
  };
}

export function userOf(world: World, id: string): User {
  const user = world.store.users.get(id);
  if (!user) throw refusals.unknownUser();
  return user;
}

export function displayName(world: World, id: string): string {
  const user = world.store.users.get(id);
  return world.store.members.get(id)?.nick ?? user?.global_name ?? user?.username ?? "Deleted User";
}
