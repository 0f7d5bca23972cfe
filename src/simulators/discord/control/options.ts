import { type Mentioned, nobody, resolvedJson } from "../interactions/resolved";
import { type Option, optionType } from "../rest/shapes/commands";
import { storeFile, type FileGiven } from "../guild/files";
import type { Channel, Command, Json } from "../store/rows";
import type { World } from "../world";
import { ControlRefusal, channelOf, personOf, roleOf } from "./find";

/** What a person typed: values by the option's name; people, roles and channels by name or id. */
export type Typed = {
  group?: string | undefined;
  subcommand?: string | undefined;
  options: Record<string, unknown>;
  /** Of a command in a menu: the person or message that it is used on. */
  target?: string | undefined;
  /** The option that is being typed, when suggestions are asked for. */
  focused?: string | undefined;
};

type Leaf = Extract<Option, { autocomplete?: boolean | undefined }>;

/** The `data` of an interaction with a command, checked as a person's client would. */
export function commandData(world: World, command: Command, typed: Typed, channel: Channel): Json {
  const named = nobody();
  const base = { id: command.id, name: command.name, type: command.type };
  const guild = command.guild_id === null ? {} : { guild_id: command.guild_id };
  if (command.type !== 1)
    return { ...base, ...guild, ...onTarget(world, command, typed, { named, channel }) };
  const options = nested(world, optionsOf(command.body), typed, named);
  const resolved = resolvedJson(world, named, channel.id);
  return {
    ...base,
    ...guild,
    ...(options.length > 0 && { options }),
    ...(Object.keys(resolved).length > 0 && { resolved }),
  };
}

function onTarget(
  world: World,
  command: Command,
  { target }: Typed,
  where: { named: Mentioned; channel: Channel },
) {
  const { named, channel } = where;
  if (target === undefined) throw new ControlRefusal(`${command.name} needs a target.`);
  const id = command.type === 2 ? personOf(world, target).id : target;
  named[command.type === 2 ? "users" : "messages"].push(id);
  return { target_id: id, resolved: resolvedJson(world, named, channel.id) };
}

function nested(world: World, options: Option[], typed: Typed, named: Mentioned): Json[] {
  const wanted = typed.group ?? typed.subcommand;
  const inner = options.find((one) => one.type <= 2 && one.name === wanted);
  if (!inner) {
    if (options.some(({ type }) => type <= 2)) throw new ControlRefusal("This command needs a subcommand.");
    return values(world, options as Leaf[], typed, named);
  }
  const deeper = "options" in inner ? ((inner.options ?? []) as Option[]) : [];
  const rest = { ...typed, group: undefined, subcommand: inner.type === 2 ? typed.subcommand : undefined };
  return [{ name: inner.name, type: inner.type, options: nested(world, deeper, rest, named) }];
}

function values(world: World, options: Leaf[], typed: Typed, named: Mentioned): Json[] {
  const unknown = Object.keys(typed.options).find((name) => !options.some((one) => one.name === name));
  if (unknown !== undefined) throw new ControlRefusal(`There is no option ${unknown}.`);
  return options.flatMap((option) => {
    const given = typed.options[option.name];
    const focused = typed.focused === option.name;
    if (given === undefined) {
      if (option.required && typed.focused === undefined)
        throw new ControlRefusal(`The option ${option.name} is required.`);
      return [];
    }
    const value = focused ? given : valueOf(world, option, given, named);
    return [{ name: option.name, type: option.type, value, ...(focused && { focused }) }];
  });
}

function valueOf(world: World, option: Leaf, given: unknown, named: Mentioned): unknown {
  const text = String(given);
  switch (option.type) {
    case optionType.USER:
    case optionType.MENTIONABLE:
      return kept(named.users, personOf(world, text).id);
    case optionType.ROLE:
      return kept(named.roles, roleOf(world, text).id);
    case optionType.CHANNEL:
      return kept(named.channels, channelOf(world, text).id);
    case optionType.ATTACHMENT:
      return kept(named.attachments, storeFile(world, given as FileGiven));
    case optionType.BOOLEAN:
      return given === true || text === "true";
    case optionType.INTEGER:
    case optionType.NUMBER:
      return numeric(option, Number(given));
    default:
      return worded(option, text);
  }
}

function numeric(option: Leaf, value: number): number {
  const whole = option.type === optionType.INTEGER ? Number.isInteger(value) : Number.isFinite(value);
  const inside = value >= (option.min_value ?? -Infinity) && value <= (option.max_value ?? Infinity);
  if (!whole || !inside || !isChoice(option, value))
    throw new ControlRefusal(`${option.name} can't be ${value}.`);
  return value;
}

function worded(option: Leaf, value: string): string {
  const inside = value.length >= (option.min_length ?? 0) && value.length <= (option.max_length ?? 6000);
  if (!inside || !isChoice(option, value)) throw new ControlRefusal(`${option.name} can't be "${value}".`);
  return value;
}

function isChoice({ choices }: Leaf, value: string | number): boolean {
  return !choices?.length || choices.some((choice) => choice.value === value);
}

function kept(list: string[], id: string): string {
  list.push(id);
  return id;
}

export function optionsOf(body: Json): Option[] {
  // Checked when the command was registered.
  return (body["options"] ?? []) as Option[];
}
