import { type APIRole, PermissionFlagsBits as Permission } from "discord.js";

/** What the premium role is held against. */
export type RoleSetting = {
  guildId: string;
  /** The roles of support and of the owners, as far as they are chosen. */
  staffRoleIds: (string | null)[];
  /** The bot's highest role; null if it has none but @everyone. */
  highest: Pick<APIRole, "name" | "position"> | null;
};

/** A fault that a person has to fix at Discord. `blocking`: until then the bot can't give the premium role. */
export type Complaint = { code: string; blocking: boolean; sentence: string };

/** Why a role can't be, or shouldn't be, the one that customers get; null if it may be. */
export function premiumRoleFault(
  { id, name, managed, position, permissions }: APIRole,
  { guildId, staffRoleIds, highest }: RoleSetting,
): Complaint | null {
  if (id === guildId)
    return fault("role_everyone", true, "Every member has @everyone. Make a plain role for customers.");
  if (managed)
    return fault(
      "role_managed",
      true,
      `The role ${name} belongs to an integration and can't be given by a bot. Use a plain role.`,
    );
  if (position >= (highest?.position ?? 0))
    return fault(
      "role_too_high",
      true,
      `The bot's highest role is below ${name}. Drag ${highest?.name ?? "the bot's role"} above it in the server's role settings.`,
    );
  if (staffRoleIds.includes(id))
    return fault("role_of_staff", false, `The role ${name} is staff's: customers would get staff's rights.`);
  const rights = powersIn(BigInt(permissions));
  if (rights.length === 0) return null;
  return fault(
    "role_powerful",
    false,
    `The role ${name} gives every customer ${rights.join(", ")}. Take that from it, or use a plain role.`,
  );
}

const fault = (code: string, blocking: boolean, sentence: string): Complaint => ({
  code,
  blocking,
  sentence,
});

/** What only staff should be able to do, as Discord's settings call it. */
const powers = {
  Administrator: Permission.Administrator,
  "Manage Server": Permission.ManageGuild,
  "Manage Channels": Permission.ManageChannels,
  "Manage Roles": Permission.ManageRoles,
  "Manage Messages": Permission.ManageMessages,
  "Manage Threads": Permission.ManageThreads,
  "Manage Nicknames": Permission.ManageNicknames,
  "Manage Webhooks": Permission.ManageWebhooks,
  "Manage Expressions": Permission.ManageGuildExpressions,
  "Manage Events": Permission.ManageEvents,
  "Kick Members": Permission.KickMembers,
  "Ban Members": Permission.BanMembers,
  "Timeout Members": Permission.ModerateMembers,
  "Mention @everyone": Permission.MentionEveryone,
} as const;

const powersIn = (bits: bigint): string[] =>
  Object.entries(powers)
    .filter(([, bit]) => (bits & bit) !== 0n)
    .map(([name]) => name);
