import { refusals } from "../errors";
import type { Channel, Overwrite } from "../rows";
import type { World } from "../world";
import { dispatchChannel, dispatchChannelDeleted } from "./dispatch";
import { can, mustBeAllowed } from "./permissions";

/** A channel that `user` may see; refuses a hidden channel like Discord. */
export function channelFor(world: World, user: string, id: string): Channel {
  const channel = world.store.channels.get(id);
  if (!channel) throw refusals.unknownChannel();
  if (!can(world, user, "VIEW_CHANNEL", channel)) throw refusals.missingAccess();
  return channel;
}

export function createChannel(world: World, name: string, more: Partial<Channel> = {}): Channel {
  const position = topLevel(world).length;
  const channel = { ...blankChannel(world.ids.snowflake()), name, position, ...more };
  world.store.put("channels", channel);
  dispatchChannel(world, "CREATE", channel);
  return channel;
}

/** Replaces the permissions of a role or a member in a channel. */
export function setOverwrite(world: World, channel: Channel, overwrite: Overwrite): Channel {
  const rest = channel.overwrites.filter(({ id }) => id !== overwrite.id);
  const changed = world.store.put("channels", { ...channel, overwrites: [...rest, overwrite] });
  dispatchChannel(world, "UPDATE", changed);
  return changed;
}

export function deleteChannel(world: World, actor: string, channel: Channel) {
  mustBeAllowed(world, actor, [channel.thread ? "MANAGE_THREADS" : "MANAGE_CHANNELS"], channel);
  for (const thread of world.store.channels.group(channel.id)) removeChannel(world, thread);
  removeChannel(world, channel);
}

export function blankChannel(id: string): Channel {
  return {
    id,
    type: 0,
    name: "",
    topic: null,
    parent_id: null,
    position: 0,
    overwrites: [],
    last_message_id: null,
    owner_id: null,
    thread: null,
  };
}

/** Every channel of the server that is not a thread. */
export function topLevel(world: World): Channel[] {
  const channels = world.store.channels.all().filter(({ thread }) => !thread);
  return channels.toSorted((a, b) => a.position - b.position);
}

function removeChannel(world: World, channel: Channel) {
  dispatchChannelDeleted(world, channel);
  for (const { id } of world.store.messages.group(channel.id)) world.store.remove("messages", id);
  for (const { id } of world.store.threadMembers.group(channel.id)) world.store.remove("threadMembers", id);
  world.store.remove("channels", channel.id);
}
