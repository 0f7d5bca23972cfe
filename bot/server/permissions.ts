import {
  type APIRole,
  type APITextChannel,
  OverwriteType,
  PermissionFlagsBits as Permission,
} from "discord.js";

/** For giving the premium role, and for adding people to the server when they connect. */
export const neededInServer = {
  "Manage Roles": Permission.ManageRoles,
  "Create Invite": Permission.CreateInstantInvite,
} as const;

/** In the staff channel and the news channel. */
export const neededForStaff = {
  "View Channel": Permission.ViewChannel,
  "Send Messages": Permission.SendMessages,
} as const;

/** Also in the staff channel, where a ticket's card is an embed. */
export const neededForCards = { "Embed Links": Permission.EmbedLinks } as const;

/** In the support channel. */
export const neededForTickets = {
  ...neededForStaff,
  ...neededForCards,
  "Send Messages in Threads": Permission.SendMessagesInThreads,
  "Create Private Threads": Permission.CreatePrivateThreads,
  "Manage Threads": Permission.ManageThreads,
  "Read Message History": Permission.ReadMessageHistory,
} as const;

/** What members and support need in the support channel, to read a ticket's thread and to answer in it. */
export const neededToAnswer = {
  "View Channel": Permission.ViewChannel,
  "Send Messages in Threads": Permission.SendMessagesInThreads,
  "Read Message History": Permission.ReadMessageHistory,
} as const;

/** Everything that the bot uses: it attaches files to tickets if it may. */
export const neededInAll = {
  ...neededInServer,
  ...neededForTickets,
  "Attach Files": Permission.AttachFiles,
} as const;

/** To make channels, and a role for support that sees the commands of staff: a bot gives only rights that it has. */
export const neededToMake = {
  ...neededInAll,
  "Manage Channels": Permission.ManageChannels,
  "Timeout Members": Permission.ModerateMembers,
} as const;

export const bitsOf = (needed: Record<string, bigint>): bigint =>
  Object.values(needed).reduce((sum, bit) => sum | bit, 0n);

/** The link that invites the bot, with exactly the permissions it needs to use what exists, or to make it first. */
export function invitation(clientId: string, purpose: "use" | "make", site = "https://discord.com"): string {
  const bits = bitsOf(purpose === "use" ? neededInAll : neededToMake);
  return `${site}/oauth2/authorize?client_id=${clientId}&scope=bot+applications.commands&permissions=${bits}`;
}

/** The names of the permissions missing from `bits`. */
export const missingPermissions = (needed: Record<string, bigint>, bits: bigint): string[] =>
  Object.entries(needed)
    .filter(([, bit]) => !(bits & bit))
    .map(([name]) => name);

const everything = ~0n;

/** A member's permissions in the server. https://discord.com/developers/docs/topics/permissions */
export function permissionsOf(roles: APIRole[], held: string[], guildId: string): bigint {
  const bits = roles
    .filter(({ id }) => id === guildId || held.includes(id))
    .reduce((sum, { permissions }) => sum | BigInt(permissions), 0n);
  return bits & Permission.Administrator ? everything : bits;
}

/** A member's permissions in a channel: its overwrites apply for everyone, then for roles, then for the member. */
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

/** Who can read a channel that is for staff alone, and from which role to hide it; null if nobody else can. */
export function strangersIn(
  channel: APITextChannel,
  roles: APIRole[],
  { guildId, customerRoleIds }: { guildId: string; customerRoleIds: readonly string[] },
): { who: string; role: string } | null {
  const canRead = (held: string[]) => {
    const base = permissionsOf(roles, held, guildId);
    const may = permissionsIn(channel, base, { roles: held, user: { id: "" } }, guildId);
    return (may & Permission.ViewChannel) !== 0n;
  };
  if (canRead([])) return { who: "Every member", role: "@everyone" };
  const reader = customerRoleIds.find((id) => canRead([id]));
  if (reader === undefined) return null;
  if (new Set(customerRoleIds).size === 1) return { who: "Every customer", role: "the premium role" };
  const name = roles.find(({ id }) => id === reader)?.name ?? reader;
  return { who: `Every customer with the role ${name}`, role: name };
}
