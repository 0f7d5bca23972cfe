import { topLevel } from "../guild/channels";
import { can, permissionsOf } from "../guild/standing";
import type { Channel, User } from "../store/rows";
import type { World } from "../world";

/** Who looks at what. */
export type View = {
  world: World;
  me: User;
  inside: boolean;
  channel: Channel | null;
  /** May give and take roles. */
  admin: boolean;
  botOnline: boolean;
  problem: string | undefined;
  /** An interaction whose form is to be filled in. */
  form: string | undefined;
};

type Asked = { as?: string; channel?: string; problem?: string; form?: string };

export function viewOf(world: World, asked: Asked, botOnline: boolean): View {
  const users = world.store.users.all();
  const named = users.find((one) => one.id === asked.as || one.username === asked.as);
  const me = named && !named.bot ? named : users.find(({ id }) => id === world.known.ownerId);
  if (!me) throw new Error("the server has no owner");
  const wanted = world.store.channels.get(asked.channel ?? "");
  const visible = channelsOf(world, me.id);
  const channel = wanted && can(world, me.id, "VIEW_CHANNEL", wanted) ? wanted : visible[0];
  return {
    world,
    me,
    inside: world.store.members.has(me.id),
    channel: channel ?? null,
    admin: (permissionsOf(world, me.id) & (1n << 28n)) !== 0n,
    botOnline,
    problem: asked.problem,
    form: asked.form,
  };
}

/** The channels in the list, each followed by its threads; direct messages last. */
export function channelsOf(world: World, user: string): Channel[] {
  const sees = (channel: Channel) => can(world, user, "VIEW_CHANNEL", channel);
  const tops = topLevel(world).filter(sees);
  const direct = world.store.channels.all().filter(({ type, recipient }) => type === 1 && recipient === user);
  return [...tops.flatMap((top) => [top, ...world.store.channels.group(top.id).filter(sees)]), ...direct];
}

/** Where a form leads back to. */
export function placeOf(as: string, channel: string | undefined, more: Record<string, string> = {}): string {
  return `/?${new URLSearchParams({ as, ...(channel && { channel }), ...more })}`;
}
