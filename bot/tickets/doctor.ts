import {
  type APIGuildMember,
  type APIRole,
  type APITextChannel,
  type APIUser,
  PermissionFlagsBits as Permission,
  type REST,
  Routes,
} from "discord.js";
import type { DiscordConfig } from "@/core/config";
import { GuildForbids } from "@/domain/community/guild";
import { translate } from "../rest";
import { permissionsIn, permissionsOf } from "../server/permissions";

const needed = {
  "View Channel": Permission.ViewChannel,
  "Send Messages": Permission.SendMessages,
  "Send Messages in Threads": Permission.SendMessagesInThreads,
  "Create Private Threads": Permission.CreatePrivateThreads,
  "Manage Threads": Permission.ManageThreads,
  "Embed Links": Permission.EmbedLinks,
  "Read Message History": Permission.ReadMessageHistory,
} as const;

/** What keeps tickets from working in the support channel, in a sentence; null when nothing does. */
export async function missingPermissions(rest: REST, config: DiscordConfig): Promise<string | null> {
  const { guildId, supportChannelId } = config;
  try {
    // Discord's own answers to these calls
    const user = (await rest.get(Routes.user())) as APIUser;
    const roles = (await rest.get(Routes.guildRoles(guildId))) as APIRole[];
    const me = (await rest.get(Routes.guildMember(guildId, user.id))) as APIGuildMember;
    const channel = (await rest.get(Routes.channel(supportChannelId))) as APITextChannel;
    const may = permissionsIn(channel, permissionsOf(roles, me.roles, guildId), me, guildId);
    const missing = Object.entries(needed).filter(([, bit]) => !(may & bit));
    if (missing.length === 0) return null;
    return `Tickets don't work: in the support channel the bot lacks ${missing.map(([name]) => name).join(", ")}.`;
  } catch (error) {
    const reason = translate(error);
    if (!(reason instanceof GuildForbids)) throw reason;
    return `Tickets don't work: the bot can't see the support channel, or it was deleted (${reason.code}).`;
  }
}
