import {
  ApplicationCommandOptionType as Option,
  type APIApplicationCommandStringOption,
  type ChatInputCommandInteraction,
  PermissionFlagsBits as Permission,
  type RESTPostAPIChatInputApplicationCommandsJSONBody as Data,
} from "discord.js";
import type { ByHand } from "@/core/audit";
import type { Reply } from "./command-types";

/** Hides a command from members' lists; the support role is what opens it, at each use. */
export const forStaff = (data: Data): Data => ({
  ...data,
  default_member_permissions: String(Permission.ModerateMembers),
});

/** Every change needs one; it stands in the audit log. */
export const reason: APIApplicationCommandStringOption = {
  type: Option.String,
  name: "reason",
  description: "Why; it stands in the audit log",
  required: true,
  min_length: 3,
  max_length: 300,
};

export const by = (asked: ChatInputCommandInteraction): ByHand => ({
  actor: `discord:${asked.user.id}`,
  reason: asked.options.getString("reason", true),
});

export const nobody: Reply = { content: "Nobody was found by that." };
