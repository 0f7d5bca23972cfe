import {
  Client,
  Events,
  GatewayCloseCodes,
  GatewayDispatchEvents as Dispatch,
  GatewayIntentBits as Intent,
  type GatewayMessageCreateDispatchData,
  type GatewayMessageDeleteBulkDispatchData,
  type GatewayMessageDeleteDispatchData,
  type GatewayMessageUpdateDispatchData,
  type Interaction,
  Options,
  type REST,
  Status,
  type WebSocketOptions,
} from "discord.js";
import { minute } from "@/contract/vocabulary/time";
import type { DiscordConfig } from "@/core/settings/config";
import type { Ctx } from "@/core/database/context";
import { reasonOf } from "@/core/log/log";
import { newTrace, runTraced } from "@/core/log/trace";
import type { IdentifyBudget } from "./identify-budget";
import { createReconnect, type Reconnect, type ReconnectPace } from "./reconnect";

/** The bot's handlers of events in the server. The client catches and logs errors. */
export type GatewayEvents = {
  /** A new session, so the bot may have missed events. */
  ready(): Promise<void>;
  /** A member joined, or their roles changed. */
  memberChanged(userId: string, roles: string[]): Promise<void>;
  memberLeft(userId: string): Promise<void>;
  /** The server's roles changed, so the bot may be able to do its work again, or no longer. */
  rolesChanged(): Promise<void>;
  /** Includes the bot's own messages. */
  messageCreated(message: GatewayMessageCreateDispatchData): Promise<void>;
  messageEdited(message: GatewayMessageUpdateDispatchData): Promise<void>;
  messagesDeleted(channelId: string, ids: string[]): Promise<void>;
  /** A channel's permissions may have changed. */
  channelChanged(channelId: string): Promise<void>;
  /** A channel or a thread was deleted. */
  channelDeleted(channelId: string): Promise<void>;
  interaction(interaction: Interaction): Promise<void>;
};

export type ClientParts = {
  config: DiscordConfig;
  /** Shared by all of this process's calls to Discord. */
  rest: REST;
  ctx: Ctx;
  budget: IdentifyBudget;
  pace: ReconnectPace;
  events: GatewayEvents;
  /** Ignores events once another process may run the bot. */
  mayAct: () => boolean;
  /** Without the intent, only reconciliation notices who joins or leaves. */
  membersIntent: boolean;
  /** Without the intent, messages come without their text. */
  contentIntent: boolean;
};

/** Why a client ended: Discord refuses the `intents` or the `token`, it was `stopped`, or the connection was `lost`. */
export type ConnectionEnd = "intents" | "token" | "stopped" | "lost";

/** After this long without a connection, the client is replaced. */
const disconnectTimeoutMilliseconds = 5 * minute;
const checkEveryMilliseconds = 2_000;

export type RunningClient = {
  isUp(): boolean;
  /** Never rejects. */
  ended: Promise<ConnectionEnd>;
};

/**
 * One client of discord.js, from login to its end. It reconnects and resumes by itself; it ends when Discord refuses
 * it, when stopped, or when disconnected for too long.
 */
export function startClient(parts: ClientParts, stop: AbortSignal): RunningClient {
  const reconnect = createReconnect(parts);
  const client = createClient(parts, reconnect.ws);
  // the client's own REST manager is replaced by the shared one
  client.rest.clearHashSweeper();
  client.rest.clearHandlerSweeper();
  client.rest = withoutTeardown(parts.rest);
  const ended = runToEnd(client, { ...parts, reconnect }, stop);
  return { isUp: () => isUp(client, reconnect), ended };
}

type Run = ClientParts & { reconnect: Reconnect };

/**
 * A client that is destroyed, or destroys itself because it can't log in, clears the token and the timers of its REST
 * manager. This proxy ignores those calls, because the rest of the bot still uses the manager.
 */
function withoutTeardown(rest: REST): REST {
  const lent: Partial<REST> = {
    setToken: (token: string | null) => (token === null ? rest : rest.setToken(token)),
    clearHashSweeper: () => {},
    clearHandlerSweeper: () => {},
  };
  return new Proxy(rest, {
    get(_, name) {
      if (Object.hasOwn(lent, name)) return Reflect.get(lent, name);
      // bound, because the manager keeps its token in a private field
      const value: unknown = Reflect.get(rest, name, rest);
      return typeof value === "function" ? value.bind(rest) : value;
    },
  });
}

async function runToEnd(client: Client, run: Run, stop: AbortSignal): Promise<ConnectionEnd> {
  const end = Promise.withResolvers<ConnectionEnd>();
  listen(client, run, (why) => end.resolve(why));
  client.on(Events.Debug, (message) => run.reconnect.onDebug(message));
  const stopped = () => end.resolve("stopped");
  stop.addEventListener("abort", stopped, { once: true });
  if (stop.aborted) stopped();
  const watch = watchConnection(
    run,
    () => isUp(client, run.reconnect),
    () => end.resolve("lost"),
  );
  client.login(run.config.botToken).catch((error: unknown) => end.resolve(refusalIn(error)));
  const why = await end.promise;
  clearInterval(watch);
  stop.removeEventListener("abort", stopped);
  await closeClient(client, run);
  return why;
}

function createClient({ rest, membersIntent, contentIntent }: ClientParts, ws: WebSocketOptions): Client {
  return new Client({
    intents: [
      Intent.Guilds,
      Intent.GuildMessages,
      ...(membersIntent ? [Intent.GuildMembers] : []),
      ...(contentIntent ? [Intent.MessageContent] : []),
    ],
    allowedMentions: { parse: [], repliedUser: false },
    rest: { ...rest.options, hashSweepInterval: 0, handlerSweepInterval: 0 },
    ws,
    // the shop asks Discord when it needs data; caches would only grow
    makeCache: Options.cacheWithLimits({
      ...Options.DefaultMakeCacheSettings,
      GuildMemberManager: { maxSize: 50, keepOverLimit: (member) => member.id === member.client.user.id },
      UserManager: { maxSize: 50, keepOverLimit: (user) => user.id === user.client.user.id },
      MessageManager: 0,
      PresenceManager: 0,
      VoiceStateManager: 0,
    }),
  });
}

function listen(client: Client, parts: ClientParts, end: (why: ConnectionEnd) => void): void {
  const { config, events, mayAct, pace } = parts;
  const { log } = parts.ctx;
  /** Keeps errors of event handlers out of discord.js. */
  const guarded = (name: string, act: () => Promise<void>) => {
    if (!mayAct()) return;
    const trace = newTrace();
    runTraced(trace, () => Promise.resolve().then(act)).catch((error: unknown) =>
      log.error("the bot failed to handle an event", {
        request: trace,
        topic: name,
        reason: reasonOf(error),
      }),
    );
  };
  client.on(Events.Raw, withoutNullThreads);
  // on each new session, because Discord does not repeat the events missed before it
  client.on(Events.ShardReady, () => guarded("ready", () => events.ready()));
  for (const event of [Events.ShardReady, Events.ShardResume] as const) client.on(event, () => pace.ready());
  client.on(Events.InteractionCreate, (one) => guarded("interaction", () => events.interaction(one)));
  client.on(Events.Error, (error) =>
    log.warn("the bot's client reported an error", { reason: reasonOf(error) }),
  );
  client.on(Events.ShardError, (error) =>
    log.debug("the gateway reported an error", { reason: reasonOf(error) }),
  );
  client.on(Events.Invalidated, () => end("lost"));
  client.on(Events.ShardDisconnect, ({ code }) => end(endByCloseCode[code] ?? "lost"));
  // raw events, because discord.js reports only members that it has cached
  const isOurGuild = (data: { guild_id: string }) => data.guild_id === config.guildId;
  const changed = (data: { guild_id: string; user: { id: string }; roles: string[] }) => {
    if (isOurGuild(data)) guarded("member", () => events.memberChanged(data.user.id, data.roles));
  };
  client.ws.on(Dispatch.GuildMemberAdd, changed);
  client.ws.on(Dispatch.GuildMemberUpdate, changed);
  client.ws.on(Dispatch.GuildMemberRemove, (data: { guild_id: string; user: { id: string } }) => {
    if (isOurGuild(data)) guarded("member left", () => events.memberLeft(data.user.id));
  });
  for (const event of [Dispatch.GuildRoleCreate, Dispatch.GuildRoleUpdate, Dispatch.GuildRoleDelete]) {
    client.ws.on(event, (data: { guild_id: string }) => {
      if (isOurGuild(data)) guarded("roles", () => events.rolesChanged());
    });
  }
  client.ws.on(Dispatch.ChannelUpdate, (data: { id: string; guild_id: string }) => {
    if (isOurGuild(data)) guarded("channel", () => events.channelChanged(data.id));
  });
  listenToMessages(client, parts, guarded);
}

/** Raw events too, so that the client keeps no messages. */
function listenToMessages(client: Client, { config, events }: ClientParts, guarded: RunGuarded): void {
  const isOurGuild = (data: { guild_id?: string }) => data.guild_id === config.guildId;
  client.ws.on(Dispatch.MessageCreate, (data: GatewayMessageCreateDispatchData) => {
    if (isOurGuild(data)) guarded("message", () => events.messageCreated(data));
  });
  client.ws.on(Dispatch.MessageUpdate, (data: GatewayMessageUpdateDispatchData) => {
    if (isOurGuild(data)) guarded("message edited", () => events.messageEdited(data));
  });
  client.ws.on(Dispatch.MessageDelete, (data: GatewayMessageDeleteDispatchData) => {
    if (isOurGuild(data))
      guarded("message deleted", () => events.messagesDeleted(data.channel_id, [data.id]));
  });
  client.ws.on(Dispatch.MessageDeleteBulk, (data: GatewayMessageDeleteBulkDispatchData) => {
    if (isOurGuild(data))
      guarded("messages deleted", () => events.messagesDeleted(data.channel_id, data.ids));
  });
  for (const event of [Dispatch.ThreadDelete, Dispatch.ChannelDelete]) {
    client.ws.on(event, (data: { id: string; guild_id: string }) => {
      if (isOurGuild(data)) guarded("channel", () => events.channelDeleted(data.id));
    });
  }
}

/** discord.js treats any `thread` field of a message as a thread, and fails on null. */
function withoutNullThreads({
  d,
}: {
  d?: { thread?: unknown; message?: { thread?: unknown } } | null;
}): void {
  for (const message of [d, d?.message]) if (message?.thread === null) delete message.thread;
}

type RunGuarded = (name: string, act: () => Promise<void>) => void;

/** Connected and identified, and not closing a connection that has gone silent. */
const isUp = (client: Client, reconnect: Reconnect): boolean =>
  client.isReady() &&
  client.ws.shards.every(({ status }) => status === Status.Ready) &&
  reconnect.isConnected();

/** Checks every few seconds for silent connections, and for a client disconnected for too long. */
function watchConnection({ ctx, reconnect }: Run, up: () => boolean, lost: () => void): Timer {
  const now = () => ctx.now().getTime();
  let upAt = now();
  return setInterval(() => {
    reconnect.closeSilent();
    if (up()) upAt = now();
    else if (Math.abs(now() - upAt) > disconnectTimeoutMilliseconds) lost();
  }, checkEveryMilliseconds);
}

const endByCloseCode: Record<number, ConnectionEnd> = {
  [GatewayCloseCodes.DisallowedIntents]: "intents",
  [GatewayCloseCodes.AuthenticationFailed]: "token",
};

/** Only the message of discord.js's error says why it could not log in. */
function refusalIn(error: unknown): ConnectionEnd {
  const message = error instanceof Error ? error.message : "";
  if (/disallowed intents/i.test(message)) return "intents";
  return /token|authentication failed/i.test(message) ? "token" : "lost";
}

async function closeClient(client: Client, { ctx, reconnect }: Run): Promise<void> {
  try {
    await reconnect.end(() => client.destroy());
    client.removeAllListeners();
    client.on(Events.Error, () => {});
  } catch (error) {
    ctx.log.warn("the bot's client could not be closed cleanly", { reason: reasonOf(error) });
  }
}
