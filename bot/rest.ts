import { DefaultRestOptions, DiscordAPIError, HTTPError, REST, type RESTOptions } from "discord.js";
import type { DiscordConfig } from "@/core/config";
import type { Log } from "@/core/log";
import { GuildForbids, GuildUnavailable, MembersHidden } from "@/domain/community/guild";
import { bucketOf, type Buckets, UsedUp } from "@/gateways/discord/buckets";

/** A job waits no longer than this for a bucket; it is put back with a delay instead. */
const longestWaitMilliseconds = 60_000;
/** And no longer than this for an answer. */
const patienceMilliseconds = 10_000;

/** How every client of the bot talks to Discord's REST API: through the same buckets. */
export const restOptions = (config: DiscordConfig, buckets: Buckets): Partial<RESTOptions> => ({
  ...(config.apiUrl ? { api: config.apiUrl.href.replace(/\/+$/, "") } : {}),
  timeout: longestWaitMilliseconds + patienceMilliseconds,
  retries: 1,
  rejectOnRateLimit: ({ timeToReset }) => timeToReset > longestWaitMilliseconds,
  invalidRequestWarningInterval: 50,
  makeRequest: passing(buckets),
});

type MakeRequest = RESTOptions["makeRequest"];

/**
 * discord.js obeys the buckets that it was told of since it started, but the first calls after a start, and the first
 * one after it learned a bucket's name, go out whatever is left. None passes here that Discord would refuse.
 */
function passing(buckets: Buckets): MakeRequest {
  return async (url, init) => {
    const path = new URL(url).pathname.replace(/^.*\/v\d+(?=\/)/, "");
    const bucket = bucketOf(init.method ?? "GET", path);
    const giveUpAt = performance.now() + longestWaitMilliseconds;
    for (;;) {
      try {
        return await (bucket ? buckets.during(bucket, () => send(url, init)) : send(url, init));
      } catch (error) {
        if (!(error instanceof UsedUp) || performance.now() + error.milliseconds > giveUpAt) throw error;
        await Bun.sleep(error.milliseconds);
      }
    }
  };
}

/** With a patience of its own, as that of discord.js runs while a call waits here. */
const send: MakeRequest = async (url, init) => {
  const impatience = new AbortController();
  const timer = setTimeout(() => impatience.abort(), patienceMilliseconds);
  try {
    return await DefaultRestOptions.makeRequest(url, { ...init, signal: impatience.signal });
  } finally {
    clearTimeout(timer);
  }
};

/** The client of everything that is not an answer to a person. */
export function createRest(config: DiscordConfig, log: Log, buckets: Buckets): REST {
  const rest = new REST(restOptions(config, buckets)).setToken(config.botToken);
  rest.on("invalidRequestWarning", ({ count }) => {
    log.warn("Discord refused many requests", { count });
  });
  return rest;
}

/** Codes that mean the same for whatever was asked. https://discord.com/developers/docs/topics/opcodes-and-status-codes#json */
export const discordCodes = {
  unknownGuild: 10004,
  unknownMember: 10007,
  unknownRole: 10011,
  unknownUser: 10013,
  tooManyServers: 30001,
  banned: 40007,
  missingAccess: 50001,
  missingPermissions: 50013,
  invalidToken: 50025,
} as const;

/** The code that Discord gave, or null when it was no refusal. */
export const codeOf = (error: unknown): number | null =>
  error instanceof DiscordAPIError && typeof error.code === "number" ? error.code : null;

export const isNotAMember = (error: unknown): boolean =>
  codeOf(error) === discordCodes.unknownMember || codeOf(error) === discordCodes.unknownUser;

/** What went wrong, as the domain knows it: worth another try by itself, or a matter for a person. */
export function translate(error: unknown): GuildForbids | GuildUnavailable | MembersHidden {
  if (error instanceof GuildForbids || error instanceof GuildUnavailable || error instanceof MembersHidden) {
    return error;
  }
  if (error instanceof DiscordAPIError || error instanceof HTTPError) {
    const { status } = error;
    if (status >= 400 && status < 500 && status !== 429) {
      return new GuildForbids(String(codeOf(error) || status));
    }
  }
  // after a 401 the client has let go of its token and says so in words
  if (error instanceof Error && /token to be set/i.test(error.message)) return new GuildForbids("401");
  return new GuildUnavailable("Discord is away", { cause: error });
}
