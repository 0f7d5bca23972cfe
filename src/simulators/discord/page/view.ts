import { actionForm, controlForms } from "../../base/actions";
import type { DiscordActions } from "../control/actions";
import { topLevel } from "../guild/channels";
import { can } from "../guild/permissions";
import type { Channel, User } from "../rows";
import type { World } from "../world";

/** What the page shows, and to which user. */
export type View = {
  world: World;
  me: User;
  inside: boolean;
  channel: Channel | null;
  /** Whether the user may give and take roles. */
  admin: boolean;
  botOnline: boolean;
  problem: string | undefined;
  /** The interaction whose form is open. */
  form: string | undefined;
  control: ReturnType<typeof controlForms<DiscordActions>>;
};

type Query = { as?: string; channel?: string; problem?: string; form?: string };

type Parts = { actions: DiscordActions; botOnline: boolean };

export function viewOf(world: World, query: Query, { actions, botOnline }: Parts): View {
  const users = world.store.users.all();
  const named = users.find((one) => one.id === query.as || one.username === query.as);
  const me = named && !named.bot ? named : users.find(({ id }) => id === world.known.ownerId);
  if (!me) throw new Error("the server has no owner");
  const wanted = world.store.channels.get(query.channel ?? "");
  const visible = channelsOf(world, me.id);
  const channel = wanted && can(world, me.id, "VIEW_CHANNEL", wanted) ? wanted : visible[0];
  return {
    world,
    me,
    inside: world.store.members.has(me.id),
    channel: channel ?? null,
    admin: can(world, me.id, "MANAGE_ROLES"),
    botOnline,
    problem: query.problem,
    form: query.form,
    control: controlForms(actions, { as: me.id, channel: channel?.id ?? "" }),
  };
}

/** The channels in the list, each followed by its threads. */
export function channelsOf(world: World, user: string): Channel[] {
  const sees = (channel: Channel) => can(world, user, "VIEW_CHANNEL", channel);
  const tops = topLevel(world).filter(sees);
  return tops.flatMap((top) => [top, ...world.store.channels.group(top.id).filter(sees)]);
}

/** Forms that return to this view's user and channel. */
export const formsOf = ({ me, channel }: View) =>
  actionForm<DiscordActions>({ as: me.id, channel: channel?.id ?? "" });

/** A page waits only for the first answer, and shows later changes when they come. */
export const briefly = { until: "ack", timeout_ms: 3100 } as const;
