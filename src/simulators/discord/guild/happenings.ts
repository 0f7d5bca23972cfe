import { intent } from "../gateway/intents";
import type { Channel, Member, Message } from "../store/rows";
import { channelJson } from "../wire/channels";
import { messageEvent } from "../wire/messages";
import { memberJson, roleJson, userJson, userOf } from "../wire/people";
import type { World } from "../world";

/** What the gateway tells of each change; one sentence each. */

export function tellMember(world: World, name: "GUILD_MEMBER_ADD" | "GUILD_MEMBER_UPDATE", member: Member) {
  const own = member.id === world.known.botId;
  const data = { ...memberJson(world, member), guild_id: world.known.guildId };
  world.tell({ name, data, intents: own ? 0 : intent.GUILD_MEMBERS });
}

export function tellMemberGone(world: World, user: string) {
  const data = { guild_id: world.known.guildId, user: userJson(userOf(world, user)) };
  world.tell({ name: "GUILD_MEMBER_REMOVE", data, intents: intent.GUILD_MEMBERS });
}

export function tellBan(world: World, name: "GUILD_BAN_ADD" | "GUILD_BAN_REMOVE", user: string) {
  const data = { guild_id: world.known.guildId, user: userJson(userOf(world, user)) };
  world.tell({ name, data, intents: intent.GUILD_MODERATION });
}

export function tellRole(world: World, name: "GUILD_ROLE_CREATE" | "GUILD_ROLE_UPDATE", id: string) {
  const role = world.store.roles.get(id);
  if (!role) return;
  const data = { guild_id: world.known.guildId, role: roleJson(role, world.known.guildId) };
  world.tell({ name, data, intents: intent.GUILDS });
}

export function tellRoleGone(world: World, id: string) {
  const data = { guild_id: world.known.guildId, role_id: id };
  world.tell({ name: "GUILD_ROLE_DELETE", data, intents: intent.GUILDS });
}

export function tellChannel(world: World, name: "CREATE" | "UPDATE", channel: Channel, extra: object = {}) {
  const data = { ...channelJson(world, channel, world.known.botId), ...extra };
  const kind = channel.thread ? "THREAD" : "CHANNEL";
  world.tell({ name: `${kind}_${name}`, data, intents: intent.GUILDS, channel: channel.id });
}

/** Told before the channel is taken away, while one can still say who saw it. */
export function tellChannelGone(world: World, channel: Channel) {
  const data = channel.thread
    ? { id: channel.id, guild_id: world.known.guildId, parent_id: channel.parent_id, type: channel.type }
    : channelJson(world, channel);
  const kind = channel.thread ? "THREAD" : "CHANNEL";
  world.tell({ name: `${kind}_DELETE`, data, intents: intent.GUILDS, channel: channel.id });
}

export function tellMessage(world: World, name: "MESSAGE_CREATE" | "MESSAGE_UPDATE", message: Message) {
  if (message.visible_to !== null) return;
  const data = messageEvent(world, message);
  world.tell({ name, data, intents: messageIntent(world, message.channel_id), channel: message.channel_id });
}

export function tellMessageGone(world: World, { id, channel_id, visible_to }: Message) {
  if (visible_to !== null) return;
  const direct = world.store.channels.get(channel_id)?.type === 1;
  const data = { id, channel_id, ...(!direct && { guild_id: world.known.guildId }) };
  world.tell({
    name: "MESSAGE_DELETE",
    data,
    intents: messageIntent(world, channel_id),
    channel: channel_id,
  });
}

function messageIntent(world: World, channel: string): number {
  return world.store.channels.get(channel)?.type === 1 ? intent.DIRECT_MESSAGES : intent.GUILD_MESSAGES;
}
