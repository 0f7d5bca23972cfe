import type { APIBaseInteraction, InteractionType } from "discord.js";
import { ActionRefusal } from "../../base/actions";
import { channelFor } from "../guild/channels";
import { sees } from "../guild/messages";
import { can, mustBeAllowed, permission, permissionsOf } from "../guild/permissions";
import type { Button, Form } from "../rest/shapes/components";
import type { Channel, Command, Interaction, Message } from "../rows";
import { channelJson } from "../wire/channels";
import { messageJson } from "../wire/messages";
import { memberWithoutUser, userJson, userOf } from "../wire/people";
import type { Wire } from "../wire/types";
import type { World } from "../world";
import { channelOf, messageOf, personOf } from "./find";
import { type CommandInput, commandData } from "./options";

/** A person uses a slash command. */
export function useCommand(
  world: World,
  given: CommandInput & { user: string; command: string; channel: string },
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

/** The commands that a person may use in a channel. */
export function commandsFor(world: World, user: string, channel: Channel): Command[] {
  return world.store.commands.all().filter((command) => mayUse(world, user, command, channel));
}

type Pressed = {
  user: string;
  message: string;
  custom_id?: string | undefined;
  label?: string | undefined;
};

/** A person presses a button of a message, given by its custom id or label; by default the first. */
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

/** A person sends the form in an interaction's answer. */
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

function buttonOf({ components }: Message, { custom_id, label }: Pressed): Exclude<Button, { style: 5 }> {
  const button = components
    .flatMap((row) => row.components)
    .find((one) => {
      if (custom_id !== undefined) return one.style !== 5 && one.custom_id === custom_id;
      return label === undefined ? one.style !== 5 : one.label === label;
    });
  if (!button) throw new ActionRefusal(`The message has no button ${custom_id ?? label ?? ""}.`);
  if (button.disabled) throw new ActionRefusal("This button is disabled.");
  if (button.style === 5) throw new ActionRefusal("A link is followed, not pressed.");
  return button;
}

/** A filled-in form as Discord passes it on; `fields` by custom id. */
function formData({ custom_id, components }: Form, fields: Record<string, string>): object {
  const filled = components.map(({ component: input, ...label }) => {
    const value = written(input, fields[input.custom_id] ?? input.value ?? "");
    const component = { type: input.type, id: input.id, custom_id: input.custom_id, value };
    return { type: label.type, id: label.id, component };
  });
  return { custom_id, components: filled };
}

type Input = Form["components"][number]["component"];

function written({ custom_id, required, min_length = 0, max_length = 4000 }: Input, value: string): string {
  if (value === "" && required === false) return value;
  if (value === "" || value.length < min_length || value.length > max_length)
    throw new ActionRefusal(`The field ${custom_id} can't be "${value}".`);
  return value;
}

/** Checks the permissions that the command requires by default, like Discord's client. */
function mayUse(world: World, user: string, { body }: Command, channel: Channel): boolean {
  if (!can(world, user, "USE_APPLICATION_COMMANDS", channel)) return false;
  const asked = body.default_member_permissions;
  if (asked == null) return true;
  const held = permissionsOf(world, user, channel);
  if ((held & permission.ADMINISTRATOR) !== 0n) return true;
  return asked !== "0" && (held & BigInt(asked)) === BigInt(asked);
}

type Opening = Pick<Interaction, "type" | "user" | "command" | "data"> & {
  channel: Channel;
  message: Message | null;
};

/** Sends the bot an interaction, which it must answer within three seconds. */
function openInteraction(world: World, opening: Opening): Interaction {
  const { type, user, command, data, channel, message } = opening;
  const interaction = world.store.put("interactions", {
    id: world.ids.snowflake(),
    token: world.ids.secret(120),
    type,
    user,
    channel: channel.id,
    message: message?.id ?? null,
    command,
    data,
    created: world.now(),
    acknowledged: null,
    original: null,
    thinking: false,
    messages: [],
    modal: null,
  });
  world.dispatch({ name: "INTERACTION_CREATE", data: interactionJson(world, interaction), intents: 0 });
  return interaction;
}

const locale = "en-US" as const;

/** Discord's interaction object. */
function interactionJson(
  world: World,
  interaction: Interaction,
): Wire<APIBaseInteraction<InteractionType, object>> {
  const { id, token, type, user, data } = interaction;
  const channel = world.store.channels.get(interaction.channel);
  const message = interaction.message ? world.store.messages.get(interaction.message) : undefined;
  if (!channel) throw new Error(`no channel ${interaction.channel}`);
  const place = { channel_id: channel.id, channel: channelJson(world, channel) };
  return {
    id,
    application_id: world.known.applicationId,
    type,
    data,
    token,
    version: 1,
    ...place,
    ...memberPart(world, user, channel),
    ...(message && { message: messageJson(world, message) }),
    app_permissions: String(permissionsOf(world, world.known.botId, channel)),
    locale,
    entitlements: [],
    authorizing_integration_owners: { 0: world.known.guildId },
    context: 0,
    attachment_size_limit: 10_485_760,
  };
}

function memberPart(world: World, id: string, channel: Channel) {
  const user = userJson(userOf(world, id));
  const member = world.store.members.get(id);
  if (!member) return { user };
  const { guildId } = world.known;
  const permissions = String(permissionsOf(world, id, channel));
  return {
    guild_id: guildId,
    guild_locale: locale,
    guild: { id: guildId, locale, features: [] },
    member: { ...memberWithoutUser(member), user, permissions },
  };
}
