import { chmod, mkdir } from "node:fs/promises";
import { startBot } from "@bot/start";
import { createApi } from "@/api/app";
import { createDownloadAllowance } from "@/api/download-allowance";
import { offerOnTheWire } from "@/api/offer-on-the-wire";
import { createMemoryLimits } from "@/api/memory-limits";
import { requestLog } from "@/api/request-log";
import { minute } from "@/contract/time";
import {
  type Config,
  ConfigError,
  type DiscordConfig,
  isLiveKey,
  type MailConfig,
  type StripeConfig,
} from "@/core/config";
import { backedUp } from "@/core/backup";
import { watchClock } from "@/core/clock-watch";
import { watchFile } from "@/core/database-file";
import { forgetMarks } from "@/core/commit-marks";
import type { Ctx } from "@/core/context";
import { openStore } from "@/core/database";
import { arm } from "@/core/failpoints";
import { inFolder } from "@/core/file-trouble";
import { limitTable } from "@/core/limit-table";
import { forgetOldLimits } from "@/core/limits";
import type { Log } from "@/core/log";
import { createMetrics, type Metrics } from "@/core/metrics";
import { releaseLeases } from "@/core/outbox";
import { jobMetrics } from "@/core/job-metrics";
import { openSecrets, type RootKeys, rootKeysOf } from "@/core/open-secrets";
import { type RestoredCopy, restoredCopy } from "@/core/restored-copy";
import { type PeriodicJob, type Scheduler, startScheduler } from "@/core/scheduler";
import { waitWhileAway } from "@/core/wait-while-away";
import { startWorker } from "@/core/worker";
import { forgetExpired } from "@/domain/accounts/forget";
import { sessionReader } from "@/domain/accounts/sessions";
import { tokenOwnerReader } from "@/domain/application/token-owner";
import { allTopics } from "@/domain/emails";
import { atOnceInLanes, handlersOf } from "@/domain/handlers";
import { watchedMailer } from "@/domain/mail/watched";
import { forgetBuyers } from "@/domain/payments/evidence/purchase-evidence";
import { forgetUnpaid } from "@/domain/payments/reconcile/unpaid";
import { postAnnouncements } from "@/domain/mailings/announce";
import { takeOverUnsubscribed } from "@/domain/mailings/unsubscribed";
import { remindOfEndings } from "@/domain/mailings/licence-endings";
import { offersFor } from "@/domain/offers/list";
import type { CheckoutGateway } from "@/domain/payments/checkout/checkout";
import { checkoutOfCopy } from "@/domain/payments/checkout/checkout-of-copy";
import { followEvents, followEveryMilliseconds } from "@/domain/payments/reconcile/follow-events";
import {
  reconcilePayments,
  reconcileEveryMilliseconds,
} from "@/domain/payments/reconcile/reconcile-payments";
import { type BuildStore, storeOfCopy } from "@/domain/releases/store";
import { moveFiles } from "@/domain/tickets/files";
import { createSignOn } from "@/gateways/discord/sign-on";
import { createBackupPlace } from "@/gateways/storage/backup-place";
import { createBuildStore, createTicketFileStore } from "@/gateways/storage/build-store";
import { createMailer } from "@/gateways/mail/mailer";
import { createStripeGateway } from "@/gateways/stripe/gateway";
import type { Offer } from "@/contract/offers";
import { type Transport, transportOf, withSecureHeaders } from "@/serving/headers";
import { requestPath, siteRoute } from "@/serving/request-path";
import { expectNoShopBefore } from "./first-start";
import { shutDown } from "./shutdown";
import { backupJob } from "@/domain/backups/schedule";
import { bringEndsUnderRule } from "@/domain/licences/ends-rule";
import { addKeyTails } from "@/domain/licences/find";
import { keyAddresses } from "@/domain/customers/key-addresses";
import { thinAuditLog } from "@/domain/privacy/thin-audit-log";
import { reportStuckWork } from "@/domain/notices/report-once";
import { type KeyWatch, watchKey } from "@/domain/payments/reconcile/key-watch";
import { watchWebhooks, type WebhookWatch } from "@/domain/payments/reconcile/webhook-watch";

export type ShopConfig = Config & {
  stripe: StripeConfig;
  mail: MailConfig | "off";
  discord: DiscordConfig | "off";
};

/** Answers everything outside `/api`; absent where only the API is wanted. */
export type Pages = ((request: Request) => Response | Promise<Response>) & {
  /** Has the pages show what is sold now. */
  showOffers?: (offers: readonly Offer[]) => Promise<void>;
};

export type ShopOptions = {
  log: Log;
  now?: () => Date;
  /** Begins a new shop in an empty database although something shows that there has been one. */
  isNew?: boolean;
  pages?: (publicUrl: URL, offers: readonly Offer[]) => Promise<Pages>;
  /** Bun's own routes, for development's hot reloading. */
  developmentRoutes?: Record<string, Bun.HTMLBundle | ((request: Request) => Response)>;
};

export type RunningShop = Awaited<ReturnType<typeof startShop>>;

/** Assembles the shop and serves it. Resolves when it answers. */
export async function startShop(config: ShopConfig, options: ShopOptions) {
  const { log, now = () => new Date() } = options;
  if (config.failpoint) arm(config.failpoint.name, config.failpoint.passes);
  const transport = transportOf(config);
  let answer: (request: Request, peer: string) => Response | Promise<Response> = () => starting(transport);
  const server = listen(config, {
    hostname: config.host,
    port: config.port,
    // without development Bun would share the port with another shop, and each would get half of the customers
    reusePort: false,
    idleTimeout: 30,
    // Routes refuse long before this, by Content-Length and unread; a refusal by Bun itself has no body.
    maxRequestBodySize: 64 * 1024 * 1024,
    ...(options.developmentRoutes
      ? {
          development: { hmr: true, console: true },
          routes: { ...options.developmentRoutes, "/api/*": serve },
        }
      : { development: false }),
    fetch: serve,
  });
  const leaving = new AbortController();
  async function serve(request: Request, at: Bun.Server<undefined>) {
    const response = await answer(request, at.requestIP(request)?.address ?? "unknown");
    // so that a client with a kept connection doesn't send its next request while it is being closed
    if (leaving.signal.aborted) response.headers.set("Connection", "close");
    return response;
  }

  // a port that was left open to choose is known only now
  const publicUrl = config.port === 0 ? new URL(server.url.origin) : config.publicUrl;
  const stripe = createStripeGateway(config.stripe, config.sales);
  const { ctx, keys, copy } = await waitWhileAway(log, () =>
    openShop(config, { checkout: stripe, log, now, isNew: options.isNew ?? false }),
  );
  const { store } = ctx;
  if (copy) log.warn(`this is a copy of the shop as of ${copy.made}: it sells, mails and backs up nothing`);
  const checkout = copy ? checkoutOfCopy(stripe) : stripe;
  const metrics = createMetrics();
  const webhooks = watchWebhooks(ctx, config.stripe);
  const builds = createBuildStore(config.builds);
  const ticketFiles = createTicketFileStore(config.builds);
  const files = copy ? storeOfCopy(ticketFiles) : ticketFiles;
  const mailer = copy || config.mail === "off" ? null : watchedMailer(createMailer(config.mail), metrics);
  const signOn =
    copy || config.discord === "off" ? null : createSignOn(config.discord, discordCallback(publicUrl));
  const limits = limitTable(config.limits);
  // if this write fails, the leases of the process before end by time
  if (store.sole) await releaseLeases(ctx, allTopics).catch(() => {});
  const worker = startWorker(ctx, { observe: jobMetrics(ctx, metrics) });
  const deliveries = handlersOf(ctx, {
    mailer,
    shop: { publicUrl, seller: config.sales.seller, invoices: config.sales.invoices },
    checkout,
    signOn,
    files,
    ownerEmail: config.ownerEmail,
  });
  // on a copy they all wait
  if (!copy) worker.add(deliveries, { atOnceIn: atOnceInLanes });
  const scheduler = startScheduler(ctx);

  const requests = requestLog(ctx, metrics);
  const api = createApi({
    ctx,
    config: { publicUrl, trustedProxies: config.trustedProxies, metricsToken: config.metricsToken },
    publishableKey: config.stripe.publishableKey,
    seller: config.sales.seller,
    checkout,
    webhooks,
    signOn,
    copy,
    botState: () => bot?.state() ?? "off",
    mailState: () => mailer?.state() ?? "off",
    metrics,
    requests,
    readSession: sessionReader(ctx),
    tokenOwner: tokenOwnerReader(ctx),
    builds,
    files,
    downloadAllowance: createDownloadAllowance(now),
    limits,
    memory: createMemoryLimits(now),
  });
  const sold = async () => (await offersFor(ctx, null)).map(offerOnTheWire);
  const drawn = async () => options.pages?.(publicUrl, await sold());
  const pages = await waitWhileAway(log, drawn);
  scheduler.add({
    name: "offers on pages",
    everyMilliseconds: 2_000,
    run: async () => pages?.showOffers?.(await sold()),
  });
  answer = async (request, peer) => {
    const pathname = requestPath(request);
    if (pages && !isApi(pathname)) {
      const noted = requests(request.method);
      const page = await pages(request);
      noted.answered(siteRoute(pathname), page);
      return page;
    }
    return withSecureHeaders(await api.fetch(request, { peer }), { transport, api: true });
  };

  // only now: what the bot loads and compares at its start must not delay the first answer
  const bot =
    copy || config.discord === "off"
      ? null
      : startBot({
          ctx,
          config: config.discord,
          publicUrl,
          limits,
          files,
          metrics,
          worker,
          scheduler,
        });

  const key = watchKey(ctx, checkout);
  const chores = addChores(scheduler, {
    ctx,
    files,
    checkout,
    key,
    webhooks,
    auditKeepDays: config.auditKeepDays,
    isCopy: copy !== null,
  });
  const backups = copy ? null : addBackups(scheduler, { ctx, metrics, config, publicUrl, keys });
  return {
    url: publicUrl,
    /** Where this very process listens, whatever PUBLIC_URL says. */
    listening: server.url,
    ctx,
    api,
    checkout,
    builds,
    files,
    worker,
    scheduler,
    bot,
    signOn,
    chores,
    backups,
    /** Lets requests under way finish, then releases everything, in eleven seconds at most. */
    async stop({ noticeMilliseconds = 150 } = {}) {
      leaving.abort();
      await shutDown({ server, effects: [bot, scheduler, worker], mailer, noticeMilliseconds });
      store.close();
    },
  };
}

type Asked = Pick<Ctx, "log" | "now"> & { checkout: CheckoutGateway; isNew: boolean };

/** Opens what the shop keeps, and writes what a start has to write before anything else. */
async function openShop(
  config: ShopConfig,
  { checkout, log, now, isNew }: Asked,
): Promise<{ ctx: Ctx; keys: RootKeys; copy: RestoredCopy | null }> {
  await privateFolder(config.dataDir);
  const keys = await rootKeysOf(config);
  const begin = async () => (isNew ? undefined : expectNoShopBefore({ config, keys, checkout, log }));
  const store = await openStore(config.database, { sole: true, begin });
  try {
    const secrets = await openSecrets(store, keys, { mayBegin: true, now: now() });
    const livemode = isLiveKey(config.stripe.secretKey);
    const ctx: Ctx = { store, secrets, now, livemode, currency: config.sales.currency, log };
    await keyAddresses(ctx);
    await takeOverUnsubscribed(ctx);
    return { ctx, keys, copy: await restoredCopy(ctx) };
  } catch (error) {
    store.close();
    throw error;
  }
}

function listen({ host, port }: Config, options: Parameters<typeof Bun.serve<undefined>>[0]) {
  try {
    return Bun.serve(options);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") {
      throw new ConfigError(`Another program listens on port ${port} of ${host} (PORT, HOST).`);
    }
    throw error;
  }
}

type Backing = { ctx: Ctx; metrics: Metrics; config: ShopConfig; publicUrl: URL; keys: RootKeys };

/** Makes the data private to this user, also where an earlier version did not. */
const privateFolder = (folder: string): Promise<void> =>
  inFolder(folder, async () => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    // another user's folder can't be changed, and is theirs to protect
    await chmod(folder, 0o700).catch(() => {});
  });

/** Null where no periodic backups are configured. */
function addBackups(scheduler: Scheduler, { ctx, metrics, config, publicUrl, keys: { secretKey } }: Backing) {
  const { everyHours, place, keep } = config.backups;
  if (everyHours === null) return null;
  const count = metrics.counter("latchkey_backups_total", "Backups that were due.", ["result"]);
  const keys = { backupKey: config.backupKey, secretKey };
  const database = backedUp(config);
  const { host } = publicUrl;
  const plan = { everyHours, database, keys, host, place: createBackupPlace(place), keep };
  return scheduler.add(backupJob(ctx, plan, count));
}

type Keeping = {
  ctx: Ctx;
  files: BuildStore;
  checkout: CheckoutGateway;
  key: KeyWatch;
  webhooks: WebhookWatch;
  auditKeepDays: number;
  isCopy: boolean;
};

/** The periodic jobs of the shop, in the order in which `run` runs all of them. */
function addChores(
  scheduler: Scheduler,
  { ctx, files, checkout, key, webhooks, auditKeepDays, isCopy }: Keeping,
) {
  // late enough not to slow down the start
  const often = { everyMilliseconds: reconcileEveryMilliseconds, firstAfterMilliseconds: 2_000 };
  const once = { ...often, inOneProcess: true };
  const clock = watchClock(ctx);
  const file = watchFile(ctx);
  const chores: PeriodicJob[] = [
    { ...once, name: "stuck work", everyMilliseconds: minute, run: () => reportStuckWork(ctx) },
    { ...once, name: "old limits", run: () => forgetOldLimits(ctx) },
    { ...once, name: "commit marks", run: () => forgetMarks(ctx) },
    { ...once, name: "tails of keys", run: () => addKeyTails(ctx) },
    { ...once, name: "ends of licences", run: (stopping) => bringEndsUnderRule(ctx, stopping) },
    { ...once, name: "expired sessions", run: () => forgetExpired(ctx) },
    { ...once, name: "audit log", run: () => thinAuditLog(ctx, auditKeepDays) },
    { ...once, name: "buyers' addresses", run: () => forgetBuyers(ctx) },
    { ...once, name: "unpaid checkouts", run: () => forgetUnpaid(ctx) },
    { ...once, name: "ticket files", run: () => moveFiles(ctx, files) },
    {
      ...once,
      name: "announcements",
      everyMilliseconds: 2_000,
      run: (stopping) => postAnnouncements(ctx, stopping),
    },
    { ...once, name: "licence endings", run: (stopping) => remindOfEndings(ctx, stopping) },
    { ...once, name: "Stripe key", run: () => key.look() },
    {
      ...once,
      name: "events",
      everyMilliseconds: followEveryMilliseconds,
      run: () => followEvents(ctx, checkout),
    },
    { ...once, name: "sweep", run: () => reconcilePayments(ctx, checkout) },
    ctx.store.remote
      ? { ...often, name: "clock", everyMilliseconds: minute, run: () => clock.look() }
      : { ...often, name: "database file", everyMilliseconds: 5_000, run: () => file.look() },
    // each process knows of the webhooks that it refused itself
    { ...often, name: "webhooks", run: () => webhooks.look() },
  ];
  const due = chores.filter(({ name }) => !isCopy || !notOnCopies.includes(name));
  const scheduled = due.map((chore) => scheduler.add(chore));
  return {
    async run() {
      for (const chore of scheduled) await chore.run();
    },
    async stop() {
      await Promise.all(scheduled.map((chore) => chore.stop()));
    },
  };
}

/** What they change or tell staff of is the matter of the shop that the copy was made of. */
const notOnCopies = ["stuck work", "ticket files", "announcements", "Stripe key", "webhooks"];

const isApi = (pathname: string) =>
  pathname === "/api" || pathname === "/metrics" || pathname.startsWith("/api/");

/** Where Discord sends the browser back; the application at Discord must list this address. */
const discordCallback = (publicUrl: URL) => new URL("/dashboard/discord-callback", publicUrl).href;

const starting = (transport: Transport) =>
  withSecureHeaders(
    new Response("starting", {
      status: 503,
      headers: { "content-type": "text/plain; charset=utf-8", "retry-after": "1" },
    }),
    { transport, api: true },
  );
