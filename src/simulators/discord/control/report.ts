import { type Context, Hono } from "hono";
import type { Gateway } from "../gateway/gateway";
import { sessionBudget } from "../gateway/identify";
import { topLevel } from "../guild/channels";
import { sees } from "../guild/messages";
import { can, namesOf } from "../guild/permissions";
import type { Channel, Member } from "../rows";
import { channelJson } from "../wire/channels";
import { messageJson } from "../wire/messages";
import { displayName, userOf } from "../wire/people";
import type { World } from "../world";
import { channelOf, personOf } from "./find";

/** The reports that `/_control` answers to GET. */
export function reports(world: World, gateway: Gateway): Hono {
  const app = new Hono();
  const reader = (c: Context) => personOf(world, c.req.query("as") ?? world.known.ownerId).id;
  app.get("/_control/state", (c) => c.json(stateOf(world, gateway)));
  app.get("/_control/tally", (c) => c.json(tallyOf(world)));
  app.get("/_control/members", (c) => c.json({ members: peopleOf(world) }));
  app.get("/_control/holders", (c) => c.json({ holders: holders(world) }));
  app.get("/_control/visible", (c) => c.json({ channels: visibleTo(world, reader(c)) }));
  app.get("/_control/channels/:channel/messages", (c) =>
    c.json({ messages: readBy(world, reader(c), channelOf(world, c.req.param("channel"))) }),
  );
  return app;
}

/** The whole server, to judge a bot's work by. */
function stateOf(world: World, gateway: Gateway) {
  const { store } = world;
  return {
    now: new Date(world.now()).toISOString(),
    guild: { id: world.known.guildId, name: store.setting("guild_name") },
    bot: {
      id: world.known.botId,
      in_server: store.members.has(world.known.botId),
      connections: gateway.connected(),
      sessions: gateway.sessions(),
      session_start_limit: sessionBudget(world),
      token_reset_at: store.setting("token_reset_at") ?? null,
    },
    roles: store.roles.all().map((role) => ({
      id: role.id,
      name: role.name,
      position: role.position,
      permissions: namesOf(BigInt(role.permissions)),
      managed: role.managed_by !== null,
    })),
    members: store.members.all().map((member) => memberOf(world, member)),
    channels: topLevel(world).map((channel) => channelJson(world, channel)),
    threads: store.channels
      .all()
      .filter(({ thread }) => thread)
      .map((one) => threadOf(world, one)),
    commands: store.commands.all().map(({ name }) => ({ name })),
    tally: tallyOf(world),
  };
}

function tallyOf({ tally }: World) {
  const { invalidTimes: _times, ...told } = tally;
  return told;
}

/** The members with the Premium role. */
function holders(world: World): string[] {
  const id = world.known.premiumRoleId;
  return world.store.members
    .all()
    .filter(({ roles }) => roles.includes(id))
    .map((member) => member.id);
}

function peopleOf(world: World) {
  return world.store.users.all().map(({ id, username, global_name, bot }) => {
    const member = world.store.members.get(id);
    return { id, username, global_name, bot, inside: member !== undefined, roles: rolesOf(world, member) };
  });
}

/** Everything that somebody can read, channel by channel, oldest first. */
function visibleTo(world: World, id: string) {
  const channels = world.store.channels.all().filter((channel) => can(world, id, "VIEW_CHANNEL", channel));
  return channels.map((channel) => ({
    ...channelJson(world, channel, id),
    messages: readBy(world, id, channel),
  }));
}

function readBy(world: World, user: string, channel: Channel): object[] {
  if (!can(world, user, "VIEW_CHANNEL", channel)) return [];
  const history = can(world, user, "READ_MESSAGE_HISTORY", channel);
  const all = world.store.messages.group(channel.id);
  const read = all.filter((one) => sees(one, user) && (history || one.visible_to === user));
  return read.map((one) => messageJson(world, one));
}

function memberOf(world: World, member: Member) {
  const { username, bot } = userOf(world, member.id);
  return {
    id: member.id,
    username,
    name: displayName(world, member.id),
    bot,
    roles: rolesOf(world, member),
    role_ids: member.roles,
    joined_at: member.joined_at,
  };
}

function rolesOf(world: World, member: Member | undefined): string[] {
  return (member?.roles ?? []).map((id) => world.store.roles.get(id)?.name ?? id);
}

function threadOf(world: World, channel: Channel) {
  const inside = world.store.threadMembers.group(channel.id).map(({ user }) => user);
  const messages = world.store.messages.group(channel.id).length;
  return { ...channelJson(world, channel), members: inside, messages };
}
