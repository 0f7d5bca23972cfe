import { intent } from "../gateway/protocol";
import type { Channel, Member, Message } from "../rows";
import { channelJson } from "../wire/channels";
import { messageEvent } from "../wire/messages";
import { memberJson, roleJson, userJson, userOf } from "../wire/people";
import type { World } from "../world";

/** Dispatches the gateway event for a member's change. */

export function dispatchMember(
  world: World,
  name: "GUILD_MEMBER_ADD" | "GUILD_MEMBER_UPDATE",
  member: Member,
) {
  const own = member.id === world.known.botId;
  const data = { ...memberJson(world, member), guild_id: world.known.guildId };
  world.dispatch({ name, data, intents: own ? 0 : intent.GUILD_MEMBERS });
}

export function dispatchMemberRemoved(world: World, user: string) {
  const data = { guild_id: world.known.guildId, user: userJson(userOf(world, user)) };
  world.dispatch({ name: "GUILD_MEMBER_REMOVE", data, intents: intent.GUILD_MEMBERS });
}

export function dispatchRole(world: World, id: string, what: "CREATE" | "UPDATE" = "UPDATE") {
  const role = world.store.roles.get(id);
  if (!role) return;
  const data = { guild_id: world.known.guildId, role: roleJson(role) };
  world.dispatch({ name: `GUILD_ROLE_${what}`, data, intents: intent.GUILDS });
}

export function dispatchRoleDeleted(world: World, role_id: string) {
  const data = { guild_id: world.known.guildId, role_id };
  world.dispatch({ name: "GUILD_ROLE_DELETE", data, intents: intent.GUILDS });
}

export function dispatchChannel(world: World, name: "CREATE" | "UPDATE", channel: Channel) {
  const data = channelJson(world, channel, world.known.botId);
  world.dispatch({ name: `${kindOf(channel)}_${name}`, data, intents: intent.GUILDS, channel: channel.id });
}

/** Call before removing the channel, which decides who gets the event. */
export function dispatchChannelDeleted(world: World, channel: Channel) {
  const data = channel.thread
    ? { id: channel.id, guild_id: world.known.guildId, parent_id: channel.parent_id, type: channel.type }
    : channelJson(world, channel);
  world.dispatch({ name: `${kindOf(channel)}_DELETE`, data, intents: intent.GUILDS, channel: channel.id });
}

export function dispatchMessage(world: World, name: "MESSAGE_CREATE" | "MESSAGE_UPDATE", message: Message) {
  if (message.visible_to !== null) return;
  const data = messageEvent(world, message);
  world.dispatch({ name, data, intents: intent.GUILD_MESSAGES, channel: message.channel_id });
}

export function dispatchMessageDeleted(world: World, { id, channel_id, visible_to }: Message) {
  if (visible_to !== null) return;
  const data = { id, channel_id, guild_id: world.known.guildId };
  world.dispatch({ name: "MESSAGE_DELETE", data, intents: intent.GUILD_MESSAGES, channel: channel_id });
}

const kindOf = ({ thread }: Channel) => (thread ? "THREAD" : "CHANNEL");
