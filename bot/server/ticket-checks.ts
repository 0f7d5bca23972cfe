import { type APITextChannel, PermissionFlagsBits as Permission, type REST, Routes } from "discord.js";
import { z } from "zod";
import type { DiscordConfig } from "@/core/config";
import { GuildForbids } from "@/domain/community/guild";
import { discordCodes, readAnswer, translate } from "../discord/rest";
import { lacking, neededForCards, neededForTickets, permissionsIn, permissionsOf } from "./permissions";
import { type OwnMember, ownMember } from "./server-checks";

const activeAnswer = z.object({ threads: z.array(z.unknown()) });
/** Discord's limit on a server's threads that are not archived. */
const mostActiveThreads = 1_000;

/**
 * What keeps tickets from working or makes them unsafe, a sentence each.
 * Throws `GuildUnavailable` when Discord can't be reached.
 */
export async function ticketComplaints(rest: REST, config: DiscordConfig): Promise<string[]> {
  const { guildId } = config;
  try {
    const own = await ownMember(rest, guildId);
    return [
      ...(await supportChannel(rest, config, own)),
      ...(await staffChannel(rest, config, own)),
      ...(await fullness(rest, guildId)),
    ];
  } catch (error) {
    return [`Tickets don't work: Discord refuses to show the server's settings (${forbidden(error).code}).`];
  }
}

async function supportChannel(
  rest: REST,
  { guildId, supportChannelId }: DiscordConfig,
  { roles, me }: OwnMember,
): Promise<string[]> {
  try {
    const channel = (await rest.get(Routes.channel(supportChannelId))) as APITextChannel;
    const may = permissionsIn(channel, permissionsOf(roles, me.roles, guildId), me, guildId);
    const missing = lacking(neededForTickets, may);
    if (missing.length === 0) return [];
    return [`Tickets don't work: in the support channel the bot lacks ${missing.join(", ")}.`];
  } catch (error) {
    const { code } = forbidden(error);
    if (code === String(discordCodes.unknownChannel)) {
      return [
        "Tickets don't work: the support channel does not exist. Set DISCORD_SUPPORT_CHANNEL_ID to one that does, and restart the shop.",
      ];
    }
    return [`Tickets don't work: the bot can't see the support channel (${code}).`];
  }
}

/** Cards show what only staff may know. Whether the bot can write there is checked in `server-checks`. */
async function staffChannel(
  rest: REST,
  { guildId, staffChannelId }: DiscordConfig,
  { roles, me }: OwnMember,
): Promise<string[]> {
  const found = await rest.get(Routes.channel(staffChannelId)).catch((error: unknown) => {
    forbidden(error);
    return null;
  });
  if (!found) return [];
  const channel = found as APITextChannel;
  const anybody = { roles: [], user: { id: "" } };
  const anybodyMay = permissionsIn(channel, permissionsOf(roles, [], guildId), anybody, guildId);
  const may = permissionsIn(channel, permissionsOf(roles, me.roles, guildId), me, guildId);
  const missing = lacking(neededForCards, may);
  return [
    ...(anybodyMay & Permission.ViewChannel
      ? [
          "Every member can read the staff channel, where tickets show accounts and payments. Hide it from @everyone.",
        ]
      : []),
    ...(missing.length > 0
      ? [`Tickets' cards are incomplete: in the staff channel the bot lacks ${missing.join(", ")}.`]
      : []),
  ];
}

async function fullness(rest: REST, guildId: string): Promise<string[]> {
  const active = await rest.get(Routes.guildActiveThreads(guildId));
  const { threads } = readAnswer(activeAnswer, "GET /guilds/:id/threads/active", active);
  if (threads.length < mostActiveThreads) return [];
  return [
    `New tickets are waiting: the server has as many open threads as Discord allows (${mostActiveThreads}). Close some.`,
  ];
}

/** The refusal; any other error is rethrown. */
function forbidden(error: unknown): GuildForbids {
  const reason = translate(error);
  if (!(reason instanceof GuildForbids)) throw reason;
  return reason;
}
