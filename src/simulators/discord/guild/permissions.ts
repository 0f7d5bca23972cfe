import { refusals } from "../errors";
import type { Channel, Member, Role } from "../rows";
import type { World } from "../world";

/** The permission bits that the simulator knows. Source: Discord's page "Permissions". */
export const permission = {
  CREATE_INSTANT_INVITE: 1n << 0n,
  KICK_MEMBERS: 1n << 1n,
  BAN_MEMBERS: 1n << 2n,
  ADMINISTRATOR: 1n << 3n,
  MANAGE_CHANNELS: 1n << 4n,
  MANAGE_GUILD: 1n << 5n,
  ADD_REACTIONS: 1n << 6n,
  VIEW_AUDIT_LOG: 1n << 7n,
  VIEW_CHANNEL: 1n << 10n,
  SEND_MESSAGES: 1n << 11n,
  MANAGE_MESSAGES: 1n << 13n,
  EMBED_LINKS: 1n << 14n,
  ATTACH_FILES: 1n << 15n,
  READ_MESSAGE_HISTORY: 1n << 16n,
  MENTION_EVERYONE: 1n << 17n,
  CHANGE_NICKNAME: 1n << 26n,
  MANAGE_NICKNAMES: 1n << 27n,
  MANAGE_ROLES: 1n << 28n,
  MANAGE_WEBHOOKS: 1n << 29n,
  MANAGE_GUILD_EXPRESSIONS: 1n << 30n,
  USE_APPLICATION_COMMANDS: 1n << 31n,
  MANAGE_EVENTS: 1n << 33n,
  MANAGE_THREADS: 1n << 34n,
  CREATE_PUBLIC_THREADS: 1n << 35n,
  CREATE_PRIVATE_THREADS: 1n << 36n,
  SEND_MESSAGES_IN_THREADS: 1n << 38n,
  MODERATE_MEMBERS: 1n << 40n,
  PIN_MESSAGES: 1n << 51n,
} as const;

export type PermissionName = keyof typeof permission;
export const permissionNames = Object.keys(permission) as [PermissionName, ...PermissionName[]];

const everyPermission = Object.values(permission).reduce((all, bit) => all | bit, 0n);

export function bits(...names: PermissionName[]): bigint {
  return names.reduce((all, name) => all | permission[name], 0n);
}

export function namesOf(value: bigint): PermissionName[] {
  return (Object.keys(permission) as PermissionName[]).filter((name) => (value & permission[name]) !== 0n);
}

/** A user's permissions in the server, or in one channel of it. */
export function permissionsOf(world: World, user: string, channel?: Channel): bigint {
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

/** Refuses like Discord: 50001 to users who can't see the channel, 50013 to those who can. */
export function mustBeAllowed(world: World, user: string, names: PermissionName[], channel?: Channel) {
  const held = permissionsOf(world, user, channel);
  if (channel && (held & permission.VIEW_CHANNEL) === 0n) throw refusals.missingAccess();
  if (names.some((name) => (held & permission[name]) === 0n)) throw refusals.missingPermissions();
}

/** Refuses to hand out a permission that the user lacks in the server, as Discord does for roles and overwrites. */
export function mustHoldAll(world: World, user: string, given: bigint) {
  if ((given & ~permissionsOf(world, user)) !== 0n) throw refusals.missingPermissions();
}

/** A user can give, take or change only roles below their own highest. */
export function ranksAboveRole(world: World, user: string, role: Role): boolean {
  if (user === world.known.ownerId) return true;
  return rolesOf(world, world.store.members.get(user)).some((own) => own.position > role.position);
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

function isTimedOut(world: World, { timed_out_until }: Member): boolean {
  return timed_out_until !== null && Date.parse(timed_out_until) > world.now();
}
