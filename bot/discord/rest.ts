import { DefaultRestOptions, DiscordAPIError, HTTPError, REST, type RESTOptions } from "discord.js";
import type { z } from "zod";
import { minute } from "@/contract/vocabulary/time";
import type { DiscordConfig } from "@/core/settings/config";
import type { Log } from "@/core/log/log";
import { GuildForbids, GuildUnavailable, MembersHidden } from "@/domain/discord/guild";
import { type Reachability, watchReachability } from "./reachability";

/** A call waits at most this long for its rate-limit bucket; then its job is retried later. */
const longestWaitMilliseconds = minute;
const timeoutMilliseconds = 10_000;
/** The pause after a 429 without a duration; doubled each time. */
const firstPauseSeconds = 1;
const longestPauseSeconds = 120;

type Session = {
  ended: AbortSignal;
  mayAct?: () => boolean;
  reachable?: Pick<Reachability, "answered" | "failed">;
};

/**
 * The process's only client of Discord's REST API, which waits for rate-limit buckets and for the global limit. Once
 * `ended` is aborted it sends nothing more, not even waiting calls, and aborts those under way. Sends nothing while the
 * process may not act.
 */
export function createRest(
  config: Pick<DiscordConfig, "apiUrl" | "botToken">,
  log: Log,
  { ended, mayAct = () => true, reachable = watchReachability() }: Session,
): REST {
  const rest = new REST({
    ...(config.apiUrl ? hostOptions(config.apiUrl) : {}),
    timeout: timeoutMilliseconds,
    retries: 1,
    rejectOnRateLimit: ({ timeToReset }) => ended.aborted || timeToReset > longestWaitMilliseconds,
    invalidRequestWarningInterval: 50,
    makeRequest: requestUntil({ ended, mayAct, reachable }),
  });
  rest.on("invalidRequestWarning", ({ count }) => {
    log.warn("Discord refused many requests", { count });
  });
  return rest.setToken(config.botToken);
}

/** Another server than Discord's also serves the pictures. */
const hostOptions = ({ href, origin }: URL) => ({
  api: href.replace(/\/+$/, ""),
  cdn: origin,
  mediaProxy: origin,
});

/** Clears the client's timers. */
export function closeRest(rest: REST): void {
  rest.clearHashSweeper();
  rest.clearHandlerSweeper();
}

type MakeRequest = RESTOptions["makeRequest"];
type Answer = Awaited<ReturnType<MakeRequest>>;

function requestUntil({ ended, mayAct, reachable }: Required<Session>): MakeRequest {
  const pauses = new Map<string, number>();
  return async (url, init) => {
    if (ended.aborted || !mayAct()) throw new GuildUnavailable("the bot's session ended");
    const route = routeOf(init.method ?? "GET", url);
    const signal = init.signal ? AbortSignal.any([init.signal, ended]) : ended;
    const answer = await send(url, { ...init, signal }, route).catch((error: unknown) => {
      // a cancelled call says nothing about Discord
      if (!signal.aborted) reachable.failed();
      throw error;
    });
    if (answer.status >= 500) reachable.failed();
    else reachable.answered();
    if (answer.status !== 429) {
      pauses.delete(route);
      return answer;
    }
    const retryAfter = Number(answer.headers.get("retry-after"));
    if (retryAfter > 0) return limitedFor(retryAfter, answer);
    const pause = Math.min((pauses.get(route) ?? firstPauseSeconds / 2) * 2, longestPauseSeconds);
    pauses.set(route, pause);
    return limitedFor(pause, answer);
  };
}

/**
 * discord.js repeats a call after a lost answer, but threads have no nonce: a second POST would create a second thread.
 */
async function send(url: string, init: Parameters<MakeRequest>[1], route: string): Promise<Answer> {
  if (route !== "POST /channels/:id/threads") return DefaultRestOptions.makeRequest(url, init);
  const answer = await DefaultRestOptions.makeRequest(url, init).catch((error: unknown) => {
    throw answerLost(error);
  });
  if (answer.status >= 500) throw answerLost(null);
  return answer;
}

const answerLost = (cause: unknown) => new GuildUnavailable("the answer was lost", { cause });

/** discord.js retries a 429 without a time at once, and sends the queued calls after a 429 without a bucket. */
function limitedFor(seconds: number, answer: Answer): Answer {
  const headers = new Headers([...answer.headers.entries()]);
  headers.set("retry-after", String(seconds));
  if (!headers.has("x-ratelimit-remaining")) {
    headers.set("x-ratelimit-remaining", "0");
    headers.set("x-ratelimit-reset-after", String(seconds));
  }
  // Bun's and undici's types of the body's stream differ, and there is no body
  return new Response(null, { status: 429, headers }) as unknown as Answer;
}

/** A call's route, with ids and tokens replaced. */
const routeOf = (method: string, url: string): string =>
  `${method} ${new URL(url).pathname
    .replace(/^.*\/v\d+(?=\/)/, "")
    .replace(/\/(webhooks|interactions)\/\d+\/[^/]+/, "/$1/:id/:token")
    .replace(/\d{15,20}/g, ":id")}`;

/** https://discord.com/developers/docs/topics/opcodes-and-status-codes#json */
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
  invalidBody: 50035,
  threadArchived: 50083,
  twoFactorRequired: 60003,
  tooManyThreads: 160006,
} as const;

/** Discord's error code, or null without a code. */
export const codeOf = (error: unknown): number | null =>
  error instanceof DiscordAPIError && typeof error.code === "number" ? error.code : null;

export const isNotAMember = (error: unknown): boolean =>
  codeOf(error) === discordCodes.unknownMember || codeOf(error) === discordCodes.unknownUser;

/** The domain's error: `GuildUnavailable` to retry, `GuildForbids` for a person to resolve. */
export function translate(error: unknown): GuildForbids | GuildUnavailable | MembersHidden {
  if (error instanceof GuildForbids || error instanceof GuildUnavailable || error instanceof MembersHidden) {
    return error;
  }
  if (error instanceof DiscordAPIError || error instanceof HTTPError) {
    const { status, method, url } = error;
    // Discord's own 404s have a code: this one comes from a proxy
    if (status === 404 && !codeOf(error))
      return new UnlikeDiscord(routeOf(method, url), "404 without a code");
    // refuses the content of the call, never for lack of a permission
    if (method !== "GET" && codeOf(error) === discordCodes.invalidBody) {
      return new BodyRefused(routeOf(method, url), { cause: error });
    }
    if (status >= 400 && status < 500 && status !== 429) {
      return new GuildForbids(String(codeOf(error) || status));
    }
  }
  // after a 401 discord.js drops the token, and only this message says so
  if (error instanceof Error && /token to be set/i.test(error.message)) return new GuildForbids("401");
  return new GuildUnavailable("Discord is away", { cause: error });
}

/** Throws a call's failure as the domain's error. */
export const translated = <T>(call: Promise<T>): Promise<T> =>
  call.catch((error: unknown) => {
    throw translate(error);
  });

/** Discord's answer differs from its documentation. Names the call and the missing field, never the content. */
class UnlikeDiscord extends GuildUnavailable {
  override name = "UnlikeDiscord";
  readonly code: string;
  constructor(call: string, what: string) {
    super(`${call}: ${what}`);
    this.code = this.message;
  }
}

/** Discord refuses the body of a call, such as a word in a name. */
export class BodyRefused extends GuildUnavailable {
  override name = "BodyRefused";
  readonly code: string;
  constructor(call: string, options: ErrorOptions) {
    super(`${call}: Discord refuses the body (${discordCodes.invalidBody})`, options);
    this.code = this.message;
  }
}

/** Parses the part of Discord's answer that the bot needs. */
export function readAnswer<S extends z.ZodType>(schema: S, call: string, answer: unknown): z.output<S> {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  const path = parsed.error.issues[0]?.path.join(".");
  throw new UnlikeDiscord(call, path ? `no ${path}` : "no such answer");
}
