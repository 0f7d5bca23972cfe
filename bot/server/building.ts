import {
  type APIApplication,
  type APITextChannel,
  ApplicationFlags as Flag,
  ChannelType,
  OverwriteType,
  PermissionFlagsBits as Permission,
  type REST,
  Routes,
} from "discord.js";
import { z } from "zod";
import { codeOf, readAnswer, translate, translated } from "../discord/rest";
import {
  bitsOf,
  missingPermissions,
  neededForCards,
  neededForStaff,
  neededForTickets,
  neededInAll,
  neededToAnswer,
  neededToMake,
  permissionsIn,
  permissionsOf,
  strangersIn,
} from "./permissions";
import { roleFault } from "./level-role";
import type { RoleFault } from "@/domain/discord/guild";
import { highestOf, type OwnMember, ownMember } from "./server-checks";

export type Intents = { members: boolean; messages: boolean };

export type ApplicationSeen = {
  id: string;
  name: string;
  botName: string;
  intents: Intents;
  /** The redirects that it allows; null where Discord doesn't say. */
  redirects: string[] | null;
};

const applicationAnswer = z.looseObject({
  id: z.string(),
  name: z.string(),
  flags: z.number().nullish(),
  bot: z.looseObject({ username: z.string() }).nullish(),
  redirect_uris: z.array(z.string()).nullish(),
});

/** The application of the bot's token: https://discord.com/developers/docs/resources/application#get-current-application */
export async function readApplication(rest: REST): Promise<ApplicationSeen> {
  return seen(await translated(rest.get(Routes.currentApplication())));
}

/**
 * Turns on the two intents that the bot needs, as a bot in fewer than a hundred servers may. The other flags stay.
 * https://discord.com/developers/docs/resources/application#edit-current-application
 */
export async function addIntents(rest: REST): Promise<ApplicationSeen> {
  const { flags } = (await translated(rest.get(Routes.currentApplication()))) as APIApplication;
  const wanted = (flags ?? 0) | Flag.GatewayGuildMembersLimited | Flag.GatewayMessageContentLimited;
  return seen(await translated(rest.patch(Routes.currentApplication(), { body: { flags: wanted } })));
}

function seen(answer: unknown): ApplicationSeen {
  const { id, name, flags, bot, redirect_uris } = readAnswer(
    applicationAnswer,
    "GET /applications/@me",
    answer,
  );
  const has = (...either: number[]) => either.some((flag) => ((flags ?? 0) & flag) !== 0);
  return {
    id,
    name,
    botName: bot?.username ?? name,
    intents: {
      members: has(Flag.GatewayGuildMembers, Flag.GatewayGuildMembersLimited),
      messages: has(Flag.GatewayMessageContent, Flag.GatewayMessageContentLimited),
    },
    redirects: redirect_uris ?? null,
  };
}

export type ServerName = { id: string; name: string };
const nameAnswer = z.object({ id: z.string(), name: z.string() });

/** The servers that the bot is in. */
export async function readServers(rest: REST): Promise<ServerName[]> {
  const answer = await translated(rest.get(Routes.userGuilds()));
  return readAnswer(z.array(nameAnswer), "GET /users/@me/guilds", answer);
}

export type RoleSeen = {
  id: string;
  name: string;
  /** How many members hold it now; null where Discord doesn't say. */
  members: number | null;
  /** Why it can't be the role that customers get. */
  fault: RoleFault | null;
};

export type ServerSeen = {
  /** The rights that the bot lacks, to use what exists and to make roles and channels. */
  lacks: { use: string[]; make: string[] };
  /** Highest first, as the server's settings list them. */
  roles: RoleSeen[];
};

const countsAnswer = z.record(z.string(), z.number());

/** The server's roles, each held against the rules of a level's role, and what the bot may do. */
export async function readRoles(
  rest: REST,
  { serverId: guildId, staffRoleIds }: { serverId: string; staffRoleIds: string[] },
): Promise<ServerSeen> {
  const own = await translated(ownMember(rest, guildId));
  const counts = await memberCounts(rest, guildId);
  const may = permissionsOf(own.roles, own.me.roles, guildId);
  const highest = highestOf(own.roles.filter(({ id }) => own.me.roles.includes(id)));
  return {
    lacks: { use: missingPermissions(neededInAll, may), make: missingPermissions(neededToMake, may) },
    roles: own.roles
      .toSorted((a, b) => b.position - a.position)
      .map((role) => ({
        id: role.id,
        name: role.name,
        members: counts?.[role.id] ?? null,
        fault: roleFault(role, { guildId, staffRoleIds, highest }),
      })),
  };
}

async function memberCounts(rest: REST, guildId: string): Promise<Record<string, number> | null> {
  try {
    const answer = await rest.get(`${Routes.guildRoles(guildId)}/member-counts`);
    return readAnswer(countsAnswer, "GET /guilds/:id/roles/member-counts", answer);
  } catch (error) {
    // a server that speaks an older Discord
    if (codeOf(error) === 0) return null;
    throw translate(error);
  }
}

export type ChannelSeen = {
  id: string;
  name: string;
  /** Why tickets can't be opened there, and why it can't be the staff channel. */
  faults: { support: string | null; staff: string | null };
};

type Customers = { serverId: string; customerRoleIds: readonly string[] };

/** The server's text channels. */
export async function readChannels(
  rest: REST,
  { serverId: guildId, customerRoleIds }: Customers,
): Promise<ChannelSeen[]> {
  const own = await translated(ownMember(rest, guildId));
  const all = (await translated(rest.get(Routes.guildChannels(guildId)))) as APITextChannel[];
  return all
    .filter(({ type }) => type === ChannelType.GuildText)
    .map((channel) => ({
      id: channel.id,
      name: channel.name,
      faults: {
        support: supportFault(channel, own, guildId),
        staff: staffFault(channel, own, { guildId, customerRoleIds }),
      },
    }));
}

function supportFault(channel: APITextChannel, own: OwnMember, guildId: string): string | null {
  const lacks = missingPermissions(neededForTickets, botsRights(channel, own, guildId));
  if (lacks.length > 0) return `In #${channel.name} the bot lacks ${lacks.join(", ")}.`;
  const hidden = missingPermissions(neededToAnswer, everyonesRights(channel, own, guildId));
  return hidden.length > 0 ? `In #${channel.name} @everyone lacks ${hidden.join(", ")}.` : null;
}

function staffFault(
  channel: APITextChannel,
  own: OwnMember,
  server: { guildId: string; customerRoleIds: readonly string[] },
): string | null {
  const needed = { ...neededForStaff, ...neededForCards };
  const lacks = missingPermissions(needed, botsRights(channel, own, server.guildId));
  if (lacks.length > 0) return `In #${channel.name} the bot lacks ${lacks.join(", ")}.`;
  const strangers = strangersIn(channel, own.roles, server);
  return strangers && `${strangers.who} can read #${channel.name}: hide it from ${strangers.role}.`;
}

const botsRights = (channel: APITextChannel, { roles, me }: OwnMember, guildId: string): bigint =>
  permissionsIn(channel, permissionsOf(roles, me.roles, guildId), me, guildId);

const everyonesRights = (channel: APITextChannel, { roles }: OwnMember, guildId: string): bigint =>
  permissionsIn(channel, permissionsOf(roles, [], guildId), { roles: [], user: { id: "" } }, guildId);

type Named = { serverId: string; name: string };
const reason = "The owner set up the shop";

/** Makes a plain role for customers, or one for support that sees the commands of staff and ends tickets. Stands below the bot's. */
export async function makeRole(
  rest: REST,
  { serverId, name, use }: Named & { use: "premium" | "support" },
): Promise<ServerName> {
  const rights = use === "support" ? Permission.ModerateMembers | Permission.ManageThreads : 0n;
  const body = { name, permissions: String(rights), hoist: false, mentionable: false };
  const made = await translated(rest.post(Routes.guildRoles(serverId), { body, reason }));
  return readAnswer(nameAnswer, "POST /guilds/:id/roles", made);
}

type MadeChannel = Named & { use: "support" | "staff"; supportRoleId: string };

/** Makes the channel where tickets are opened, or the one that only support and the bot see. */
export async function makeChannel(
  rest: REST,
  { serverId, name, use, supportRoleId }: MadeChannel,
): Promise<ServerName> {
  const { me } = await translated(ownMember(rest, serverId));
  const body = {
    name,
    type: ChannelType.GuildText,
    permission_overwrites: overwritesOf(use, { everyone: serverId, support: supportRoleId, bot: me.user.id }),
  };
  const made = await translated(rest.post(Routes.guildChannels(serverId), { body, reason }));
  return readAnswer(nameAnswer, "POST /guilds/:id/channels", made);
}

function overwritesOf(
  use: MadeChannel["use"],
  { everyone, support, bot }: Record<"everyone" | "support" | "bot", string>,
) {
  const own = (allow: bigint) => ({ ...ofRole(bot, allow), type: OverwriteType.Member });
  const reads = bitsOf(neededToAnswer);
  if (use === "support")
    return [
      ofRole(everyone, reads, Permission.SendMessages),
      ofRole(support, reads | Permission.SendMessages),
      own(bitsOf({ ...neededForTickets, "Attach Files": Permission.AttachFiles })),
    ];
  return [
    ofRole(everyone, 0n, Permission.ViewChannel),
    ofRole(support, reads | Permission.SendMessages),
    own(reads | bitsOf({ ...neededForStaff, ...neededForCards })),
  ];
}

const ofRole = (id: string, allow: bigint, deny = 0n) => ({
  id,
  type: OverwriteType.Role,
  allow: String(allow),
  deny: String(deny),
});
