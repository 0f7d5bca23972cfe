import { isInThread } from "../guild/standing";
import type { Channel, ThreadMember } from "../store/rows";
import { type World } from "../world";
import { userJson, userOf } from "./people";

/** Discord's channel object, whatever its kind; a thread tells of `viewer`'s own membership. */
export function channelJson(world: World, channel: Channel, viewer?: string) {
  if (channel.type === 1) return directJson(world, channel);
  if (channel.thread) return threadJson(world, channel, viewer);
  return {
    id: channel.id,
    type: channel.type,
    flags: 0,
    guild_id: world.known.guildId,
    name: channel.name,
    parent_id: channel.parent_id,
    position: channel.position,
    permission_overwrites: channel.overwrites,
    ...(channel.type === 0 && {
      topic: channel.topic,
      last_message_id: channel.last_message_id,
      rate_limit_per_user: channel.rate_limit_per_user,
      nsfw: channel.nsfw,
    }),
  };
}

function threadJson(world: World, channel: Channel, viewer?: string) {
  const { thread } = channel;
  if (!thread) throw new Error("not a thread");
  const { message_count, total_message_sent, invitable, ...metadata } = thread;
  const own = viewer ? world.store.threadMembers.get(`${channel.id}:${viewer}`) : undefined;
  return {
    id: channel.id,
    type: channel.type,
    flags: 0,
    guild_id: world.known.guildId,
    name: channel.name,
    parent_id: channel.parent_id,
    owner_id: channel.owner_id,
    last_message_id: channel.last_message_id,
    rate_limit_per_user: channel.rate_limit_per_user,
    message_count,
    total_message_sent,
    member_count: Math.min(50, world.store.threadMembers.group(channel.id).length),
    thread_metadata: { ...metadata, ...(channel.type === 12 && { invitable }) },
    ...(own && { member: threadMemberJson(own) }),
  };
}

function directJson(world: World, channel: Channel) {
  return {
    id: channel.id,
    type: 1,
    flags: 0,
    last_message_id: channel.last_message_id,
    recipients: [userJson(userOf(world, channel.recipient ?? ""))],
  };
}

export function threadMemberJson({ thread, user, joined_at }: ThreadMember) {
  return { id: thread, user_id: user, join_timestamp: joined_at, flags: 1 };
}

/** Threads that aren't archived and that a person can see. */
export function activeThreads(world: World, sees: (channel: Channel) => boolean): Channel[] {
  return world.store.channels.all().filter((one) => one.thread && !one.thread.archived && sees(one));
}

export function ownMemberships(world: World, threads: Channel[], user: string) {
  return threads
    .filter(({ id }) => isInThread(world, id, user))
    .flatMap(({ id }) => world.store.threadMembers.get(`${id}:${user}`) ?? [])
    .map(threadMemberJson);
}
