import { channelFor } from "../guild/channels";
import { sees } from "../guild/messages";
import { can, mustBeAllowed, permissionsOf } from "../guild/standing";
import { openInteraction } from "../interactions/open";
import { permission } from "../permissions";
import type { Channel, Command, Interaction, Message } from "../store/rows";
import type { World } from "../world";
import { buttonData, componentOf, formData, selectData } from "./components";
import { ControlRefusal, channelOf, messageOf, personOf } from "./find";
import { type Typed, commandData } from "./options";

/** A person uses a command. `type` 2 and 3 are those in the menus of people and messages. */
export function useCommand(
  world: World,
  given: Typed & { user: string; command: string; channel: string; autocomplete?: boolean },
): Interaction {
  const user = personOf(world, given.user).id;
  const channel = channelFor(world, user, channelOf(world, given.channel).id);
  const command = commandFor(world, given.command, given.target !== undefined);
  mustUse(world, user, command, channel);
  const data = commandData(world, command, given, channel);
  const type = given.autocomplete ? 4 : 2;
  return openInteraction(world, { type, user, command: command.name, data, channel, message: null });
}

export type Pressed = {
  user: string;
  message: string;
  custom_id?: string | undefined;
  label?: string | undefined;
};

export function press(world: World, given: Pressed): Interaction {
  return onComponent(world, given, (component) => buttonData(component));
}

export function choose(world: World, given: Pressed & { values: string[] }): Interaction {
  return onComponent(world, given, (component, message) =>
    selectData(world, component, given.values, message.channel_id),
  );
}

/** Sends the form that an interaction's answer showed. */
export function submit(
  world: World,
  given: { user: string; interaction: string; fields: Record<string, unknown> },
): Interaction {
  const user = personOf(world, given.user).id;
  const before = world.store.interactions.get(given.interaction);
  if (!before?.modal) throw new ControlRefusal("That interaction showed no form.");
  if (before.user !== user) throw new ControlRefusal("The form was shown to somebody else.");
  const channel = channelOf(world, before.channel);
  const message = before.message ? (world.store.messages.get(before.message) ?? null) : null;
  const data = formData(world, before.modal, given.fields, channel.id);
  return openInteraction(world, { type: 5, user, command: before.command, data, channel, message });
}

/** Commands that a person may use in a channel. */
export function commandsFor(world: World, user: string, channel: Channel): Command[] {
  return world.store.commands.all().filter((command) => mayUse(world, user, command, channel));
}

type DataOf = (component: ReturnType<typeof componentOf>, message: Message) => Interaction["data"];

function onComponent(world: World, given: Pressed, dataOf: DataOf): Interaction {
  const user = personOf(world, given.user).id;
  const message = messageOf(world, given.message);
  const channel = channelFor(world, user, message.channel_id);
  if (!sees(message, user)) throw new ControlRefusal("That message was for somebody else.");
  if (channel.type !== 1) mustBeAllowed(world, user, ["READ_MESSAGE_HISTORY"], channel);
  const data = dataOf(componentOf(message, given), message);
  return openInteraction(world, { type: 3, user, command: null, data, channel, message });
}

function commandFor(world: World, name: string, onTarget: boolean): Command {
  const named = world.store.commands
    .all()
    .filter((one) => one.name === name && (one.type !== 1) === onTarget);
  const found = named.find(({ guild_id }) => guild_id !== null) ?? named[0];
  if (!found) throw new ControlRefusal(`There is no command ${name}.`);
  return found;
}

function mustUse(world: World, user: string, command: Command, channel: Channel) {
  if (!mayUse(world, user, command, channel))
    throw new ControlRefusal(`${command.name} can't be used by this person here.`);
}

/** Like Discord's clients: by the rights that the command asks for, by default. */
function mayUse(world: World, user: string, { body }: Command, channel: Channel): boolean {
  if (channel.type === 1) return body["dm_permission"] !== false;
  if (!can(world, user, "USE_APPLICATION_COMMANDS", channel)) return false;
  const asked = body["default_member_permissions"];
  if (typeof asked !== "string") return true;
  const held = permissionsOf(world, user, channel);
  if ((held & permission.ADMINISTRATOR) !== 0n) return true;
  return asked !== "0" && (held & BigInt(asked)) === BigInt(asked);
}
