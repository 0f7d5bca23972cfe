import { intent } from "../gateway/intents";
import type { Channel } from "../store/rows";
import { threadMemberJson } from "../wire/channels";
import { type World, isoNow } from "../world";
import { tellChannel } from "./happenings";
import { isInThread } from "./standing";

/** Puts somebody in; the bot hears `THREAD_CREATE` when it is itself, as with Discord. */
export function addToThread(world: World, thread: Channel, user: string) {
  if (isInThread(world, thread.id, user)) return;
  const joined_at = isoNow(world);
  world.store.put("threadMembers", { id: `${thread.id}:${user}`, thread: thread.id, user, joined_at });
  if (user === world.known.botId) tellChannel(world, "CREATE", thread);
  tell(world, thread, [user], []);
}

export function removeFromThread(world: World, thread: Channel, user: string) {
  if (!isInThread(world, thread.id, user)) return;
  tell(world, thread, [], [user]);
  world.store.remove("threadMembers", `${thread.id}:${user}`);
}

export function leaveThreads(world: World, user: string) {
  const mine = world.store.threadMembers.all().filter((one) => one.user === user);
  for (const { thread } of mine) {
    const channel = world.store.channels.get(thread);
    if (channel) removeFromThread(world, channel, user);
  }
}

function tell(world: World, thread: Channel, added: string[], removed: string[]) {
  const members = world.store.threadMembers.group(thread.id);
  const own = [...added, ...removed].includes(world.known.botId);
  const rest = members.length - removed.length;
  world.tell({
    name: "THREAD_MEMBERS_UPDATE",
    data: {
      id: thread.id,
      guild_id: world.known.guildId,
      member_count: Math.min(50, rest),
      ...(added.length > 0 && {
        added_members: members.filter(({ user }) => added.includes(user)).map(threadMemberJson),
      }),
      ...(removed.length > 0 && { removed_member_ids: removed }),
    },
    intents: own ? intent.GUILDS : intent.GUILD_MEMBERS,
    channel: thread.id,
  });
}
