import { ActionRefusal } from "../../base/actions";
import { permissionsOf } from "../guild/permissions";
import { type Leaf, type Option, optionType } from "../rest/shapes/commands";
import type { Command, User } from "../rows";
import { memberWithoutUser, userJson } from "../wire/people";
import type { World } from "../world";
import { personOf } from "./find";

/** A person's input: values by the option's name, people by name or id. */
export type CommandInput = { subcommand?: string | undefined; options: Record<string, string | number> };

/** The `data` of an interaction with a command, validated like Discord's own client does. */
export function commandData(
  world: World,
  command: Command,
  { subcommand, options: typed }: CommandInput,
): object {
  const people: User[] = [];
  const all = command.body.options ?? [];
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
    ...(people.length > 0 && { resolved: resolvedData(world, people) }),
  };
}

export const subcommandsOf = (options: Option[]) =>
  options.filter((one) => one.type === optionType.SUBCOMMAND);

export const leavesOf = (options: Option[]) => options.filter((one) => one.type !== optionType.SUBCOMMAND);

function valuesIn(
  world: World,
  options: Leaf[],
  typed: Record<string, string | number>,
  people: User[],
): object[] {
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
  if (option.type === optionType.STRING) {
    const { choices, min_length = 0, max_length = 6000 } = option;
    const chosen = choices?.some(({ value }) => value === text) ?? true;
    if (chosen && text.length >= min_length && text.length <= max_length) return text;
  } else {
    const { choices, min_value = -Infinity, max_value = Infinity } = option;
    const number = Number(text);
    const chosen = choices?.some(({ value }) => value === number) ?? Number.isInteger(number);
    if (chosen && number >= min_value && number <= max_value) return number;
  }
  throw new ActionRefusal(`${option.name} can't be ${text}.`);
}

/** The objects behind the ids of people. */
function resolvedData(world: World, people: User[]): object {
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
