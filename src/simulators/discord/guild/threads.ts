import { refusals } from "../errors";
import type { Channel } from "../store/rows";
import { type World, isoNow } from "../world";
import { note } from "./audit";
import { blankChannel } from "./channels";
import { tellChannel } from "./happenings";
import type { By } from "./members";
import { can, mustBeAllowed } from "./standing";
import { addToThread } from "./thread-members";

export type NewThread = {
  name: string;
  /** 11 public, 12 private. */
  type: 11 | 12;
  auto_archive_duration?: number | null | undefined;
  invitable?: boolean | null | undefined;
  rate_limit_per_user?: number | null | undefined;
  /** The message that it grows from, whose id it then takes. */
  message?: string;
};

export function openThread(world: World, by: By, parent: Channel, wanted: NewThread): Channel {
  if (parent.type !== 0) throw refusals.wrongChannelType();
  const needed = wanted.type === 12 ? "CREATE_PRIVATE_THREADS" : "CREATE_PUBLIC_THREADS";
  mustBeAllowed(world, by.actor, [needed], parent);
  if (wanted.message !== undefined && world.store.channels.has(wanted.message)) throw refusals.threadExists();
  mustHaveRoom(world);
  const now = isoNow(world);
  const thread = world.store.put("channels", {
    ...blankChannel(wanted.message ?? world.ids.snowflake(), wanted.type),
    name: wanted.name,
    parent_id: parent.id,
    owner_id: by.actor,
    rate_limit_per_user: wanted.rate_limit_per_user ?? 0,
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
  if (by.actor !== world.known.botId || wanted.type !== 12)
    tellChannel(world, "CREATE", thread, { newly_created: true });
  addToThread(world, thread, by.actor);
  note(world, { ...by, action: "THREAD_CREATE", target: thread.id });
  return thread;
}

export type ThreadChange = {
  name?: string | undefined;
  archived?: boolean | undefined;
  locked?: boolean | undefined;
  invitable?: boolean | undefined;
  auto_archive_duration?: number | undefined;
  rate_limit_per_user?: number | null | undefined;
};

/** An archived thread takes no change but being opened again; a locked one is opened only by its keepers. */
export function changeThread(world: World, by: By, channel: Channel, change: ThreadChange): Channel {
  const { thread } = channel;
  if (!thread) throw refusals.wrongChannelType();
  const keeper = can(world, by.actor, "MANAGE_THREADS", channel);
  const opens = change.archived === false;
  if (thread.archived && !opens) throw refusals.threadArchived();
  if (thread.locked && opens && !keeper) throw refusals.threadLocked();
  if (thread.archived && opens) mustHaveRoom(world);
  if (!keeper && !mayChange(channel, by.actor, change)) throw refusals.missingPermissions();
  const { name, rate_limit_per_user, ...rest } = change;
  const changed = world.store.put("channels", {
    ...channel,
    name: name ?? channel.name,
    rate_limit_per_user: rate_limit_per_user ?? channel.rate_limit_per_user,
    thread: {
      ...thread,
      ...definedOf(rest),
      ...(change.archived !== undefined &&
        change.archived !== thread.archived && { archive_timestamp: isoNow(world) }),
    },
  });
  tellChannel(world, "UPDATE", changed);
  note(world, { ...by, action: "THREAD_UPDATE", target: channel.id });
  return changed;
}

/** Who may put another into a thread: those in it who may write there; of a private one not open to invitations, only keepers. */
export function mustInvite(world: World, actor: string, channel: Channel) {
  if (!channel.thread) throw refusals.wrongChannelType();
  if (channel.thread.archived) throw refusals.threadArchived();
  mustBeAllowed(world, actor, ["SEND_MESSAGES_IN_THREADS"], channel);
  const closed = channel.type === 12 && !channel.thread.invitable && channel.owner_id !== actor;
  if (closed && !can(world, actor, "MANAGE_THREADS", channel)) throw refusals.missingPermissions();
}

export function mustRemove(world: World, actor: string, channel: Channel) {
  if (!channel.thread) throw refusals.wrongChannelType();
  if (channel.thread.archived) throw refusals.threadArchived();
  const own = channel.type === 12 && channel.owner_id === actor;
  if (!own) mustBeAllowed(world, actor, ["MANAGE_THREADS"], channel);
}

/** Discord holds only so many threads of a server open at a time. */
function mustHaveRoom(world: World) {
  const open = world.store.channels.all().filter(({ thread }) => thread && !thread.archived);
  if (open.length >= world.limits.activeThreads) throw refusals.tooManyThreads();
}

/** Opens an archived thread again, as writing in it does. */
export function wake(world: World, channel: Channel): Channel {
  const { thread } = channel;
  if (!thread?.archived) return channel;
  const changed = world.store.put("channels", {
    ...channel,
    thread: { ...thread, archived: false, archive_timestamp: isoNow(world) },
  });
  tellChannel(world, "UPDATE", changed);
  return changed;
}

/** Its opener may rename, close and open it, and say who may invite. */
function mayChange(channel: Channel, actor: string, change: ThreadChange): boolean {
  return channel.owner_id === actor && change.locked === undefined && change.rate_limit_per_user == null;
}

function definedOf<T extends object>(object: T): { [K in keyof T]: NonNullable<T[K]> } {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]: NonNullable<T[K]> };
}

export function threadsOf(world: World, parent: string): Channel[] {
  return world.store.channels.group(parent).filter(({ thread }) => thread);
}
