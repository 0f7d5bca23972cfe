import type { ChatInputCommandInteraction, RepliableInteraction } from "discord.js";
import type { By, Staff, StaffRole } from "@/core/actor";
import type { DiscordConfig } from "@/core/config";
import { holdsRole } from "./staff-options";

/** The actor of an interaction, with the shop's roles that Discord reports in that interaction. */
export function staffOf(
  { supportRoleId, ownerRoleId }: DiscordConfig,
  interaction: RepliableInteraction,
): Staff {
  const roles: StaffRole[] = [];
  if (holdsRole(interaction, supportRoleId)) roles.push("support");
  if (ownerRoleId !== null && holdsRole(interaction, ownerRoleId)) roles.push("owner");
  return { kind: "staff", via: "discord", discordUserId: interaction.user.id, roles };
}

/** The staff member who uses a command, and their typed reason. */
export const byStaff = (config: DiscordConfig, interaction: ChatInputCommandInteraction): By => ({
  actor: staffOf(config, interaction),
  reason: interaction.options.getString("reason", true),
});
