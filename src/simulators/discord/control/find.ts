import { ActionRefusal } from "../../base/actions";
import type { Channel, Message, Role, User } from "../rows";
import type { World } from "../world";

/** By id or username. */
export function personOf(world: World, named: string): User {
  const { users } = world.store;
  return found(users.get(named) ?? users.all().find(({ username }) => username === named), "person", named);
}

/** By id or name. */
export function channelOf(world: World, named: string): Channel {
  const { channels } = world.store;
  return found(channels.get(named) ?? channels.all().find(({ name }) => name === named), "channel", named);
}

/** By id or name. */
export function roleOf(world: World, named: string): Role {
  const { roles } = world.store;
  return found(roles.get(named) ?? roles.all().find(({ name }) => name === named), "role", named);
}

export function messageOf(world: World, id: string): Message {
  return found(world.store.messages.get(id), "message", id);
}

function found<T>(row: T | undefined, noun: string, named: string): T {
  if (row === undefined) throw new ActionRefusal(`There is no ${noun} ${named}.`);
  return row;
}
