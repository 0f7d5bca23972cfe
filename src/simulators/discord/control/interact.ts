import { ActionRefusal } from "../../actions";
import { channelFor } from "../guild/channels";
import { sees } from "../guild/messages";
import { can, mustBeAllowed, permission, permissionsOf } from "../guild/permissions";
import { openInteraction } from "../interactions/open";
import { inOrder } from "../rest/shapes/components";
import type { Channel, Command, Component, Interaction, Json, Message } from "../rows";
import type { World } from "../world";
import { channelOf, messageOf, personOf } from "./find";
import { type Typed, commandData } from "./options";

/** Somebody uses a slash command. */
export function useCommand(
  world: World,
  given: Typed & { user: string; command: string; channel: string },
): Interaction {
  const user = personOf(world, given.user).id;
  const channel = channelFor(world, user, channelOf(world, given.channel).id);
  const command = world.store.commands.all().find(({ name }) => name === given.command);
  if (!command) throw new ActionRefusal(`There is no command ${given.command}.`);
  if (!mayUse(world, user, command, channel))
    throw new ActionRefusal(`${command.name} can't be used by this person here.`);
  const data = commandData(world, command, given);
  return openInteraction(world, { type: 2, user, command: command.name, data, channel, message: null });
}

/** The commands that somebody may use in a channel. */
export function commandsFor(world: World, user: string, channel: Channel): Command[] {
  return world.store.commands.all().filter((command) => mayUse(world, user, command, channel));
}

type Pressed = {
  user: string;
  message: string;
  custom_id?: string | undefined;
  label?: string | undefined;
};

/** Somebody presses a button of a message, named by its custom id or its label; without either, the first. */
export function press(world: World, given: Pressed): Interaction {
  const user = personOf(world, given.user).id;
  const message = messageOf(world, given.message);
  const channel = channelFor(world, user, message.channel_id);
  if (!sees(message, user)) throw new ActionRefusal("That message was for somebody else.");
  mustBeAllowed(world, user, ["READ_MESSAGE_HISTORY"], channel);
  const { custom_id, id } = buttonOf(message, given);
  const data = { component_type: 2, custom_id, id };
  return openInteraction(world, { type: 3, user, command: null, data, channel, message });
}

/** Somebody sends the form that an interaction's answer showed. */
export function submit(
  world: World,
  given: { user: string; interaction: string; fields: Record<string, string> },
): Interaction {
  const user = personOf(world, given.user).id;
  const before = world.store.interactions.get(given.interaction);
  if (!before?.modal) throw new ActionRefusal("That interaction showed no form.");
  if (before.user !== user) throw new ActionRefusal("The form was shown to somebody else.");
  const channel = channelOf(world, before.channel);
  const message = before.message ? (world.store.messages.get(before.message) ?? null) : null;
  const data = formData(before.modal, given.fields);
  return openInteraction(world, { type: 5, user, command: before.command, data, channel, message });
}

function buttonOf({ components }: Message, { custom_id, label }: Pressed): Component {
  const button = inOrder(components).find((one) => {
    if (one.type !== 2) return false;
    if (custom_id !== undefined) return one["custom_id"] === custom_id;
    return label === undefined ? one["custom_id"] !== undefined : one["label"] === label;
  });
  if (!button) throw new ActionRefusal(`The message has no button ${custom_id ?? label ?? ""}.`);
  if (button["disabled"] === true) throw new ActionRefusal("This button is disabled.");
  if (button["custom_id"] === undefined) throw new ActionRefusal("A link is followed, not pressed.");
  return button;
}

/** A filled-in form as Discord passes it on; `fields` by custom id. */
function formData(modal: Json, fields: Record<string, string>): Json {
  // checked when the bot showed it
  const labels = modal["components"] as (Component & { component: Component })[];
  const components = labels.map(({ type, id, component: input }) => {
    const { type: kind, id: number, custom_id } = input;
    const value = written(input, fields[String(custom_id)] ?? preset(input));
    return { type, id, component: { type: kind, id: number, custom_id, value } };
  });
  return { custom_id: modal["custom_id"], components };
}

const preset = ({ value }: Component) => (typeof value === "string" ? value : "");

function written(input: Component, value: string): string {
  if (value === "" && input["required"] === false) return value;
  const [least, most] = [Number(input["min_length"] ?? 0), Number(input["max_length"] ?? 4000)];
  if (value === "" || value.length < least || value.length > most)
    throw new ActionRefusal(`The field ${String(input["custom_id"])} can't be "${value}".`);
  return value;
}

/** By the permissions that the command asks for by default, as in Discord's client. */
function mayUse(world: World, user: string, { body }: Command, channel: Channel): boolean {
  if (!can(world, user, "USE_APPLICATION_COMMANDS", channel)) return false;
  const asked = body["default_member_permissions"];
  if (typeof asked !== "string") return true;
  const held = permissionsOf(world, user, channel);
  if ((held & permission.ADMINISTRATOR) !== 0n) return true;
  return asked !== "0" && (held & BigInt(asked)) === BigInt(asked);
}
