import type { ChatInputCommandInteraction, RepliableInteraction } from "discord.js";
import type { By, Staff, StaffRole } from "@/core/actor";
import type { DiscordConfig } from "@/core/config";
import { holdsRole } from "./staff-options";

/** Who presses or types, with the shop's roles that they hold now, as Discord says with this very interaction. */
export function staffOf(
  { supportRoleId, ownerRoleId }: DiscordConfig,
  interaction: RepliableInteraction,
): Staff {
  const roles: StaffRole[] = [];
  if (holdsRole(interaction, supportRoleId)) roles.push("support");
  if (ownerRoleId !== null && holdsRole(interaction, ownerRoleId)) roles.push("owner");
  return { kind: "staff", via: "discord", discordUserId: interaction.user.id, roles };
}

/** The member of staff who uses a command, and the reason that they typed. */
export const byStaff = (config: DiscordConfig, interaction: ChatInputCommandInteraction): By => ({
  actor: staffOf(config, interaction),
  reason: interaction.options.getString("reason", true),
});
