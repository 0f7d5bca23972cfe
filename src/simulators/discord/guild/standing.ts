import { refusals } from "../errors";
import { type PermissionName, bits, everyPermission, permission } from "../permissions";
import type { Channel, Member, Role } from "../store/rows";
import type { World } from "../world";

/** What a person may do in the server, or in one channel of it. Source: Discord's page "Permissions". */
export function permissionsOf(world: World, user: string, channel?: Channel): bigint {
  if (channel?.type === 1) return inDirectMessage(world, user, channel);
  const member = world.store.members.get(user);
  if (!member) return 0n;
  const whole = guildWide(world, member);
  if ((whole & permission.ADMINISTRATOR) !== 0n) return everyPermission;
  const here = channel ? inChannel(world, member, channel, whole) : whole;
  return isTimedOut(world, member) ? here & bits("VIEW_CHANNEL", "READ_MESSAGE_HISTORY") : here;
}

export function can(world: World, user: string, name: PermissionName, channel?: Channel): boolean {
  return (permissionsOf(world, user, channel) & permission[name]) !== 0n;
}

/** Refuses as Discord does: who can't see the channel is told less than who can. */
export function mustBeAllowed(world: World, user: string, names: PermissionName[], channel?: Channel) {
  const held = permissionsOf(world, user, channel);
  if (channel && (held & permission.VIEW_CHANNEL) === 0n) throw refusals.missingAccess();
  if (names.some((name) => (held & permission[name]) === 0n)) throw refusals.missingPermissions();
}

/** Only a role below one's own highest can be given, taken or changed. */
export function ranksAboveRole(world: World, user: string, role: Role): boolean {
  if (user === world.known.ownerId) return true;
  const highest = highestRole(world, user);
  return highest !== undefined && isAbove(highest, role);
}

export function ranksAboveMember(world: World, actor: string, target: string): boolean {
  if (target === world.known.ownerId) return actor === target;
  if (actor === world.known.ownerId) return true;
  const [mine, theirs] = [highestRole(world, actor), highestRole(world, target)];
  return mine !== undefined && (theirs === undefined || isAbove(mine, theirs));
}

function isAbove(one: Role, other: Role): boolean {
  if (one.position !== other.position) return one.position > other.position;
  return BigInt(one.id) < BigInt(other.id);
}

function highestRole(world: World, user: string): Role | undefined {
  const roles = rolesOf(world, world.store.members.get(user));
  return roles.reduce<Role | undefined>((top, role) => (top && isAbove(top, role) ? top : role), undefined);
}

function rolesOf(world: World, member: Member | undefined): Role[] {
  return [world.known.guildId, ...(member?.roles ?? [])].flatMap((id) => world.store.roles.get(id) ?? []);
}

function guildWide(world: World, member: Member): bigint {
  if (member.id === world.known.ownerId) return everyPermission;
  return rolesOf(world, member).reduce((all, role) => all | BigInt(role.permissions), 0n);
}

function inChannel(world: World, member: Member, channel: Channel, whole: bigint): bigint {
  const parent = channel.thread ? world.store.channels.get(channel.parent_id ?? "") : channel;
  if (!parent) return 0n;
  const held = withOverwrites(world, member, parent, whole);
  if ((held & permission.VIEW_CHANNEL) === 0n) return 0n;
  const outside = channel.type === 12 && !isInThread(world, channel.id, member.id);
  return outside && (held & permission.MANAGE_THREADS) === 0n ? 0n : held;
}

function withOverwrites(world: World, member: Member, { overwrites }: Channel, whole: bigint): bigint {
  const everyone = overwrites.filter(({ id }) => id === world.known.guildId);
  const roles = overwrites.filter(({ id, type }) => type === 0 && member.roles.includes(id));
  const own = overwrites.filter(({ id, type }) => type === 1 && id === member.id);
  return [everyone, roles, own].reduce((held, layer) => {
    const deny = layer.reduce((all, one) => all | BigInt(one.deny), 0n);
    const allow = layer.reduce((all, one) => all | BigInt(one.allow), 0n);
    return (held & ~deny) | allow;
  }, whole);
}

export function isInThread(world: World, thread: string, user: string): boolean {
  return world.store.threadMembers.has(`${thread}:${user}`);
}

function inDirectMessage(world: World, user: string, channel: Channel): bigint {
  return user === channel.recipient || user === world.known.botId ? everyPermission : 0n;
}

function isTimedOut(world: World, { timed_out_until }: Member): boolean {
  return timed_out_until !== null && Date.parse(timed_out_until) > world.now();
}
