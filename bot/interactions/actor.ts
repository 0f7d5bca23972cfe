import type { ChatInputCommandInteraction, RepliableInteraction } from "discord.js";
import type { By, DiscordStaff, StaffRole } from "@/core/base/actor";
import { linkUrl } from "@/domain/accounts/sessions/link-token";
import { discordStaff } from "@/domain/staff/discord-staff";
import { storeStaffRequest } from "@/domain/staff/requests";
import type { CommandContext, Reply } from "./command-types";
import { holdsRole } from "./staff-options";

type Context = Pick<CommandContext, "ctx" | "config">;

/** The actor of an interaction, with the shop's roles that Discord reports in it and the role of the linked account. */
export function staffOf({ ctx, config }: Context, interaction: RepliableInteraction): Promise<DiscordStaff> {
  const held: StaffRole[] = [];
  if (holdsRole(interaction, config.supportRoleId)) held.push("support");
  if (config.ownerRoleId !== null && holdsRole(interaction, config.ownerRoleId)) held.push("owner");
  return discordStaff(ctx, interaction.user.id, held);
}

/** The staff member who uses a command, and their typed reason. */
export const byStaff = async (context: Context, interaction: ChatInputCommandInteraction): Promise<By> => ({
  actor: await staffOf(context, interaction),
  reason: interaction.options.getString("reason", true),
});

/** The answer to what needs a code of the authenticator: a link to the desk, where the same member of staff confirms it. */
export async function deskLinkReply(
  { ctx, config, publicUrl }: CommandContext,
  interaction: RepliableInteraction,
  wanted: Parameters<typeof storeStaffRequest>[2],
): Promise<Reply> {
  const token = await storeStaffRequest(ctx, await staffOf({ ctx, config }, interaction), wanted);
  const url = linkUrl(publicUrl, "/desk/confirm", token);
  return { content: `Confirm it on the desk within ten minutes: ${url}` };
}
