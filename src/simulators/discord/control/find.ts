import type { Channel, Message, Role, User } from "../store/rows";
import type { World } from "../world";

/** The control was asked for something that can't be; its message says what. */
export class ControlRefusal extends Error {
  override name = "ControlRefusal";
}

/** By id or username. */
export function personOf(world: World, named: string): User {
  const user =
    world.store.users.get(named) ?? world.store.users.all().find(({ username }) => username === named);
  if (!user) throw new ControlRefusal(`Nobody is called ${named}.`);
  return user;
}

/** By id or name. */
export function channelOf(world: World, named: string): Channel {
  const { channels } = world.store;
  const channel = channels.get(named) ?? channels.all().find(({ name }) => name === named);
  if (!channel) throw new ControlRefusal(`No channel ${named}.`);
  return channel;
}

/** By id or name. */
export function roleOf(world: World, named: string): Role {
  const role = world.store.roles.get(named) ?? world.store.roles.all().find(({ name }) => name === named);
  if (!role) throw new ControlRefusal(`No role ${named}.`);
  return role;
}

export function messageOf(world: World, id: string): Message {
  const message = world.store.messages.get(id);
  if (!message) throw new ControlRefusal(`No message ${id}.`);
  return message;
}
