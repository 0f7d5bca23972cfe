import { permissionsOf } from "../guild/standing";
import { channelJson } from "../wire/channels";
import { attachmentJson, messageJson } from "../wire/messages";
import { memberWithoutUser, roleJson, userJson, userOf } from "../wire/people";
import type { Json } from "../store/rows";
import type { World } from "../world";

export type Mentioned = {
  users: string[];
  roles: string[];
  channels: string[];
  attachments: string[];
  messages: string[];
};

export function nobody(): Mentioned {
  return { users: [], roles: [], channels: [], attachments: [], messages: [] };
}

/** The objects behind the ids that an interaction names. */
export function resolvedJson(world: World, named: Mentioned, channel: string): Json {
  const members = named.users.flatMap((id) => world.store.members.get(id) ?? []);
  const parts = {
    users: byId(named.users.map((id) => userJson(userOf(world, id)))),
    members: Object.fromEntries(members.map((one) => [one.id, memberInside(world, one.id)])),
    roles: byId(
      named.roles
        .flatMap((id) => world.store.roles.get(id) ?? [])
        .map((one) => roleJson(one, world.known.guildId)),
    ),
    channels: byId(
      named.channels
        .flatMap((id) => world.store.channels.get(id) ?? [])
        .map((one) => ({ ...channelJson(world, one), id: one.id, permissions: "0" })),
    ),
    attachments: byId(
      named.attachments
        .flatMap((id) => world.store.attachments.get(id) ?? [])
        .map((one) => attachmentJson(world, channel, one)),
    ),
    messages: Object.fromEntries(
      named.messages
        .flatMap((id) => world.store.messages.get(id) ?? [])
        .map((one) => [one.id, messageJson(world, one)]),
    ),
  };
  return Object.fromEntries(Object.entries(parts).filter(([, some]) => Object.keys(some).length > 0));
}

/** A member as it stands within an interaction: with what it may do, and no user inside. */
function memberInside(world: World, id: string) {
  const member = world.store.members.get(id);
  if (!member) throw new Error(`no member ${id}`);
  const { mute: _mute, deaf: _deaf, ...rest } = memberWithoutUser(member);
  return { ...rest, permissions: String(permissionsOf(world, id)) };
}

function byId<T extends { id: string }>(all: T[]): Record<string, T> {
  return Object.fromEntries(all.map((one) => [one.id, one]));
}
