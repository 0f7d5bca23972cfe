import { invalidForm, refusals } from "../errors";
import type { Channel } from "../rows";
import { type World, isoNow } from "../world";
import { blankChannel } from "./channels";
import { dispatchChannel } from "./dispatch";
import { can, isInThread, mustBeAllowed } from "./permissions";

export type NewThread = {
  name: string;
  auto_archive_duration?: number | null | undefined;
  invitable?: boolean | null | undefined;
};

/** Discord publishes no list of the words that it refuses in names; these stand for them. */
const refusedInNames = /1488|nazi/i;

export function openThread(world: World, actor: string, parent: Channel, wanted: NewThread): Channel {
  if (parent.thread) throw refusals.wrongChannelType();
  mustBeAllowed(world, actor, ["CREATE_PRIVATE_THREADS"], parent);
  if (refusedInNames.test(wanted.name)) {
    const message = "Contains words not allowed for servers in Server Discovery.";
    throw invalidForm(["name"], message, "INVALID_COMMUNITY_PROPERTY_NAME");
  }
  mustHaveRoom(world);
  const now = isoNow(world);
  const thread = world.store.put("channels", {
    ...blankChannel(world.ids.snowflake()),
    type: 12,
    name: wanted.name,
    parent_id: parent.id,
    owner_id: actor,
    thread: {
      archived: false,
      auto_archive_duration: wanted.auto_archive_duration ?? 4320,
      archive_timestamp: now,
      locked: false,
      invitable: wanted.invitable ?? true,
      create_timestamp: now,
      message_count: 0,
      total_message_sent: 0,
    },
  });
  addToThread(world, thread, actor);
  return thread;
}

export type ThreadChange = {
  archived?: boolean | undefined;
  locked?: boolean | undefined;
  auto_archive_duration?: number | undefined;
};

/** An archived thread accepts no change except unarchiving; only moderators unarchive a locked thread. */
export function changeThread(world: World, actor: string, channel: Channel, change: ThreadChange): Channel {
  const { thread } = channel;
  if (!thread) throw refusals.wrongChannelType();
  const moderates = can(world, actor, "MANAGE_THREADS", channel);
  const opens = change.archived === false;
  if (thread.archived && !opens) throw refusals.threadArchived();
  if (thread.locked && opens && !moderates) throw refusals.threadLocked();
  if (thread.archived && opens) mustHaveRoom(world);
  const owns = channel.owner_id === actor && change.locked === undefined;
  if (!moderates && !owns) throw refusals.missingPermissions();
  const { archived = thread.archived, locked = thread.locked } = change;
  const { auto_archive_duration = thread.auto_archive_duration } = change;
  const archive_timestamp = archived === thread.archived ? thread.archive_timestamp : isoNow(world);
  const changed = world.store.put("channels", {
    ...channel,
    thread: { ...thread, archived, locked, auto_archive_duration, archive_timestamp },
  });
  dispatchChannel(world, "UPDATE", changed);
  return changed;
}

/** Members may add others to an invitable thread, moderators to any thread. */
export function mustInvite(world: World, actor: string, channel: Channel) {
  if (!channel.thread) throw refusals.wrongChannelType();
  if (channel.thread.archived) throw refusals.threadArchived();
  mustBeAllowed(world, actor, ["SEND_MESSAGES_IN_THREADS"], channel);
  const closed = !channel.thread.invitable && channel.owner_id !== actor;
  if (closed && !can(world, actor, "MANAGE_THREADS", channel)) throw refusals.missingPermissions();
}

/** Moderators remove others from a thread, and so does who opened a private one. */
export function mustManage(world: World, actor: string, channel: Channel) {
  if (!channel.thread) throw refusals.wrongChannelType();
  if (channel.thread.archived) throw refusals.threadArchived();
  if (channel.owner_id !== actor && !can(world, actor, "MANAGE_THREADS", channel))
    throw refusals.missingPermissions();
}

/** Unarchives a thread, as posting in it does. */
export function wake(world: World, channel: Channel): Channel {
  const { thread } = channel;
  if (!thread?.archived) return channel;
  const opened = { ...thread, archived: false, archive_timestamp: isoNow(world) };
  const changed = world.store.put("channels", { ...channel, thread: opened });
  dispatchChannel(world, "UPDATE", changed);
  return changed;
}

/** The bot gets `THREAD_CREATE` when it is itself added. */
export function addToThread(world: World, thread: Channel, user: string) {
  if (isInThread(world, thread.id, user)) return;
  const joined_at = isoNow(world);
  world.store.put("threadMembers", { id: `${thread.id}:${user}`, thread: thread.id, user, joined_at });
  if (user === world.known.botId) dispatchChannel(world, "CREATE", thread);
}

export function leaveThread(world: World, thread: Channel, user: string) {
  world.store.remove("threadMembers", `${thread.id}:${user}`);
}

export function leaveThreads(world: World, user: string) {
  for (const { id } of world.store.threadMembers.all().filter((one) => one.user === user))
    world.store.remove("threadMembers", id);
}

/** Discord limits a server's active threads. */
function mustHaveRoom(world: World) {
  const active = world.store.channels.all().filter(({ thread }) => thread && !thread.archived);
  if (active.length >= world.limits.activeThreads) throw refusals.tooManyThreads();
}
