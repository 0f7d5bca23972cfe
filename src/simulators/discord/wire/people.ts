import type { APIGuild, APIGuildMember, APIRole, APIUser } from "discord.js";
import type { Member, Role, User } from "../rows";
import type { World } from "../world";
import { refusals } from "../errors";
import type { Wire } from "./types";

/** Discord's user object. */
export function userJson({ id, username, global_name, bot }: User): Wire<APIUser> {
  return {
    id,
    username,
    avatar: null,
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

/** Discord's guild member object. */
export function memberJson(world: World, member: Member): Wire<APIGuildMember> {
  return { ...memberWithoutUser(member), user: userJson(userOf(world, member.id)) };
}

/** The member object that accompanies a message's author. */
export function memberWithoutUser(member: Member): Omit<Wire<APIGuildMember>, "user"> {
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

export function roleJson({ managed_by, ...role }: Role): Wire<APIRole> {
  return {
    ...role,
    colors: { primary_color: role.color, secondary_color: null, tertiary_color: null },
    managed: managed_by !== null,
    icon: null,
    unicode_emoji: null,
    flags: 0,
    ...(managed_by !== null && { tags: { bot_id: managed_by } }),
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

/** Discord's guild object without its channels and members. */
export function guildJson(world: World): Wire<APIGuild> {
  const { guildId, ownerId } = world.known;
  return {
    id: guildId,
    name: world.store.setting("guild_name") ?? "",
    icon: null,
    description: null,
    splash: null,
    discovery_splash: null,
    features: ["COMMUNITY", "NEWS"],
    banner: null,
    owner_id: ownerId,
    application_id: null,
    afk_channel_id: null,
    afk_timeout: 300,
    system_channel_id: null,
    system_channel_flags: 0,
    verification_level: 1,
    roles: world.store.roles.all().map(roleJson),
    default_message_notifications: 1,
    mfa_level: 0,
    explicit_content_filter: 2,
    vanity_url_code: null,
    premium_tier: 0,
    preferred_locale: "en-US",
    rules_channel_id: null,
    safety_alerts_channel_id: null,
    public_updates_channel_id: null,
    premium_progress_bar_enabled: false,
    nsfw_level: 0,
    emojis: [],
    hub_type: null,
    incidents_data: null,
  };
}
