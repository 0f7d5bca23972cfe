import { ActionRefusal } from "../../actions";
import { permissionsOf } from "../guild/permissions";
import { type Leaf, type Option, optionType } from "../rest/shapes/commands";
import type { Command, Json, User } from "../rows";
import { memberWithoutUser, userJson } from "../wire/people";
import type { World } from "../world";
import { personOf } from "./find";

/** What somebody typed: values by the option's name, people by name or id. */
export type Typed = { subcommand?: string | undefined; options: Record<string, string | number> };

/** The `data` of an interaction with a command, checked as Discord's own client checks it. */
export function commandData(world: World, command: Command, { subcommand, options: typed }: Typed): Json {
  const people: User[] = [];
  const all = optionsOf(command.body);
  const sub = subcommandsOf(all).find(({ name }) => name === subcommand);
  if (!sub && subcommandsOf(all).length > 0) throw new ActionRefusal("This command needs a subcommand.");
  const leaves = sub ? (sub.options ?? []) : leavesOf(all);
  const given = valuesIn(world, leaves, typed, people);
  const options = sub ? [{ name: sub.name, type: sub.type, options: given }] : given;
  return {
    id: command.id,
    name: command.name,
    type: 1,
    guild_id: world.known.guildId,
    ...(options.length > 0 && { options }),
    ...(people.length > 0 && { resolved: resolved(world, people) }),
  };
}

export function optionsOf(body: Json): Option[] {
  // checked when the command was registered
  return (body["options"] ?? []) as Option[];
}

export const subcommandsOf = (options: Option[]) =>
  options.filter((one) => one.type === optionType.SUBCOMMAND);

export const leavesOf = (options: Option[]) => options.filter((one) => one.type !== optionType.SUBCOMMAND);

function valuesIn(
  world: World,
  options: Leaf[],
  typed: Record<string, string | number>,
  people: User[],
): Json[] {
  const unknown = Object.keys(typed).find((name) => !options.some((one) => one.name === name));
  if (unknown !== undefined) throw new ActionRefusal(`There is no option ${unknown}.`);
  return options.flatMap((option) => {
    const given = typed[option.name];
    if (given === undefined && option.required)
      throw new ActionRefusal(`The option ${option.name} is required.`);
    if (given === undefined) return [];
    return [{ name: option.name, type: option.type, value: valueOf(world, option, String(given), people) }];
  });
}

function valueOf(world: World, option: Leaf, text: string, people: User[]): string | number {
  if (option.type === optionType.USER) {
    const person = personOf(world, text);
    people.push(person);
    return person.id;
  }
  const value = option.type === optionType.INTEGER ? Number(text) : text;
  if (!fits(option, value)) throw new ActionRefusal(`${option.name} can't be ${JSON.stringify(value)}.`);
  return value;
}

function fits({ choices, ...option }: Leaf, value: string | number): boolean {
  if (choices?.length && !choices.some((choice) => choice.value === value)) return false;
  if (typeof value === "string")
    return value.length >= (option.min_length ?? 0) && value.length <= (option.max_length ?? 6000);
  const inside = value >= (option.min_value ?? -Infinity) && value <= (option.max_value ?? Infinity);
  return Number.isInteger(value) && inside;
}

/** The objects behind the ids of people. */
function resolved(world: World, people: User[]): Json {
  const members = people.flatMap(({ id }) => {
    const member = world.store.members.get(id);
    if (!member) return [];
    const { mute: _mute, deaf: _deaf, ...rest } = memberWithoutUser(member);
    return [[id, { ...rest, permissions: String(permissionsOf(world, id)) }] as const];
  });
  return {
    users: Object.fromEntries(people.map((user) => [user.id, userJson(user)])),
    ...(members.length > 0 && { members: Object.fromEntries(members) }),
  };
}
