import type { APIPrivateThreadChannel, APITextChannel, APIThreadMember } from "discord.js";
import { can } from "../guild/permissions";
import type { Channel, Thread, ThreadMember } from "../rows";
import type { World } from "../world";
import type { Wire } from "./types";

/** Discord's channel object; for a thread, includes `viewer`'s own membership. */
export const channelJson = (world: World, channel: Channel, viewer?: string) =>
  channel.thread ? threadJson(world, channel, channel.thread, viewer) : textChannelJson(world, channel);

const base = { flags: 0, rate_limit_per_user: 0 };

export function textChannelJson(world: World, channel: Channel): Wire<APITextChannel> {
  const { id, name, parent_id, last_message_id, position, topic, overwrites } = channel;
  const { guildId: guild_id } = world.known;
  const own = { id, guild_id, name, parent_id, last_message_id, position, topic };
  return { ...base, ...own, type: 0, nsfw: false, permission_overwrites: overwrites };
}

function threadJson(
  world: World,
  { id, name, last_message_id, owner_id, parent_id }: Channel,
  { message_count, total_message_sent, ...thread_metadata }: Thread,
  viewer?: string,
): Wire<APIPrivateThreadChannel> {
  const own = viewer ? world.store.threadMembers.get(`${id}:${viewer}`) : undefined;
  return {
    ...base,
    id,
    guild_id: world.known.guildId,
    type: 12,
    name,
    parent_id: parent_id ?? "",
    owner_id: owner_id ?? "",
    last_message_id,
    message_count,
    total_message_sent,
    member_count: Math.min(50, world.store.threadMembers.group(id).length),
    thread_metadata,
    ...(own && { member: threadMemberJson(own) }),
  };
}

export const threadMemberJson = ({ thread, user, joined_at }: ThreadMember): Wire<APIThreadMember> => ({
  id: thread,
  user_id: user,
  join_timestamp: joined_at,
  flags: 1,
});

/** Unarchived threads that `viewer` can see. */
export const activeThreads = (world: World, viewer: string) =>
  world.store.channels.all().flatMap((channel) => {
    const { thread } = channel;
    const shown = thread && !thread.archived && can(world, viewer, "VIEW_CHANNEL", channel);
    return shown ? [threadJson(world, channel, thread, viewer)] : [];
  });
