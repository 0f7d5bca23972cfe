import { utcTime } from "@/contract/vocabulary/dates";
import {
  type APIGuildMember,
  type APIRole,
  type APITextChannel,
  type APIUser,
  type REST,
  Routes,
} from "discord.js";
import { z } from "zod";
import type { DiscordConfig } from "@/core/settings/config";
import { GuildForbids, GuildUnavailable } from "@/domain/discord/guild";
import type { ManagedRoles } from "@/domain/discord/level-roles";
import { discordCodes, readAnswer, translate, translated } from "../discord/rest";
import { type Complaint, complaintOf, roleFault, type RoleSetting } from "./level-role";
import {
  invitation,
  missingPermissions,
  neededForStaff,
  neededInServer,
  permissionsIn,
  permissionsOf,
} from "./permissions";

/** A channel is null where the bot can't see it. */
type ServerState = OwnMember & { staffChannel: APITextChannel | null; newsChannel: APITextChannel | null };

type Wanted = { config: DiscordConfig; roles: ManagedRoles; now: Date };

/**
 * Checks whether the bot can do its work: it is in the server, above the roles of levels, with its permissions, and can
 * write to staff. Throws `GuildUnavailable` if Discord is unreachable.
 */
export async function examine(rest: REST, wanted: Wanted): Promise<Complaint[]> {
  const { config } = wanted;
  try {
    rest.setToken(config.botToken);
    const seen = await readServer(rest, config);
    return complaintsOf(seen, wanted);
  } catch (error) {
    const reason = translate(error);
    if (!(reason instanceof GuildForbids)) throw reason;
    const sentence = refusedSentence(reason, config.clientId);
    return [{ code: reason.code, blocking: true, sentence }];
  }
}

async function readServer(
  rest: REST,
  { guildId, staffChannelId, newsChannelId }: DiscordConfig,
): Promise<ServerState> {
  const own = await ownMember(rest, guildId);
  const staffChannel = await channelSeen(rest, staffChannelId);
  const newsChannel = newsChannelId === null ? null : await channelSeen(rest, newsChannelId);
  return { ...own, staffChannel, newsChannel };
}

const rolesAnswer = z.array(z.looseObject({ id: z.string(), permissions: z.string(), position: z.number() }));
const memberAnswer = z.looseObject({
  roles: z.array(z.string()),
  user: z.looseObject({ id: z.string() }),
});

export type OwnMember = { roles: APIRole[]; me: APIGuildMember };

/** The server's roles and the bot's own membership. Throws `UnlikeDiscord` where what the checks need is missing. */
export async function ownMember(rest: REST, guildId: string): Promise<OwnMember> {
  const user = (await rest.get(Routes.user())) as APIUser;
  const roles = await rest.get(Routes.guildRoles(guildId));
  const me = await rest.get(Routes.guildMember(guildId, user.id));
  // parses only what the checks read
  return {
    roles: readAnswer(rolesAnswer, "GET /guilds/:id/roles", roles) as unknown as APIRole[],
    me: readAnswer(memberAnswer, "GET /guilds/:id/members/:id", me) as unknown as APIGuildMember,
  };
}

/** Gives the bot a role and takes it back, or the other way round where it has the role. Resolves to the role's name. Throws as `translate` has it. */
export async function tryRole(rest: REST, { guildId }: DiscordConfig, roleId: string): Promise<string> {
  const { me, roles } = await translated(ownMember(rest, guildId));
  const path = Routes.guildMemberRole(guildId, me.user.id, roleId);
  const reason = "An owner tries whether the bot can change this role";
  const ways = me.roles.includes(roleId) ? (["delete", "put"] as const) : (["put", "delete"] as const);
  for (const way of ways) await translated(rest[way](path, { reason }));
  return roles.find(({ id }) => id === roleId)?.name ?? roleId;
}

async function channelSeen(rest: REST, id: string): Promise<APITextChannel | null> {
  const channel = await rest.get(Routes.channel(id)).catch((error: unknown) => {
    if (translate(error) instanceof GuildUnavailable) throw error;
    return null;
  });
  return channel as APITextChannel | null;
}

/** Every fault of the server. */
export function complaintsOf(
  { roles, me, staffChannel, newsChannel }: ServerState,
  { config, roles: managed, now }: Wanted,
): Complaint[] {
  const complaints: Complaint[] = [];
  const complain = (code: string, blocking: boolean, sentence: string) =>
    complaints.push({ code, blocking, sentence });
  const may = permissionsOf(roles, me.roles, config.guildId);
  const timedOutUntil = Date.parse(me.communication_disabled_until ?? "");
  if (timedOutUntil > now.getTime()) {
    const until = utcTime(new Date(timedOutUntil));
    complain("timed_out", true, `The bot is timed out in the server until ${until}. Remove its timeout.`);
  }
  complaints.push(...roleComplaints(roles, managed, roleSetting({ roles, me }, config)));
  const missing = missingPermissions(neededInServer, may);
  if (missing.includes("Manage Roles")) {
    complain("manage_roles", true, "The bot lacks the permission Manage Roles.");
  }
  if (missing.includes("Create Invite")) {
    complain(
      "create_invite",
      false,
      "The bot lacks the permission Create Invite, so it can't add people to the server when they connect.",
    );
  }
  if (!roles.some(({ id }) => id === config.supportRoleId)) {
    complain(
      "support_role_missing",
      false,
      "The support role does not exist in the server, so nobody can use the staff commands.",
    );
  }
  if (config.ownerRoleId !== null && !roles.some(({ id }) => id === config.ownerRoleId)) {
    complain(
      "owner_role_missing",
      false,
      "The owner role does not exist in the server, so nobody can approve refunds.",
    );
  }
  const canWrite = (channel: APITextChannel | null) =>
    channel !== null &&
    missingPermissions(neededForStaff, permissionsIn(channel, may, me, config.guildId)).length === 0;
  if (!canWrite(staffChannel)) {
    complain("staff_channel", false, "The bot can't write to the staff channel.");
  }
  if (config.newsChannelId !== null && !canWrite(newsChannel)) {
    complain("news_channel", false, "The bot can't write to the news channel.");
  }
  return complaints;
}

/** The faults of each role, in the order of the levels. */
function roleComplaints(
  roles: APIRole[],
  { levels, former }: ManagedRoles,
  setting: RoleSetting,
): Complaint[] {
  const seen = new Map(roles.map((role) => [role.id, role]));
  const given = Map.groupBy(levels, ({ roleId }) => roleId);
  const ofLevels = [...given].map(([id, giving]): Complaint | null => {
    const role = seen.get(id);
    const fault = role && roleFault(role, setting);
    if (role) return fault ? complaintOf(id, fault) : null;
    const names = giving.map(({ name }) => name).join(" and ");
    const which = given.size === 1 ? "The premium role" : `The role of ${names}`;
    const sentence = `${which} does not exist in the server.`;
    return { code: "role_missing", blocking: true, sentence, role: { id, stops: ["grant", "take"] } };
  });
  // of these only what keeps the bot from taking them matters
  const ofFormer = former.map((id): Complaint | null => {
    const role = seen.get(id);
    const fault = role && roleFault(role, { ...setting, staffRoleIds: [] });
    return fault?.stops.includes("take") ? complaintOf(id, fault) : null;
  });
  return [...ofLevels, ...ofFormer].filter((one) => one !== null);
}

/** What the bot, as it stands in the server, and the settings say of every role. */
export const roleSetting = (
  { roles, me }: OwnMember,
  { guildId, supportRoleId, ownerRoleId }: DiscordConfig,
): RoleSetting => ({
  guildId,
  staffRoleIds: [supportRoleId, ownerRoleId],
  highest: highestOf(roles.filter(({ id }) => me.roles.includes(id))),
});

/** The highest of some roles; null if there are none. */
export const highestOf = (roles: APIRole[]): APIRole | null =>
  roles.toSorted((a, b) => b.position - a.position)[0] ?? null;

/** A refusal whose cause the bot can't see. */
export function unexplainedComplaint(code: string): Complaint {
  const sentence =
    code === String(discordCodes.twoFactorRequired)
      ? `Discord refuses role changes (${code}): the server requires two-factor authentication from moderators. Turn it on for the account that owns the bot's application.`
      : `Discord refuses role changes (${code}), and nothing the bot can see explains it.`;
  return { code, blocking: true, sentence };
}

/** Why Discord refuses the bot. With the application's id, it says how to invite the bot. */
export function refusedSentence({ code }: GuildForbids, clientId?: string): string {
  if (code === "401")
    return "Discord refuses the bot's token: in the developer portal, under Bot, press Reset Token, and give shop setup the new one.";
  if (code === "10004" || code === "50001" || code === "10007")
    return `The bot is not in the server, or can't see it. Invite it${clientId ? `: ${invitation(clientId, "use")}` : " again."}`;
  return `Discord refuses what the bot asks (${code}).`;
}
