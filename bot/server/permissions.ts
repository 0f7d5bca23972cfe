import {
  type APIRole,
  type APITextChannel,
  OverwriteType,
  PermissionFlagsBits as Permission,
} from "discord.js";

/** What keeps the premium role going, and adds people to the server when they connect. */
export const neededInServer = {
  "Manage Roles": Permission.ManageRoles,
  "Create Invite": Permission.CreateInstantInvite,
} as const;

/** In the staff channel. */
export const neededForStaff = {
  "View Channel": Permission.ViewChannel,
  "Send Messages": Permission.SendMessages,
} as const;

/** In the support channel. */
export const neededForTickets = {
  ...neededForStaff,
  "Send Messages in Threads": Permission.SendMessagesInThreads,
  "Create Private Threads": Permission.CreatePrivateThreads,
  "Manage Threads": Permission.ManageThreads,
  "Embed Links": Permission.EmbedLinks,
  "Read Message History": Permission.ReadMessageHistory,
} as const;

/** Where an owner lets the bot into their server, with what it needs and no more. */
export function invitation(clientId: string): string {
  const needed = Object.values({ ...neededInServer, ...neededForTickets });
  const bits = needed.reduce((sum, bit) => sum | bit, 0n);
  return `https://discord.com/oauth2/authorize?client_id=${clientId}&scope=bot+applications.commands&permissions=${bits}`;
}

/** The names of those that are not among `bits`. */
export const lacking = (needed: Record<string, bigint>, bits: bigint): string[] =>
  Object.entries(needed)
    .filter(([, bit]) => !(bits & bit))
    .map(([name]) => name);

const everything = ~0n;

/** What a member may do in the server at large. https://discord.com/developers/docs/topics/permissions */
export function permissionsOf(roles: APIRole[], held: string[], guildId: string): bigint {
  const bits = roles
    .filter(({ id }) => id === guildId || held.includes(id))
    .reduce((sum, { permissions }) => sum | BigInt(permissions), 0n);
  return bits & Permission.Administrator ? everything : bits;
}

/** The same within a channel: its overwrites for everyone, then for roles, then for the member. */
export function permissionsIn(
  channel: APITextChannel,
  base: bigint,
  member: { roles: string[]; user: { id: string } },
  guildId: string,
): bigint {
  if (base === everything) return everything;
  const all = channel.permission_overwrites ?? [];
  const groups = [
    all.filter(({ id }) => id === guildId),
    all.filter(({ id, type }) => type === OverwriteType.Role && id !== guildId && member.roles.includes(id)),
    all.filter(({ id, type }) => type === OverwriteType.Member && id === member.user.id),
  ];
  return groups.reduce((bits, group) => {
    const deny = group.reduce((sum, one) => sum | BigInt(one.deny), 0n);
    const allow = group.reduce((sum, one) => sum | BigInt(one.allow), 0n);
    return (bits & ~deny) | allow;
  }, base);
}
