import type { Context, Hono } from "hono";
import { refusals } from "../errors";
import { channelFor } from "../guild/channels";
import { announce, messageFor } from "../guild/messages";
import { can, isInThread, mustBeAllowed } from "../guild/standing";
import { addToThread, removeFromThread } from "../guild/thread-members";
import { mustInvite, mustRemove, openThread, threadsOf } from "../guild/threads";
import type { Channel, ThreadMember } from "../store/rows";
import { channelJson, ownMemberships, threadMemberJson } from "../wire/channels";
import { memberJson } from "../wire/people";
import type { World } from "../world";
import { botOf } from "./actor";
import { bodyOf, idParam } from "./form";
import { countParam } from "./members";
import { newThread } from "./shapes/channels";

/** Threads, and who is in them. */
export function threadRoutes(world: World, api: Hono) {
  const enter = (c: Context) => {
    const by = botOf(world, c);
    return { by, channel: channelFor(world, by.actor, idParam(c, "channel")) };
  };

  api.post("/channels/:channel/threads", async (c) => {
    const { by, channel } = enter(c);
    const body = await bodyOf(c, newThread);
    const type = body.type === 11 ? 11 : 12;
    return c.json(channelJson(world, openThread(world, by, channel, { ...body, type }), by.actor), 201);
  });
  api.post("/channels/:channel/messages/:message/threads", async (c) => {
    const { by, channel } = enter(c);
    const { id } = messageFor(world, by.actor, channel.id, idParam(c, "message"));
    const body = await bodyOf(c, newThread);
    const thread = openThread(world, by, channel, { ...body, type: 11, message: id });
    return c.json(channelJson(world, thread, by.actor), 201);
  });

  api.get("/channels/:channel/thread-members", (c) => {
    const { channel } = enter(c);
    const members = world.store.threadMembers.group(mustBeThread(channel).id);
    return c.json(members.map((one) => member(world, one, c.req.query("with_member") === "true")));
  });
  api.get("/channels/:channel/thread-members/:user", (c) => {
    const { channel } = enter(c);
    const found = world.store.threadMembers.get(`${channel.id}:${idParam(c, "user")}`);
    if (!found) throw refusals.unknownMember();
    return c.json(member(world, found, c.req.query("with_member") === "true"));
  });
  api.put("/channels/:channel/thread-members/@me", (c) => {
    const { by, channel } = enter(c);
    if (mustBeThread(channel).thread?.archived) throw refusals.threadArchived();
    addToThread(world, channel, by.actor);
    return c.body(null, 204);
  });
  api.delete("/channels/:channel/thread-members/@me", (c) => {
    const { by, channel } = enter(c);
    removeFromThread(world, mustBeThread(channel), by.actor);
    return c.body(null, 204);
  });
  api.put("/channels/:channel/thread-members/:user", (c) => {
    const { by, channel } = enter(c);
    mustInvite(world, by.actor, channel);
    const user = idParam(c, "user");
    if (!world.store.members.has(user))
      throw world.store.users.has(user) ? refusals.unknownMember() : refusals.unknownUser();
    // Nobody can be put into a thread of a channel that they can't see.
    const parent = world.store.channels.get(channel.parent_id ?? "");
    if (!parent || !can(world, user, "VIEW_CHANNEL", parent)) throw refusals.missingAccess();
    if (!isInThread(world, channel.id, user)) {
      addToThread(world, channel, user);
      announce(world, by.actor, channel, { type: 1, user });
    }
    return c.body(null, 204);
  });
  api.delete("/channels/:channel/thread-members/:user", (c) => {
    const { by, channel } = enter(c);
    mustRemove(world, by.actor, channel);
    const user = idParam(c, "user");
    if (isInThread(world, channel.id, user)) announce(world, by.actor, channel, { type: 2, user });
    removeFromThread(world, channel, user);
    return c.body(null, 204);
  });

  const archived = (c: Context, type: 11 | 12, own: boolean) => {
    const { by, channel } = enter(c);
    mustBeAllowed(world, by.actor, ["READ_MESSAGE_HISTORY"], channel);
    if (type === 12 && !own) mustBeAllowed(world, by.actor, ["MANAGE_THREADS"], channel);
    const limit = countParam(c, "limit", { least: 2, most: 100, usual: 50 });
    const before = c.req.query("before");
    const found = threadsOf(world, channel.id)
      .filter((one) => one.type === type && one.thread?.archived)
      .filter((one) => !own || isInThread(world, one.id, by.actor))
      .filter((one) => before === undefined || isBefore(one, before))
      .toSorted((a, b) => archivedAt(b) - archivedAt(a));
    const threads = found.slice(0, limit);
    return c.json({
      threads: threads.map((one) => channelJson(world, one, by.actor)),
      members: ownMemberships(world, threads, by.actor),
      has_more: found.length > limit,
    });
  };
  api.get("/channels/:channel/threads/archived/public", (c) => archived(c, 11, false));
  api.get("/channels/:channel/threads/archived/private", (c) => archived(c, 12, false));
  api.get("/channels/:channel/users/@me/threads/archived/private", (c) => archived(c, 12, true));
}

function member(world: World, row: ThreadMember, whole: boolean) {
  const found = world.store.members.get(row.user);
  return { ...threadMemberJson(row), ...(whole && found && { member: memberJson(world, found) }) };
}

function mustBeThread(channel: Channel): Channel {
  if (!channel.thread) throw refusals.wrongChannelType();
  return channel;
}

const archivedAt = ({ thread }: Channel) => Date.parse(thread?.archive_timestamp ?? "");

/** `before` is a time, or for one's own threads an id. */
function isBefore(channel: Channel, before: string): boolean {
  if (/^\d+$/.test(before)) return BigInt(channel.id) < BigInt(before);
  return archivedAt(channel) < Date.parse(before);
}
