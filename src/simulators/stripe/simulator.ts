import { Hono } from "hono";
import { apiApp } from "./api/app";
import { checkoutApp } from "./page/app";
import { controlApi } from "./control/api";
import { controlForms } from "./control/forms";
import { controlPage } from "./control/page";
import { noFaults } from "./faults";
import { faultGate } from "./fault-gate";
import { seededIds } from "./ids";
import { openLedger } from "./ledger/ledger";
import { expireDue } from "./money/sessions";
import { type Settings, begin } from "./settings";
import { type Courier, type Patience, courier } from "./webhooks/courier";
import type { Endpoint } from "./webhooks/endpoint";
import type { World } from "./world";

export type StripeSimulatorOptions = {
  /** Default 127.0.0.1. */
  host?: string;
  /** Default 0: any free port. */
  port?: number;
  /** Base of the hosted pages as a browser reaches them; default the address listened on. */
  publicUrl?: string;
  secretKey?: string;
  publishableKey?: string;
  /** Where signed events go; may be set later by `setWebhookUrl`, events wait until then. */
  webhook?: { url?: string; secret?: string; events?: readonly string[] };
  retry?: Patience;
  /** With a folder, everything survives a restart of the stand-in, SIGKILL included. */
  dataDir?: string;
  /** The same seed gives the same ids. Without one, ids never repeat between runs. */
  seed?: string | number;
  /** Unix milliseconds. */
  now?: () => number;
};

export type StripeSimulator = {
  url: string;
  host: string;
  port: number;
  secretKey: string;
  publishableKey: string;
  webhookSecret: string;
  setWebhookUrl(url: string | null): void;
  /** Waits until every event is delivered; false when some still wait after `withinMs`. */
  flush(withinMs?: number): Promise<boolean>;
  stop(): Promise<void>;
};

const demoKeys = {
  secretKey: "sk_test_demo",
  publishableKey: "pk_test_demo",
  webhookSecret: "whsec_demo",
} as const;

/** Starts the stand-in for Stripe: its API, its hosted checkout page, a control page, signed webhooks. */
export async function startStripeSimulator(options: StripeSimulatorOptions = {}): Promise<StripeSimulator> {
  const ledger = openLedger(options.dataDir);
  const settings = begin(ledger, options.seed);
  const clock = options.now ?? Date.now;
  const world: World = {
    ledger,
    ids: seededIds(settings.seed, settings.run),
    faults: noFaults(),
    now: () => clock() + settings.clockAheadMs(),
    publicUrl: options.publicUrl?.replace(/\/$/, "") ?? "",
    cause: null,
    keys: new Map([[options.secretKey ?? demoKeys.secretKey, []]]),
    live: false,
  };
  const secret = options.webhook?.secret ?? demoKeys.webhookSecret;
  const retry = options.retry ?? { firstMs: 1000, capMs: 30_000 };
  const events = courier(world, endpointOf(options, settings, secret), retry, settings.seed);
  const setWebhookUrl = (url: string | null) => {
    settings.keepWebhookUrl(url);
    events.setEndpoint(url === null ? null : { url, secret, events: options.webhook?.events });
  };
  const secretKey = options.secretKey ?? demoKeys.secretKey;
  const tick = ticker(world, events);
  const timer = setInterval(tick, 1000);
  const app = assemble(world, events, { setWebhookUrl, settings, tick });
  const server = Bun.serve({
    hostname: options.host ?? "127.0.0.1",
    port: options.port ?? 0,
    development: false,
    idleTimeout: 60,
    fetch: app.fetch,
  });
  const url = `http://${server.hostname}:${server.port}`;
  world.publicUrl ||= url;
  events.wake();
  return {
    url,
    host: String(server.hostname),
    port: Number(server.port),
    secretKey,
    publishableKey: options.publishableKey ?? demoKeys.publishableKey,
    webhookSecret: secret,
    setWebhookUrl,
    flush: (withinMs = 10_000) => events.flush(withinMs),
    async stop() {
      clearInterval(timer);
      events.stop();
      await server.stop(true);
      ledger.close();
    },
  };
}

type Parts = { setWebhookUrl(url: string | null): void; settings: Settings; tick(): void };

function assemble(world: World, events: Courier, parts: Parts): Hono {
  const app = new Hono();
  app.use(async (_c, next) => {
    parts.tick();
    await next();
    world.ledger.save();
    events.wake();
  });
  app.use("/v1/*", faultGate(world));
  app.route("/", apiApp(world));
  app.route("/", checkoutApp(world));
  app.route("/", controlApi(world, events, parts));
  app.route("/", controlForms(world, events));
  app.route("/", controlPage(world, events));
  return app;
}

/** Looks for what time alone brings about: at most once a second of its clock, as it walks the whole ledger. */
function ticker(world: World, events: Courier): () => void {
  let lookedAt = 0;
  return () => {
    if (Math.abs(world.now() - lookedAt) < 1000) return;
    lookedAt = world.now();
    expireDue(world);
    world.ledger.save();
    events.wake();
  };
}

function endpointOf(options: StripeSimulatorOptions, settings: Settings, secret: string): Endpoint | null {
  const url = options.webhook?.url ?? settings.webhookUrl();
  return url === null ? null : { url, secret, events: options.webhook?.events };
}
