import type { Context } from "hono";
import type { Reports } from "../../base/actions";
import type { Gateway } from "../gateway/gateway";
import { sees } from "../guild/messages";
import { can } from "../guild/permissions";
import type { Channel } from "../rows";
import { channelJson } from "../wire/channels";
import { messageJson } from "../wire/messages";
import type { World } from "../world";
import { channelOf, personOf, roleOf } from "./find";

export function discordReports(world: World, gateway: Gateway): Reports {
  const reader = (c: Context) => personOf(world, c.req.query("as") ?? world.known.ownerId).id;
  return {
    state: () => serverState(world, gateway),
    tally: () => world.tally,
    members: () => ({ members: peopleOf(world) }),
    holders: (c) => ({ holders: holders(world, c.req.query("role")) }),
    visible: (c) => ({ channels: visibleTo(world, reader(c)) }),
    "channels/:channel/messages": (c) => ({
      messages: readBy(world, reader(c), channelOf(world, c.req.param("channel") ?? "")),
    }),
  };
}

/** The server's state, for tests to check the bot's work. */
function serverState(world: World, gateway: Gateway) {
  const { store } = world;
  return {
    bot: { connections: gateway.connected() },
    roles: store.roles.all().map(({ id, name }) => ({ id, name })),
    members: store.members.all().map(({ id }) => ({ id, username: store.users.get(id)?.username })),
    threads: store.channels
      .all()
      .filter(({ thread }) => thread)
      .map((channel) => ({
        ...channelJson(world, channel),
        members: store.threadMembers.group(channel.id).map(({ user }) => user),
      })),
    commands: store.commands.all().map(({ name }) => ({ name })),
  };
}

/** The members with a role, by default with Premium. */
function holders(world: World, role?: string): string[] {
  const { id } = roleOf(world, role ?? world.known.premiumRoleId);
  return world.store.members
    .all()
    .filter(({ roles }) => roles.includes(id))
    .map((member) => member.id);
}

function peopleOf({ store }: World) {
  return store.users.all().map(({ id, username }) => {
    const member = store.members.get(id);
    const roles = member?.roles.map((role) => store.roles.get(role)?.name ?? role) ?? [];
    return { id, username, inside: member !== undefined, roles };
  });
}

/** Everything that a person can read, channel by channel, oldest first. */
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
