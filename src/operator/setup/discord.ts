import type { ApplicationSeen, ChannelSeen, ServerName, ServerSeen } from "@bot/server/building";
import { createLog } from "@/core/log/log";
import type { DiscordConfig } from "@/core/settings/config";
import { GuildForbids, GuildUnavailable } from "@/domain/discord/guild";
import { SignOnUnreachable } from "@/domain/discord/sign-on";
import { inSeconds, refused, type Tried, untested } from "./tried";

export type DiscordAccess = Pick<DiscordConfig, "botToken" | "apiUrl">;

/** The application of a bot's token. */
export const tryDiscord = (access: DiscordAccess): Promise<Tried<ApplicationSeen>> =>
  asBot(access, ({ rest, readApplication }) => readApplication(rest));

/** Turns on Server Members Intent and Message Content Intent; refused, it names the switches. */
export async function turnOnIntents(access: DiscordAccess): Promise<Tried<ApplicationSeen>> {
  const tried = await asBot(access, ({ rest, addIntents }) => addIntents(rest));
  const isDone = tried.kind === "ok" && tried.intents.members && tried.intents.messages;
  if (isDone || tried.kind === "untested") return tried;
  return refused(
    "Discord doesn't let the bot turn on its intents: in the developer portal, under Bot, turn on Server Members Intent and Message Content Intent.",
  );
}

/** Whether Discord knows the application's id with this secret. */
export function tryClientSecret(
  client: Pick<DiscordConfig, "clientId" | "clientSecret" | "apiUrl">,
): Promise<Tried> {
  const ask = async (): Promise<Tried> => {
    const { acceptsClient } = await import("@/gateways/discord/sign-on");
    try {
      if (await acceptsClient(client)) return { kind: "ok" };
      return refused(
        "Discord refuses the client secret: copy it from the developer portal, under OAuth2; Reset Secret shows it once.",
      );
    } catch (error) {
      if (error instanceof SignOnUnreachable) return untested(away);
      throw error;
    }
  };
  return inSeconds(mostSeconds, "Discord", ask());
}

/** The address that invites the bot, to use roles and channels that exist or to make them. */
export async function invitationOf(
  applicationId: string,
  purpose: "use" | "make",
  apiUrl: URL | null = null,
): Promise<string> {
  const { invitation } = await import("@bot/server/permissions");
  return invitation(applicationId, purpose, apiUrl?.href.replace(/\/+$/, "").replace(/\/api$/, ""));
}

/** The servers that the bot is in. */
export const serversOf = (access: DiscordAccess): Promise<Tried<{ servers: ServerName[] }>> =>
  asBot(access, async ({ rest, readServers }) => ({ servers: await readServers(rest) }));

type Server = { serverId: string };

/**
 * The roles of a server, each with what speaks against it as the premium role, which none of `staffRoleIds` can be, and
 * the rights that the bot lacks.
 */
export const rolesOf = (
  access: DiscordAccess,
  { serverId, staffRoleIds = [] }: Server & { staffRoleIds?: string[] },
): Promise<Tried<ServerSeen>> =>
  asBot(access, ({ rest, readRoles }) => readRoles(rest, { serverId, staffRoleIds }));

/** The text channels of a server, each with what speaks against it; customers must not read that of staff. */
export const channelsOf = (
  access: DiscordAccess,
  { serverId, premiumRoleId = null }: Server & { premiumRoleId?: string | null },
): Promise<Tried<{ channels: ChannelSeen[] }>> =>
  asBot(access, async ({ rest, readChannels }) => ({
    channels: await readChannels(rest, {
      serverId,
      customerRoleIds: premiumRoleId === null ? [] : [premiumRoleId],
    }),
  }));

export const makeRole = (
  access: DiscordAccess,
  wanted: Server & { name: string; use: "premium" | "support" },
): Promise<Tried<ServerName>> => asBot(access, (bot) => bot.makeRole(bot.rest, wanted));

export const makeChannel = (
  access: DiscordAccess,
  wanted: Server & { name: string; use: "support" | "staff"; supportRoleId: string },
): Promise<Tried<ServerName>> => asBot(access, (bot) => bot.makeChannel(bot.rest, wanted));

const mostSeconds = 30;
const away = "Discord can't be reached from here: check the network, and run this again.";

type Bot = Awaited<ReturnType<typeof loadBot>>;
type Client = { rest: ReturnType<Bot["createRest"]> };

/** Loads the bot's code for this trial. */
async function loadBot() {
  const parts = await Promise.all([
    import("@bot/discord/rest"),
    import("@bot/server/building"),
    import("@bot/server/server-checks"),
  ]);
  return { ...parts[0], ...parts[1], ...parts[2] };
}

/** Runs calls with the bot's token; the client ends with them. */
async function asBot<T extends object>(
  access: DiscordAccess,
  does: (bot: Bot & Client) => Promise<T>,
): Promise<Tried<T>> {
  const bot = await loadBot();
  const ended = new AbortController();
  const rest = bot.createRest(
    access,
    createLog("error", () => {}),
    { ended: ended.signal },
  );
  const ask = async (): Promise<Tried<T>> => {
    try {
      return { kind: "ok", ...(await does({ ...bot, rest })) };
    } catch (error) {
      if (error instanceof GuildForbids) return refused(lacks[error.code] ?? bot.refusedSentence(error));
      if (error instanceof bot.BodyRefused) return refused("Discord refuses that name: give another.");
      if (error instanceof GuildUnavailable) return untested(away);
      throw error;
    }
  };
  try {
    return await inSeconds(mostSeconds, "Discord", ask());
  } finally {
    ended.abort();
    bot.closeRest(rest);
  }
}

const lacks: Record<string, string> = {
  50013: "The bot lacks a right in the server: invite it again, with every right that it asks for.",
  60003:
    "The server requires two-factor authentication: turn it on for the account that owns the application.",
};
