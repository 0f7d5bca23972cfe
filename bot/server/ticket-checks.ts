import {
  type APIApplication,
  type APITextChannel,
  ApplicationFlags as Flag,
  type REST,
  Routes,
} from "discord.js";
import { z } from "zod";
import type { DiscordConfig } from "@/core/settings/config";
import type { ManagedRoles } from "@/domain/discord/level-roles";
import { GuildForbids } from "@/domain/discord/guild";
import { discordCodes, readAnswer, translate } from "../discord/rest";
import {
  missingPermissions,
  neededForCards,
  neededForTickets,
  neededToAnswer,
  permissionsIn,
  permissionsOf,
  strangersIn,
} from "./permissions";
import { type OwnMember, ownMember } from "./server-checks";

const activeAnswer = z.object({ threads: z.array(z.unknown()) });
/** Discord's limit on a server's threads that are not archived. */
const mostActiveThreads = 1_000;

/**
 * What keeps tickets from working or makes them unsafe, a sentence each. Throws `GuildUnavailable` if Discord is
 * unreachable.
 */
export async function ticketComplaints(
  rest: REST,
  { config, roles }: { config: DiscordConfig; roles: Pick<ManagedRoles, "levels"> },
): Promise<string[]> {
  const { guildId } = config;
  const customerRoleIds = roles.levels.map(({ roleId }) => roleId);
  try {
    const own = await ownMember(rest, guildId);
    return [
      ...(await messageContent(rest)),
      ...(await supportChannel(rest, config, own)),
      ...(await staffChannel(rest, { ...config, customerRoleIds }, own)),
      ...(await fullServerWarnings(rest, guildId)),
    ];
  } catch (error) {
    return [`Tickets don't work: Discord refuses to show the server's settings (${forbidden(error).code}).`];
  }
}

/**
 * Whether the application has the message content intent, which its owner switches on at Discord. Requesting it
 * without permission ends the connection. https://discord.com/developers/docs/resources/application
 */
export async function mayReadContent(rest: REST): Promise<boolean> {
  const { flags } = (await rest.get(Routes.currentApplication())) as APIApplication;
  return (flags & (Flag.GatewayMessageContent | Flag.GatewayMessageContentLimited)) !== 0;
}

const messageContent = async (rest: REST): Promise<string[]> =>
  (await mayReadContent(rest))
    ? []
    : [
        "Tickets arrive empty: Discord gives the bot no text of messages. On the application's page at Discord, under Bot, turn on Message Content Intent.",
      ];

async function supportChannel(rest: REST, config: DiscordConfig, own: OwnMember): Promise<string[]> {
  const { guildId, supportChannelId } = config;
  const { roles, me } = own;
  try {
    const channel = (await rest.get(Routes.channel(supportChannelId))) as APITextChannel;
    const may = permissionsIn(channel, permissionsOf(roles, me.roles, guildId), me, guildId);
    const missing = missingPermissions(neededForTickets, may);
    const people = peopleIn(channel, config, own);
    if (missing.length === 0) return people;
    return [`Tickets don't work: in the support channel the bot lacks ${missing.join(", ")}.`, ...people];
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

/** A ticket's thread inherits the support channel's permissions, so people who lack them there can't answer. */
function peopleIn(
  channel: APITextChannel,
  { guildId, supportRoleId }: DiscordConfig,
  { roles }: OwnMember,
): string[] {
  const missingFor = (held: string[]) =>
    missingPermissions(
      neededToAnswer,
      permissionsIn(channel, permissionsOf(roles, held, guildId), { roles: held, user: { id: "" } }, guildId),
    ).join(", ");
  const members = missingFor([]);
  const support = missingFor([supportRoleId]);
  return [
    ...(members
      ? [
          `Members may be unable to answer in their tickets: in the support channel @everyone lacks ${members}. Allow it there, or to a role that all members have.`,
        ]
      : []),
    ...(support && roles.some(({ id }) => id === supportRoleId)
      ? [`Support can't answer in tickets: in the support channel the support role lacks ${support}.`]
      : []),
  ];
}

/**
 * Cards show staff's information, so customers must not see the channel. `server-checks` checks whether the bot can write
 * there.
 */
async function staffChannel(
  rest: REST,
  shop: Pick<DiscordConfig, "guildId" | "staffChannelId"> & { customerRoleIds: readonly string[] },
  { roles, me }: OwnMember,
): Promise<string[]> {
  const { guildId, staffChannelId } = shop;
  const found = await rest.get(Routes.channel(staffChannelId)).catch((error: unknown) => {
    forbidden(error);
    return null;
  });
  if (!found) return [];
  const channel = found as APITextChannel;
  const strangers = strangersIn(channel, roles, shop);
  const may = permissionsIn(channel, permissionsOf(roles, me.roles, guildId), me, guildId);
  const missing = missingPermissions(neededForCards, may);
  return [
    ...(strangers
      ? [
          `${strangers.who} can read the staff channel, where tickets show accounts and payments. Hide it from ${strangers.role}.`,
        ]
      : []),
    ...(missing.length > 0
      ? [`Tickets' cards are incomplete: in the staff channel the bot lacks ${missing.join(", ")}.`]
      : []),
  ];
}

async function fullServerWarnings(rest: REST, guildId: string): Promise<string[]> {
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
