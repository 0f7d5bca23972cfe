import type { Channel, Message } from "../rows";
import type { World } from "../world";
import { can } from "./permissions";

/** Discord's "allowed mentions". Without it, all mentions in the text count that the author may make. */
export type AllowedMentions = {
  parse?: readonly ("users" | "roles" | "everyone")[] | null | undefined;
  users?: readonly (string | null)[] | null | undefined;
  roles?: readonly (string | null)[] | null | undefined;
};

/** The mentions in a text that notify somebody. */
export function mentionsIn(
  world: World,
  text: string,
  author: string,
  where: { channel: Channel; allowed: AllowedMentions | undefined },
): Message["mentions"] {
  const { channel, allowed } = where;
  const all = { parse: ["users", "roles", "everyone"] };
  const lets: { parse?: readonly string[] | null | undefined; [key: string]: unknown } = allowed ?? all;
  const may = (kind: string) => lets.parse?.includes(kind) ?? false;
  const loud = can(world, author, "MENTION_EVERYONE", channel);
  const users = found(text, /<@!?(\d+)>/g).filter((id) => world.store.users.has(id));
  const roles = found(text, /<@&(\d+)>/g).filter((id) => world.store.roles.get(id)?.mentionable || loud);
  return {
    users: users.filter((id) => may("users") || allowed?.users?.includes(id)),
    roles: roles
      .filter((id) => world.store.roles.has(id))
      .filter((id) => may("roles") || allowed?.roles?.includes(id)),
    everyone: loud && may("everyone") && /@(everyone|here)\b/.test(text),
  };
}

function found(text: string, pattern: RegExp): string[] {
  return [...new Set(Array.from(text.matchAll(pattern), ([, id]) => id ?? ""))];
}
