import { type APIRole, PermissionFlagsBits as Permission } from "discord.js";
import type { RoleFault } from "@/domain/discord/guild";
import type { RoleAction } from "@/domain/discord/roles";

/** What the roles of levels are held against. */
export type RoleSetting = {
  guildId: string;
  /** The roles of support and of the owners, as far as they are chosen. */
  staffRoleIds: (string | null)[];
  /** The bot's highest role; null if it has none but @everyone. */
  highest: Pick<APIRole, "name" | "position"> | null;
};

/**
 * A fault that a person has to fix at Discord. `blocking`: until then the bot can't do its work; if it is a role's, with
 * that role.
 */
export type Complaint = {
  code: string;
  blocking: boolean;
  sentence: string;
  /** The role that has the fault, and what the bot doesn't do with it meanwhile. */
  role?: { id: string; stops: readonly RoleAction[] };
};

/** Why customers can't have a role; null if they may. */
export function roleFault(
  { id, name, managed, position, permissions }: APIRole,
  { guildId, staffRoleIds, highest }: RoleSetting,
): RoleFault | null {
  if (id === guildId)
    return fault("role_everyone", "Every member has @everyone. Make a plain role for customers.");
  if (managed)
    return fault(
      "role_managed",
      `The role ${name} belongs to an integration and can't be given by a bot. Use a plain role.`,
    );
  if (position >= (highest?.position ?? 0))
    return fault(
      "role_too_high",
      `The bot's highest role is below ${name}. Drag ${highest?.name ?? "the bot's role"} above it in the server's role settings.`,
    );
  if (staffRoleIds.includes(id))
    return fault("role_of_staff", `The role ${name} is staff's: customers would get staff's rights.`);
  const rights = powersIn(BigInt(permissions));
  if (rights.length === 0) return null;
  return fault(
    "role_powerful",
    `The role ${name} gives every customer ${rights.join(", ")}. Take that from it, or use a plain role.`,
  );
}

/** A role that is too powerful is still taken. */
const fault = (code: RoleFault["code"], sentence: string): RoleFault => ({
  code,
  sentence,
  stops: code === "role_powerful" ? ["grant"] : ["grant", "take"],
});

/** A fault as staff are told of it. Those that Discord itself refuses block all work with the role. */
export const complaintOf = (id: string, { code, sentence, stops }: RoleFault): Complaint => ({
  code,
  sentence,
  blocking: code !== "role_of_staff" && code !== "role_powerful",
  role: { id, stops },
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
