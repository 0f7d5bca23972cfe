import { DefaultRestOptions, DiscordAPIError, HTTPError, REST, type RESTOptions } from "discord.js";
import type { DiscordConfig } from "@/core/config";
import type { Log } from "@/core/log";
import { GuildForbids, GuildUnavailable, MembersHidden } from "@/domain/community/guild";
import { UnlikeDiscord } from "./answers";

/** A call does not wait for a bucket that stays empty longer than this; its job is tried again later instead. */
const longestWaitMilliseconds = 60_000;
const patienceMilliseconds = 10_000;
/** Between calls to a route that answers 429 without saying for how long; doubled each time. */
const firstPauseSeconds = 1;
const longestPauseSeconds = 120;

/**
 * The process's one client of Discord's REST API, which waits for buckets and for the global limit. Once
 * `ended` is aborted nothing goes out any more, whatever still waits in it.
 */
export function createRest(config: DiscordConfig, log: Log, ended: AbortSignal): REST {
  const rest = new REST({
    ...(config.apiUrl ? { api: config.apiUrl.href.replace(/\/+$/, "") } : {}),
    timeout: patienceMilliseconds,
    retries: 1,
    rejectOnRateLimit: ({ timeToReset }) => ended.aborted || timeToReset > longestWaitMilliseconds,
    invalidRequestWarningInterval: 50,
    makeRequest: requestUntil(ended),
  });
  rest.on("invalidRequestWarning", ({ count }) => {
    log.warn("Discord refused many requests", { count });
  });
  return rest.setToken(config.botToken);
}

/** Ends the timers that it keeps. */
export function closeRest(rest: REST): void {
  rest.clearHashSweeper();
  rest.clearHandlerSweeper();
}

type MakeRequest = RESTOptions["makeRequest"];
type Answer = Awaited<ReturnType<MakeRequest>>;

function requestUntil(ended: AbortSignal): MakeRequest {
  const pauses = new Map<string, number>();
  return async (url, init) => {
    if (ended.aborted) throw new GuildUnavailable("the bot's session ended");
    const route = routeOf(init.method ?? "GET", url);
    const answer = await send(url, init, route);
    if (answer.status !== 429) {
      pauses.delete(route);
      return answer;
    }
    const told = Number(answer.headers.get("retry-after"));
    if (told > 0) return limitedFor(told, answer);
    const pause = Math.min((pauses.get(route) ?? firstPauseSeconds / 2) * 2, longestPauseSeconds);
    pauses.set(route, pause);
    return limitedFor(pause, answer);
  };
}

/** discord.js repeats a call whose answer was lost. A second POST would make a second thread, as it has no nonce. */
async function send(url: string, init: Parameters<MakeRequest>[1], route: string): Promise<Answer> {
  if (route !== "POST /channels/:id/threads") return DefaultRestOptions.makeRequest(url, init);
  const answer = await DefaultRestOptions.makeRequest(url, init).catch((error: unknown) => {
    throw lost(error);
  });
  if (answer.status >= 500) throw lost(null);
  return answer;
}

const lost = (cause: unknown) => new GuildUnavailable("the answer was lost", { cause });

/** discord.js asks again at once where a 429 names no time, and sends whatever else is queued where it names no bucket. */
function limitedFor(seconds: number, answer: Answer): Answer {
  const headers = new Headers([...answer.headers.entries()]);
  headers.set("retry-after", String(seconds));
  if (!headers.has("x-ratelimit-remaining")) {
    headers.set("x-ratelimit-remaining", "0");
    headers.set("x-ratelimit-reset-after", String(seconds));
  }
  // the types of a stream differ between Bun's and undici's, and there is none
  return new Response(null, { status: 429, headers }) as unknown as Answer;
}

/** A call without what tells one place or person from another. */
const routeOf = (method: string, url: string): string =>
  `${method} ${new URL(url).pathname
    .replace(/^.*\/v\d+(?=\/)/, "")
    .replace(/\/(webhooks|interactions)\/\d+\/[^/]+/, "/$1/:id/:token")
    .replace(/\d{15,20}/g, ":id")}`;

/** Codes that mean the same for whatever was asked. https://discord.com/developers/docs/topics/opcodes-and-status-codes#json */
export const discordCodes = {
  unknownChannel: 10003,
  unknownGuild: 10004,
  unknownMember: 10007,
  unknownMessage: 10008,
  unknownRole: 10011,
  unknownUser: 10013,
  tooManyServers: 30001,
  banned: 40007,
  missingAccess: 50001,
  missingPermissions: 50013,
  invalidToken: 50025,
  threadArchived: 50083,
  twoFactorRequired: 60003,
  tooManyThreads: 160006,
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
    const { status, method, url } = error;
    // Discord always says what it doesn't know: this comes from something in its place
    if (status === 404 && !codeOf(error))
      return new UnlikeDiscord(routeOf(method, url), "404 without a code");
    if (status >= 400 && status < 500 && status !== 429) {
      return new GuildForbids(String(codeOf(error) || status));
    }
  }
  // after a 401 the client has let go of its token and says so in words
  if (error instanceof Error && /token to be set/i.test(error.message)) return new GuildForbids("401");
  return new GuildUnavailable("Discord is away", { cause: error });
}

/** A call whose failure is thrown as the domain knows it. */
export const translated = <T>(call: Promise<T>): Promise<T> =>
  call.catch((error: unknown) => {
    throw translate(error);
  });
