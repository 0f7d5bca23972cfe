import type { Channel, Message } from "../store/rows";
import type { World } from "../world";
import { can } from "./standing";

/** Discord's "allowed mentions": without it, everything that the text says and the author may. */
export type AllowedMentions = {
  parse?: readonly ("users" | "roles" | "everyone")[] | null | undefined;
  users?: readonly (string | null)[] | null | undefined;
  roles?: readonly (string | null)[] | null | undefined;
  replied_user?: boolean | null | undefined;
};

/** Whom a text mentions so that they are notified. */
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
