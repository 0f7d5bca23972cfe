import type { Channel, ThreadMember } from "../rows";
import { type World } from "../world";

/** Discord's channel object; a thread shows `viewer`'s own membership. */
export function channelJson(world: World, channel: Channel, viewer?: string) {
  const { id, type, name, parent_id, last_message_id, thread } = channel;
  const always = { flags: 0, guild_id: world.known.guildId, rate_limit_per_user: 0 };
  const base = { ...always, id, type, name, parent_id, last_message_id };
  if (!thread) {
    const { position, topic, overwrites } = channel;
    return { ...base, position, topic, nsfw: false, permission_overwrites: overwrites };
  }
  const { message_count, total_message_sent, ...thread_metadata } = thread;
  const own = viewer ? world.store.threadMembers.get(`${id}:${viewer}`) : undefined;
  return {
    ...base,
    owner_id: channel.owner_id,
    message_count,
    total_message_sent,
    member_count: Math.min(50, world.store.threadMembers.group(id).length),
    thread_metadata,
    ...(own && { member: threadMemberJson(own) }),
  };
}

export function threadMemberJson({ thread, user, joined_at }: ThreadMember) {
  return { id: thread, user_id: user, join_timestamp: joined_at, flags: 1 };
}

/** Threads that are not archived and that somebody can see. */
export function activeThreads(world: World, sees: (channel: Channel) => boolean): Channel[] {
  return world.store.channels.all().filter((one) => one.thread && !one.thread.archived && sees(one));
}
