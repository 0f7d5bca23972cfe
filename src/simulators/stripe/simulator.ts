import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { Hono } from "hono";
import { controlRoutes } from "../base/actions";
import { forThisMachine } from "../base/host";
import { assets } from "../base/page";
import { seededWords } from "../base/words";
import { apiApp } from "./api/app";
import { checkoutApp } from "./page/app";
import { invoiceApp } from "./page/invoice-app";
import { stripeActions } from "./control/actions";
import { controlPage } from "./control/page";
import { addPast, type PastSession } from "./control/past";
import { stripeReports } from "./control/report";
import { catchUp } from "./billing/due";
import { portalApp } from "./billing/portal/app";
import { loginApp } from "./billing/portal/login";
import { faultGate, noFaults, oneOfAKey } from "./faults";
import { type Ledger, openLedger } from "./ledger";
import { expireDue } from "./money/sessions";
import { apiVersion } from "./events";
import { type Courier, type RetryDelays, courier } from "./courier";
import type { World } from "./world";

export type StripeSimulatorOptions = {
  /** Default 0: any free port. */
  port?: number | undefined;
  secretKey?: string;
  /** The endpoint of signed events. Without a URL, events wait for `setWebhookUrl`. */
  webhook?: { url?: string | undefined; secret?: string | undefined };
  retry?: RetryDelays;
  /** With a folder, everything survives a restart of the simulator, even after SIGKILL. */
  dataDir?: string | undefined;
  /** The same seed gives the same ids. Without one, ids never repeat between runs. */
  seed?: string | number | undefined;
  /** Unix milliseconds. */
  now?: () => number;
};

export type StripeSimulator = {
  /** All that it holds; for reading. */
  ledger: Ledger;
  url: string;
  secretKey: string;
  publishableKey: string;
  webhookSecret: string;
  setWebhookUrl(url: string | null): void;
  /** Sends the endpoint only events of these types from now on; null for all. */
  setEventTypes(types: readonly string[] | null): void;
  /** Adds sessions that ended earlier, oldest first, each as it ended, without events; those that it has stay. */
  addPast(sessions: PastSession[]): void;
  /** Waits until every event is delivered; false if some are not after `withinMs`. */
  flush(withinMs?: number): Promise<boolean>;
  stop(): Promise<void>;
};

/** Starts the Stripe simulator: its API, its hosted checkout page, a control page, signed webhooks. */
export async function startStripeSimulator(options: StripeSimulatorOptions = {}): Promise<StripeSimulator> {
  const ledger = openLedger(options.dataDir);
  const { seed, run } = begin(ledger, options.seed);
  const { secretKey = "sk_test_demo" } = options;
  const words = seededWords(seed, run);
  const world: World = {
    ledger,
    ids: { next: (prefix, length = 24) => prefix + words(length) },
    faults: noFaults(),
    now: options.now ?? Date.now,
    present: options.now ?? Date.now,
    url: "",
    cause: null,
    keys: new Map([[secretKey, []]]),
    tax: { percent: 19, within: false },
    settlement: null,
    withheld: { next: 0, events: new Set() },
    afterRetries: "cancel",
    endpoints: [],
    wire: { version: apiVersion, types: null, refusals: [] },
    live: false,
    silent: false,
  };
  const first = options.webhook?.url ?? ledger.setting("webhook_url");
  const made = () => world.endpoints.filter(({ secret }) => secret !== undefined);
  world.endpoints = [...endpointsAt(first || null), ...JSON.parse(ledger.setting("endpoints") ?? "[]")];
  const secret = options.webhook?.secret ?? "whsec_demo";
  const retry = options.retry ?? { firstMs: 1000, capMs: 30_000 };
  const to = (url: string | undefined) => (url ? { url, secret } : null);
  const events = courier(world, to(first), retry);
  const setWebhookUrl = (url: string | null) => {
    ledger.keep("webhook_url", url ?? "");
    ledger.save();
    world.endpoints = [...endpointsAt(url), ...made()];
    events.setEndpoint(to(url ?? undefined));
  };
  const tick = ticker(world, events);
  const timer = setInterval(tick, 1000);
  const app = assemble(world, events, { setWebhookUrl, tick });
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: options.port ?? 0,
    development: false,
    idleTimeout: 60,
    fetch: forThisMachine((request) => app.fetch(request)),
  });
  const url = `http://127.0.0.1:${server.port}`;
  world.url = url;
  events.wake();
  return {
    ledger,
    url,
    secretKey,
    publishableKey: "pk_test_demo",
    webhookSecret: secret,
    setWebhookUrl,
    setEventTypes(types) {
      world.wire.types = types && new Set(types);
    },
    addPast: (sessions) => addPast(world, sessions),
    flush(withinMs = 10_000) {
      comeDue(world);
      return events.flush(withinMs);
    },
    async stop() {
      clearInterval(timer);
      events.stop();
      await server.stop(true);
      ledger.close();
    },
  };
}

const endpointsAt = (url: string | null): World["endpoints"] =>
  url === null
    ? []
    : [{ id: "we_0", url, enabled_events: ["*"], status: "enabled", api_version: apiVersion, metadata: {} }];

type Parts = { setWebhookUrl(url: string | null): void; tick(): void };

function assemble(world: World, events: Courier, parts: Parts): Hono {
  const app = new Hono();
  app.use(async (c, next) => {
    parts.tick();
    await next();
    c.header("date", new Date(world.now()).toUTCString());
    world.ledger.save();
    events.wake();
  });
  app.use("/v1/*", oneOfAKey());
  app.use(
    "/v1/*",
    faultGate(world.faults, () => world.ids.next("req_", 14)),
  );
  app.route("/", apiApp(world));
  app.route("/", assets(join(import.meta.dir, "page"), ["checkout.css", "checkout.js", "control.css"]));
  app.route("/", checkoutApp(world));
  app.route("/", invoiceApp(world));
  app.route("/", portalApp(world));
  app.route("/", loginApp(world));
  const actions = stripeActions(world, events, (url) => parts.setWebhookUrl(url));
  app.route("/", controlRoutes(actions, stripeReports(world)));
  app.route("/", controlPage(world, events, actions));
  return app;
}

/** Does what falls due at most once a second, because that reads the whole ledger. */
function ticker(world: World, events: Courier): () => void {
  let lookedAt = 0;
  return () => {
    if (Math.abs(world.now() - lookedAt) < 1000) return;
    lookedAt = world.now();
    try {
      comeDue(world);
    } catch (error) {
      // the timer calls this too, where an error would end the process
      console.error(error);
    }
    events.wake();
  };
}

/** Does what has fallen due: first subscriptions, each at its own moment in the past, so that events come in order. */
function comeDue(world: World): void {
  catchUp(world);
  expireDue(world);
  world.ledger.save();
}

/** Counts this start, and keeps the first start's seed unless another is given. */
function begin(ledger: Ledger, given: string | number | undefined): { seed: string; run: number } {
  const seed = String(given ?? ledger.setting("seed") ?? randomBytes(8).toString("hex"));
  const run = Number(ledger.setting("run") ?? 0) + 1;
  ledger.keep("seed", seed);
  ledger.keep("run", String(run));
  ledger.save();
  return { seed, run };
}
