import {
  type APIRole,
  type APITextChannel,
  OverwriteType,
  PermissionFlagsBits as Permission,
} from "discord.js";

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
