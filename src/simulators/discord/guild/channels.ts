import { refusals } from "../errors";
import { permission } from "../permissions";
import type { Channel, Overwrite } from "../store/rows";
import type { World } from "../world";
import { note } from "./audit";
import { tellChannel, tellChannelGone } from "./happenings";
import type { By } from "./members";
import { can, mustBeAllowed, permissionsOf } from "./standing";

export type ChannelChange = {
  name?: string | undefined;
  topic?: string | null | undefined;
  position?: number | null | undefined;
  parent_id?: string | null | undefined;
  nsfw?: boolean | null | undefined;
  rate_limit_per_user?: number | null | undefined;
  permission_overwrites?: Overwrite[] | null | undefined;
};

/** A channel that `user` may know of: hidden ones are refused as Discord refuses them. */
export function channelFor(world: World, user: string, id: string): Channel {
  const channel = world.store.channels.get(id);
  if (!channel) throw refusals.unknownChannel();
  if (!can(world, user, "VIEW_CHANNEL", channel)) throw refusals.missingAccess();
  return channel;
}

export function createChannel(world: World, by: By, type: number, change: ChannelChange): Channel {
  mustBeAllowed(world, by.actor, ["MANAGE_CHANNELS"]);
  mustHold(world, by.actor, change.permission_overwrites);
  const last = Math.max(-1, ...topLevel(world).map(({ position }) => position));
  const channel = world.store.put("channels", {
    ...blankChannel(world.ids.snowflake(), type),
    position: last + 1,
    ...given(change),
  });
  tellChannel(world, "CREATE", channel);
  note(world, { ...by, action: "CHANNEL_CREATE", target: channel.id });
  return channel;
}

export function changeChannel(world: World, by: By, channel: Channel, change: ChannelChange): Channel {
  mustBeAllowed(world, by.actor, ["MANAGE_CHANNELS"], channel);
  if (change.permission_overwrites) mustBeAllowed(world, by.actor, ["MANAGE_ROLES"], channel);
  mustHold(world, by.actor, change.permission_overwrites, channel);
  const changed = world.store.put("channels", { ...channel, ...given(change) });
  tellChannel(world, "UPDATE", changed);
  note(world, { ...by, action: "CHANNEL_UPDATE", target: channel.id });
  return changed;
}

/** Sets what a role or a member may in a channel, or with `null` forgets it. */
export function setOverwrite(
  world: World,
  by: By,
  channel: Channel,
  { id, overwrite }: { id: string; overwrite: Overwrite | null },
) {
  mustBeAllowed(world, by.actor, ["MANAGE_ROLES"], channel);
  mustHold(world, by.actor, overwrite ? [overwrite] : [], channel);
  const rest = channel.overwrites.filter((one) => one.id !== id);
  const changed = world.store.put("channels", {
    ...channel,
    overwrites: overwrite ? [...rest, overwrite] : rest,
  });
  tellChannel(world, "UPDATE", changed);
  note(world, { ...by, action: "CHANNEL_OVERWRITE_UPDATE", target: channel.id, role: id });
}

export function deleteChannel(world: World, by: By, channel: Channel) {
  mustBeAllowed(world, by.actor, [channel.thread ? "MANAGE_THREADS" : "MANAGE_CHANNELS"], channel);
  for (const one of world.store.channels.group(channel.id).filter(({ thread }) => thread))
    takeAway(world, one);
  takeAway(world, channel);
  note(world, { ...by, action: channel.thread ? "THREAD_DELETE" : "CHANNEL_DELETE", target: channel.id });
}

export function blankChannel(id: string, type: number): Channel {
  return {
    id,
    type,
    name: "",
    topic: null,
    parent_id: null,
    position: 0,
    overwrites: [],
    nsfw: false,
    rate_limit_per_user: 0,
    last_message_id: null,
    owner_id: null,
    thread: null,
    recipient: null,
  };
}

/** Every channel of the server that is neither a thread nor a direct message. */
export function topLevel(world: World): Channel[] {
  const channels = world.store.channels.all().filter(({ type, thread }) => type !== 1 && !thread);
  return channels.toSorted((a, b) => a.position - b.position);
}

/** The direct messages between the bot and `user`. */
export function directChannel(world: World, user: string): Channel {
  const known = world.store.channels.all().find(({ type, recipient }) => type === 1 && recipient === user);
  if (known) return known;
  const channel = { ...blankChannel(world.ids.snowflake(), 1), recipient: user };
  return world.store.put("channels", channel);
}

function takeAway(world: World, channel: Channel) {
  tellChannelGone(world, channel);
  for (const { id } of world.store.messages.group(channel.id)) world.store.remove("messages", id);
  for (const { id } of world.store.threadMembers.group(channel.id)) world.store.remove("threadMembers", id);
  world.store.remove("channels", channel.id);
}

/** A bot can't give or deny in a channel what it hasn't got. */
function mustHold(
  world: World,
  actor: string,
  overwrites: Overwrite[] | null | undefined,
  channel?: Channel,
) {
  const held = permissionsOf(world, actor, channel);
  if ((held & permission.ADMINISTRATOR) !== 0n) return;
  for (const { allow, deny } of overwrites ?? [])
    if (((BigInt(allow) | BigInt(deny)) & ~held) !== 0n) throw refusals.missingPermissions();
}

function given(change: ChannelChange): Partial<Channel> {
  return {
    ...(change.name !== undefined && { name: change.name }),
    ...(change.topic !== undefined && { topic: change.topic }),
    ...(change.position != null && { position: change.position }),
    ...(change.parent_id !== undefined && { parent_id: change.parent_id }),
    ...(change.nsfw != null && { nsfw: change.nsfw }),
    ...(change.rate_limit_per_user != null && { rate_limit_per_user: change.rate_limit_per_user }),
    ...(change.permission_overwrites != null && { overwrites: change.permission_overwrites }),
  };
}
