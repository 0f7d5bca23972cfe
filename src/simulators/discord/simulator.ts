import { Hono } from "hono";
import { randomBytes } from "node:crypto";
import { EventEmitter } from "node:events";
import { controlRoutes } from "../base/actions";
import { namesThisMachine, otherHost } from "../base/host";
import { assets } from "../base/page";
import { word } from "../base/words";
import { discordActions } from "./control/actions";
import { discordReports } from "./control/report";
import { createServer, knownIds } from "./demo";
import { DiscordRefusal } from "./errors";
import { noFaults } from "./faults";
import { type Gateway, openGateway } from "./gateway/gateway";
import type { Connection, Socket } from "./gateway/sessions";
import { seededIds } from "./ids";
import { authorizePage } from "./oauth/page";
import { actionOutcome, serverPage } from "./page/server-page";
import { restApi } from "./rest/app";
import { type LimitSettings, realLimits } from "./rest/limits";
import { Tally } from "./rest/tally";
import { type DiscordStore, openDiscordStore } from "./rows";
import { type Known, type World } from "./world";

export type DiscordSimulatorOptions = {
  /** Default 0: any free port. */
  port?: number | undefined;
  clientSecret?: string;
  /** The redirect addresses allowed in OAuth; any address while empty. */
  redirectUris?: string[] | undefined;
  guildName?: string;
  /** Whether the bot is in the server from the beginning; by default it is. */
  invited?: boolean;
  botName?: string;
  /** The interval of a bot's heartbeats; Discord's is 41,250 ms. */
  heartbeatMs?: number;
  /** Default: Discord's own limits. */
  limits?: Partial<LimitSettings>;
  /** With a folder, everything survives a restart of the simulator, even after SIGKILL. */
  dataDir?: string | undefined;
  /** The same seed gives the same ids and tokens. Without one, tokens never repeat between runs. */
  seed?: string | number | undefined;
  /** Unix milliseconds. */
  now?: () => number;
};

export type DiscordSimulator = Known & {
  /** The base URL; point discord.js at `${url}/api`. */
  url: string;
  botToken: string;
  clientId: string;
  clientSecret: string;
  stop(): Promise<void>;
};

/** Starts the Discord simulator: HTTP API, gateway, OAuth, a page, and a control API. */
export async function startDiscordSimulator(
  options: DiscordSimulatorOptions = {},
): Promise<DiscordSimulator> {
  const store = openDiscordStore(options.dataDir);
  const settings = begin(store, options);
  const known = knownIds(settings.seed);
  const names = { guild: options.guildName ?? "The Shop", bot: options.botName ?? "Shop" };
  if (!store.users.has(known.botId)) {
    createServer(store, settings.seed, known, names);
    if (options.invited === false) {
      store.remove("members", known.botId);
      store.remove("roles", known.botRoleId);
    }
  }
  store.save();
  const world = makeWorld(options, { store, settings, known });
  const gateway = openGateway(world, options.heartbeatMs ?? 41_250);
  world.dispatch = (happening) => gateway.dispatch(happening);
  const app = assemble(world, gateway);
  const server = serve(options, app, { world, gateway });
  const url = `http://${server.hostname}:${server.port}`;
  world.url = url;
  return {
    ...known,
    url,
    clientId: known.applicationId,
    botToken: settings.botToken,
    clientSecret: settings.clientSecret,
    async stop() {
      gateway.cut();
      await server.stop(true);
      store.close();
    },
  };
}

function makeWorld(
  options: DiscordSimulatorOptions,
  parts: { store: DiscordStore; settings: Settings; known: Known },
): World {
  const { store, settings, known } = parts;
  const now = options.now ?? Date.now;
  return {
    store,
    ids: seededIds(settings.seed, settings.run, now),
    faults: noFaults(),
    limits: { ...realLimits(), ...options.limits },
    tally: new Tally(),
    known,
    secrets: { botToken: settings.botToken, clientSecret: settings.clientSecret },
    redirectUris: options.redirectUris ?? [],
    now,
    url: "",
    dispatch: () => {},
    changes: 0,
    changed: new EventEmitter().setMaxListeners(0),
  };
}

const problem = (error: Error) => (error instanceof DiscordRefusal ? error.message : undefined);

function assemble(world: World, gateway: Gateway): Hono {
  const app = new Hono();
  app.use(async (_c, next) => {
    await next();
    if (!world.store.save()) return;
    world.changes += 1;
    world.changed.emit("change");
  });
  const api = restApi(world);
  app.route("/", authorizePage(world));
  app.route("/api/v10", api);
  app.route("/api", api);
  app.route("/", assets(`${import.meta.dir}/page`, ["server.css", "live.js"]));
  const [actions, reports] = [discordActions(world, gateway), discordReports(world, gateway)];
  app.route("/", serverPage(world, gateway, actions));
  app.route("/", controlRoutes(actions, reports, { problem, outcome: actionOutcome }));
  return app;
}

type Inside = { world: World; gateway: Gateway };

/** One port for everything; upgrade requests go to the gateway. */
function serve(options: DiscordSimulatorOptions, app: Hono, { world, gateway }: Inside) {
  return Bun.serve<Connection>({
    hostname: "127.0.0.1",
    port: options.port ?? 0,
    development: false,
    idleTimeout: 120,
    maxRequestBodySize: 32 * 1024 * 1024,
    fetch(request, server) {
      if (!namesThisMachine(request)) return otherHost();
      if (request.headers.get("upgrade")?.toLowerCase() !== "websocket") return app.fetch(request);
      world.tally.triedAt.push(world.now());
      if (world.faults.gateway.away) return new Response("Service Unavailable", { status: 503 });
      const data: Connection = { session: null };
      return server.upgrade(request, { data }) ? undefined : new Response("Bad Request", { status: 400 });
    },
    websocket: {
      idleTimeout: 240,
      open: (socket: Socket) => gateway.opened(socket),
      message(socket: Socket, text) {
        gateway.receive(socket, String(text));
        world.store.save();
      },
      close: (socket: Socket, code) => gateway.closed(socket, code),
    },
  });
}

/** The simulator's first settings, which it keeps across restarts. */
type Settings = { seed: string; run: number; botToken: string; clientSecret: string };

function begin(store: DiscordStore, given: DiscordSimulatorOptions): Settings {
  const seed = store.setting("seed") ?? String(given.seed ?? randomBytes(8).toString("hex"));
  // counts the starts on this data folder
  const run = Number(store.setting("run") ?? 0) + 1;
  store.keep("seed", seed);
  store.keep("run", String(run));
  return {
    seed,
    run,
    botToken: tokenOf(seed),
    clientSecret: given.clientSecret ?? word(`${seed}:client`, 32),
  };
}

/** A token in Discord's form: the bot's id in base64 and two more parts. */
function tokenOf(seed: string): string {
  const id = Buffer.from(knownIds(seed).botId).toString("base64url");
  return `${id}.${word(`${seed}:part`, 6)}.${word(`${seed}:bot`, 38)}`;
}
