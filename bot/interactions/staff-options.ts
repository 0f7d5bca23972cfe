import {
  ApplicationCommandOptionType as Option,
  type APIApplicationCommandStringOption,
  PermissionFlagsBits as Permission,
  type RepliableInteraction,
  type RESTPostAPIChatInputApplicationCommandsJSONBody as Data,
} from "discord.js";
import type { Reply } from "./command-types";
import { maxSearchLength, reasonLength } from "@/contract/vocabulary/bounds";

/** Hides a command from members' lists. Each use checks the support role. */
export const forStaff = (data: Data): Data => ({
  ...data,
  default_member_permissions: String(Permission.ModerateMembers),
});

/** Whether the member has the role, as Discord reports in this interaction. */
export function holdsRole({ member }: RepliableInteraction, roleId: string): boolean {
  if (!member) return false;
  return Array.isArray(member.roles) ? member.roles.includes(roleId) : member.roles.cache.has(roleId);
}

/** An account, by what staff know about it. */
export const account: APIApplicationCommandStringOption = {
  type: Option.String,
  name: "account",
  description: "A name, an email or a key, whole or masked",
  required: true,
  max_length: maxSearchLength,
};

/** Required for every change; it goes into the audit log. */
export const reason: APIApplicationCommandStringOption = {
  type: Option.String,
  name: "reason",
  description: "Why; it goes into the audit log",
  required: true,
  min_length: reasonLength.least,
  max_length: reasonLength.most,
};

export const nobody: Reply = { content: "Nobody was found." };
