import { nobody, resolvedJson } from "../interactions/resolved";
import { walk } from "../rest/shapes/component-tree";
import { type FileGiven, storeFile } from "../guild/files";
import type { Json, Message } from "../store/rows";
import type { World } from "../world";
import { ControlRefusal, channelOf, personOf, roleOf } from "./find";

/** The component of a message by its custom id, or a button by what stands on it; without either the first. */
export function componentOf(
  message: Message,
  named: { custom_id?: string | undefined; label?: string | undefined },
): Json {
  const { custom_id, label } = named;
  let found: Json | undefined;
  walk(message.components, (one) => {
    const any = custom_id === undefined && label === undefined && typeof one["custom_id"] === "string";
    const byId = custom_id !== undefined && one["custom_id"] === custom_id;
    const byLabel = custom_id === undefined && label !== undefined && one["label"] === label;
    if (any || byId || byLabel) found ??= one;
  });
  if (!found) throw new ControlRefusal(`The message has no component ${custom_id ?? label}.`);
  if (found["disabled"] === true) throw new ControlRefusal("This component is disabled.");
  if (typeof found["custom_id"] !== "string") throw new ControlRefusal("A link is followed, not pressed.");
  return found;
}

export function buttonData(component: Json): Json {
  if (component["type"] !== 2) throw new ControlRefusal("This is not a button.");
  return { component_type: 2, custom_id: component["custom_id"], id: component["id"] };
}

/** Values are an option's value or label; for the other selects people, roles or channels by name or id. */
export function selectData(world: World, component: Json, given: string[], channel: string): Json {
  const kind = Number(component["type"]);
  if (![3, 5, 6, 7, 8].includes(kind)) throw new ControlRefusal("This is not a select.");
  mustCount(component, given.length);
  const picked = pick(world, component, given);
  return {
    component_type: kind,
    custom_id: component["custom_id"],
    id: component["id"],
    values: picked.values,
    ...(kind !== 3 && { resolved: resolvedJson(world, picked.named, channel) }),
  };
}

/** What a person filled into a form, as Discord hands it on; fields by custom id. */
export function formData(world: World, modal: Json, fields: Record<string, unknown>, channel: string): Json {
  const named = nobody();
  const fill = (one: Json): Json => {
    if (one["type"] === 10) return { type: 10, id: one["id"] };
    if (one["type"] === 18) return { type: 18, id: one["id"], component: fill(one["component"] as Json) };
    if (one["type"] === 1)
      return { type: 1, id: one["id"], components: (one["components"] as Json[]).map(fill) };
    const filled = fillOne(world, one, fields[String(one["custom_id"])], named);
    return { type: one["type"], id: one["id"], custom_id: one["custom_id"], ...filled };
  };
  const components = (modal["components"] as Json[]).map(fill);
  const resolved = resolvedJson(world, named, channel);
  return { custom_id: modal["custom_id"], components, ...(Object.keys(resolved).length > 0 && { resolved }) };
}

type Named = ReturnType<typeof nobody>;

function fillOne(world: World, one: Json, given: unknown, named: Named): Json {
  const id = String(one["custom_id"]);
  const required = one["required"] !== false;
  if (one["type"] === 23) return { value: given === true || given === "true" || given === "on" };
  if (one["type"] === 4)
    return { value: written(one, typeof given === "string" ? given : preset(one), required) };
  const list = given === undefined || given === "" ? [] : [given].flat();
  if (required && list.length === 0) throw new ControlRefusal(`The field ${id} is required.`);
  if (one["type"] === 19) {
    const values = list.map((file) => storeFile(world, file as FileGiven));
    named.attachments.push(...values);
    return { values };
  }
  if (list.length > 0) mustCount(one, list.length);
  const picked = pick(world, one, list.map(String));
  for (const kind of ["users", "roles", "channels"] as const) named[kind].push(...picked.named[kind]);
  return one["type"] === 21 ? { value: picked.values[0] ?? null } : { values: picked.values };
}

const preset = ({ value }: Json) => (typeof value === "string" ? value : "");

function written(input: Json, value: string, required: boolean): string {
  const [least, most] = [Number(input["min_length"] ?? 0), Number(input["max_length"] ?? 4000)];
  if (value === "" && !required) return value;
  if (value === "" || value.length < least || value.length > most)
    throw new ControlRefusal(`The field ${String(input["custom_id"])} can't be "${value}".`);
  return value;
}

function mustCount(component: Json, count: number) {
  const [least, most] = [Number(component["min_values"] ?? 1), Number(component["max_values"] ?? 1)];
  if (count < least || count > most) throw new ControlRefusal(`${least} to ${most} values may be chosen.`);
}

function pick(world: World, component: Json, given: string[]): { values: string[]; named: Named } {
  const named = nobody();
  const kind = Number(component["type"]);
  const values = given.map((one) => {
    if (kind === 6) return kept(named.roles, roleOf(world, one).id);
    if (kind === 8) return kept(named.channels, channelOf(world, one).id);
    if (kind === 5 || kind === 7) return kept(named.users, personOf(world, one).id);
    const options = component["options"] as { label: string; value: string }[];
    const option = options.find(({ value }) => value === one) ?? options.find(({ label }) => label === one);
    if (!option) throw new ControlRefusal(`There is no choice ${one}.`);
    return option.value;
  });
  return { values, named };
}

function kept(list: string[], id: string): string {
  list.push(id);
  return id;
}
