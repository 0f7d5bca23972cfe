import type { Gateway } from "../gateway/gateway";
import { sessionBudget } from "../gateway/identify";
import { topLevel } from "../guild/channels";
import { sees } from "../guild/messages";
import { can } from "../guild/standing";
import { namesOf } from "../permissions";
import type { Channel, Member } from "../store/rows";
import { channelJson } from "../wire/channels";
import { messageJson } from "../wire/messages";
import { displayName, userOf } from "../wire/people";
import type { World } from "../world";
import { personOf, roleOf } from "./find";

/** The server as it stands: the judge of what a bot brought about. */
export function stateOf(world: World, gateway: Gateway) {
  const { store } = world;
  return {
    now: new Date(world.now()).toISOString(),
    guild: { id: world.known.guildId, name: store.setting("guild_name") },
    bot: {
      id: world.known.botId,
      in_server: store.members.has(world.known.botId),
      connections: gateway.connected(),
      sessions: gateway.sessions(),
      session_start_limit: sessionBudget(world),
      token_reset_at: store.setting("token_reset_at") ?? null,
    },
    roles: store.roles.all().map((role) => ({
      id: role.id,
      name: role.name,
      position: role.position,
      permissions: namesOf(BigInt(role.permissions)),
      managed: role.managed_by !== null,
    })),
    members: store.members.all().map((member) => memberOf(world, member)),
    channels: topLevel(world).map((channel) => channelJson(world, channel)),
    threads: store.channels
      .all()
      .filter(({ thread }) => thread)
      .map((one) => threadOf(world, one)),
    commands: store.commands.all().map(({ name, type, guild_id }) => ({ name, type, guild_id })),
    bans: store.bans.all(),
    audit: store.audit.all().slice(-200),
    tally: tallyOf(world),
  };
}

export function tallyOf({ tally }: World) {
  const { invalidTimes: _times, ...told } = tally;
  return told;
}

export function holders(world: World, role: string): string[] {
  const { id } = roleOf(world, role);
  return world.store.members
    .all()
    .filter(({ roles }) => roles.includes(id))
    .map((member) => member.id);
}

export function peopleOf(world: World) {
  return world.store.users.all().map(({ id, username, global_name, bot }) => {
    const member = world.store.members.get(id);
    return { id, username, global_name, bot, inside: member !== undefined, roles: rolesOf(world, member) };
  });
}

/** Everything that a person can read, channel by channel; `limit` messages of each, oldest first. */
export function visibleTo(world: World, named: string, limit: number) {
  const { id } = personOf(world, named);
  const channels = world.store.channels.all().filter((channel) => can(world, id, "VIEW_CHANNEL", channel));
  return channels.map((channel) => ({
    ...channelJson(world, channel, id),
    messages: readBy(world, id, channel, limit),
  }));
}

export function readBy(world: World, user: string, channel: Channel, limit: number): object[] {
  if (!can(world, user, "VIEW_CHANNEL", channel)) return [];
  const history = can(world, user, "READ_MESSAGE_HISTORY", channel);
  const all = world.store.messages.group(channel.id);
  const read = all.filter((one) => sees(one, user) && (history || one.visible_to === user));
  return read.slice(-limit).map((one) => messageJson(world, one));
}

function memberOf(world: World, member: Member) {
  const { username, bot } = userOf(world, member.id);
  return {
    id: member.id,
    username,
    name: displayName(world, member.id),
    bot,
    roles: rolesOf(world, member),
    role_ids: member.roles,
    joined_at: member.joined_at,
  };
}

function rolesOf(world: World, member: Member | undefined): string[] {
  return (member?.roles ?? []).map((id) => world.store.roles.get(id)?.name ?? id);
}

function threadOf(world: World, channel: Channel) {
  const inside = world.store.threadMembers.group(channel.id).map(({ user }) => user);
  const messages = world.store.messages.group(channel.id).length;
  return { ...channelJson(world, channel), members: inside, messages };
}
