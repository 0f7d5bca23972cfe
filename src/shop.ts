import { startBot } from "@bot/start";
import { createApi } from "@/api/app";
import { brand } from "@/brand/brand";
import type { Bindings } from "@/api/shop";
import { createDownloadAllowance } from "@/api/download-allowance";
import { createMemoryLimits } from "@/api/memory-limits";
import { offerOnTheWire } from "@/domain/offers/on-the-wire";
import { requestLog } from "@/api/request-log";
import type { Offer } from "@/contract/wire/offers";
import { hour, minute } from "@/contract/vocabulary/time";
import type { ShopConfig } from "@/core/settings/config";
import { keptFolders, spaceIn } from "@/core/database/disk-space";
import { arm } from "@/core/log/failpoints";
import { jobMetrics, startWorker } from "@/core/jobs/worker";
import { limitTable } from "@/contract/vocabulary/limits";
import { type Log, reasonOf } from "@/core/log/log";
import { createMetrics } from "@/core/log/metrics";
import { releaseLeases } from "@/core/jobs/job-leases";
import { startScheduler } from "@/core/jobs/scheduler";
import { waitWhileAway } from "@/core/database/wait-while-away";
import { entitledAccountReader, ownAccountReader } from "@/domain/accounts/sessions/own-account";
import { sessionReader } from "@/domain/accounts/sessions/sessions";
import { tokenOwnerReader } from "@/domain/application/token-owner";
import { serverKeyReader } from "@/domain/keys/server-keys";
import { backupsAtDesk } from "@/domain/backups/at-desk";
import { deskReader } from "@/domain/staff/desk-session";
import { discordCallback } from "@/domain/discord/sign-on";
import { allTopics } from "@/domain/topics";
import { atOnceInLanes, handlersOf } from "@/domain/handlers";
import { watchedMailer } from "@/domain/mail/watched";
import { reportEach } from "@/domain/notices/report-once";
import { offersFor } from "@/domain/offers/list";
import { checkoutOfCopy } from "@/domain/payments/port/checkout-of-copy";
import { loginPageReader } from "@/domain/payments/subscriptions/login-page";
import { watchKey } from "@/domain/payments/reconcile/key-watch";
import { watchWebhooks } from "@/domain/payments/reconcile/webhook-watch";
import { newsChannelProblem } from "@/domain/releases/news-channel";
import { storeOfCopy } from "@/domain/releases/store";
import { createCheckups, noteEveryMilliseconds, thisProcess } from "@/domain/system/system";
import { createSignOn } from "@/gateways/discord/sign-on";
import { createMailer } from "@/gateways/mail/mailer";
import { helloName } from "@/gateways/mail/transport";
import { render } from "@/gateways/mail/render";
import { createBuildStore, createPartStore, createTicketFileStore } from "@/gateways/storage/build-store";
import { createStripeGateway } from "@/gateways/stripe/gateway";
import { type Transport, transportOf, withSecureHeaders } from "@/serving/headers";
import { requestPath, siteRoute } from "@/serving/request-path";
import { connectionOf, listen } from "@/serving/listen";
import type { Simulated } from "@/domain/system/simulated";
import { openShop } from "./open-shop";
import { addBackups, addPeriodicJobs, addWebhooks, backupPlan } from "./periodic-jobs";
import { shutDown } from "./shutdown";

/** Answers everything outside `/api`; absent if only the API runs. */
type Pages = ((request: Request) => Response | Promise<Response>) & {
  /** Makes the pages show the present offers. */
  showOffers?: (offers: readonly Offer[]) => Promise<void>;
  /** Resolves with why the present brand's pages can't be built, or null. */
  updated?: Promise<string | null>;
};

export type ShopOptions = {
  log: Log;
  now?: () => Date;
  /** Creates a new shop in an empty database despite traces of an earlier shop. */
  isNew?: boolean;
  /** Of a demo: notes it in the database, and refuses a real shop's. */
  simulated?: Simulated;
  pages?: (publicUrl: URL, offers: readonly Offer[]) => Promise<Pages>;
  /** Bun's own routes, for development's hot reloading. */
  developmentRoutes?: Record<string, Bun.HTMLBundle | ((request: Request) => Response)>;
};

export type RunningShop = Awaited<ReturnType<typeof startShop>>;

/** Assembles the shop and serves it. Resolves once it answers. */
export async function startShop(config: ShopConfig, options: ShopOptions) {
  const { log, now = () => new Date() } = options;
  if (config.failpoint) arm(config.failpoint.name, config.failpoint.passes);
  const transport = transportOf(config);
  let answer: (request: Request, line: Bindings) => Response | Promise<Response> = () =>
    startingAnswer(transport);
  const server = listen(config, {
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
    const response = await answer(request, connectionOf(request, at));
    // so that no client sends its next request on a connection that is being closed
    if (leaving.signal.aborted) response.headers.set("Connection", "close");
    return response;
  }

  // port 0 lets the system choose, which is known only now
  const publicUrl = config.port === 0 ? new URL(server.url.origin) : config.publicUrl;
  const stripe = createStripeGateway(config.stripe, config.sales, publicUrl);
  const { ctx, keys, copy } = await waitWhileAway({ log, url: config.database.url }, () =>
    openShop(config, {
      checkout: stripe,
      log,
      now,
      isNew: options.isNew ?? false,
      simulated: options.simulated ?? null,
    }),
  );
  const { store } = ctx;
  if (copy)
    log.warn(
      `this is a copy of the shop as of ${copy.made}: it sells, mails and backs up nothing, and sends no webhooks`,
    );
  const checkout = copy ? checkoutOfCopy(stripe) : stripe;
  const metrics = createMetrics();
  const webhooks = watchWebhooks(ctx, config.stripe);
  const builds = createBuildStore(config.builds);
  const parts = createPartStore(config.builds);
  const ticketFiles = createTicketFileStore(config.builds);
  const files = copy ? storeOfCopy(ticketFiles) : ticketFiles;
  const hasDiscord = config.discord !== "off";
  const mailer =
    copy || config.mail === "off"
      ? null
      : watchedMailer(
          ctx,
          createMailer({ ...config.mail, hello: helloName(publicUrl), hasDiscord }),
          metrics,
        );
  const signOn =
    copy || config.discord === "off" ? null : createSignOn(config.discord, discordCallback(publicUrl));
  const limits = limitTable(config.limits);
  // if this write fails, the previous process's leases expire
  if (store.sole) await releaseLeases(ctx, allTopics).catch(() => {});
  const worker = startWorker(ctx, { observe: jobMetrics(ctx, metrics) });
  const deliveries = handlersOf(ctx, {
    mailer,
    shop: {
      publicUrl,
      seller: config.sales.seller,
      invoices: config.sales.invoices,
      portalLoginPage: loginPageReader(ctx, stripe, publicUrl),
      owner: { email: config.ownerEmail, elsewhere: signOn ? "the staff channel" : "the log" },
      limits,
      discord: hasDiscord,
    },
    checkout,
    signOn,
    files,
    builds,
    parts,
  });
  // on a copy all deliveries wait
  if (!copy) worker.add(deliveries, { atOnceIn: atOnceInLanes });
  const scheduler = startScheduler(ctx);

  const running = thisProcess(ctx, { settings: config.alike, brand: JSON.stringify(brand) });
  scheduler.add({
    name: "process",
    everyMilliseconds: noteEveryMilliseconds,
    firstAfterMilliseconds: 1_000,
    run: () => running.note(),
  });
  const checkups = createCheckups(ctx, async () => {
    // loaded with the first checkup: it brings the checks of the bot
    const { examine } = await import("./operator/doctor/examine");
    return examine({ ctx, config, builds, checkout: async () => checkout }, { running: true });
  });
  // the demo and tests ask for one
  if (config.production) {
    scheduler.add({
      name: "checkup",
      everyMilliseconds: hour,
      // it loads and asks much, which a start has no time for
      firstAfterMilliseconds: minute,
      inOneProcess: true,
      run: () => checkups.run(),
    });
  }

  const plan = backupPlan({ config, publicUrl, keys });
  const requests = requestLog(ctx, metrics);
  const api = createApi({
    ctx,
    config: { ...config, publicUrl },
    publishableKey: config.stripe.publishableKey,
    seller: config.sales.seller,
    checkout,
    webhooks,
    signOn,
    copy,
    botState: () => bot?.state() ?? "off",
    mailState: () => mailer?.state() ?? "off",
    mailRefusing: () => mailer?.refusing() ?? null,
    metrics,
    requests,
    readSession: sessionReader(ctx),
    readHolder: entitledAccountReader(ctx),
    readOwnAccount: ownAccountReader(ctx),
    readDesk: deskReader(ctx),
    tokenOwner: tokenOwnerReader(ctx),
    serverKey: serverKeyReader(ctx),
    builds,
    parts,
    files,
    newsChannelProblem: newsChannelProblem(config),
    renderEmail: (email) => render(email, { hasDiscord }),
    checkups,
    async tryService(service, to) {
      const { tryIt } = await import("./operator/doctor/try-it");
      const shop = { ctx, config: { ...config, publicUrl }, builds, checkout: async () => checkout };
      return tryIt(service, { shop, mailer, isCopy: copy !== null, to });
    },
    async judgeRole(...role) {
      const { askGuild } = await import("@bot/server/ask-guild");
      return askGuild({ ctx, config }, ...role);
    },
    backups: backupsAtDesk(ctx, plan, leaving.signal),
    processId: running.id,
    downloadAllowance: createDownloadAllowance(now),
    limits,
    memory: createMemoryLimits(now),
  });
  const sold = async () => (await offersFor(ctx, null)).map(offerOnTheWire);
  const drawn = async () => options.pages?.(publicUrl, await sold());
  const pages = await waitWhileAway({ log, url: config.database.url }, drawn);
  scheduler.add({
    name: "offers on pages",
    everyMilliseconds: 2_000,
    run: async () => pages?.showOffers?.(await sold()),
  });
  void pages?.updated
    ?.then((failed) => {
      const why = `The changed brand's pages can't be built, so the last ones are shown: ${failed}`;
      return reportEach(ctx, "pages", failed === null ? [] : [why]);
    })
    .catch((error: unknown) => log.warn("pages could not be reported", { reason: reasonOf(error) }));
  answer = async (request, line) => {
    const pathname = requestPath(request);
    if (pages && !isApi(pathname)) {
      const noted = requests(request.method);
      const page = await pages(request);
      noted.answered(siteRoute(pathname), page);
      return page;
    }
    return withSecureHeaders(await api.fetch(request, line), { transport, api: true });
  };

  // starts last: what the bot loads and compares must not delay the first answer
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

  const key = watchKey(ctx, checkout, () => checkups.run());
  const periodicJobs = addPeriodicJobs(scheduler, {
    ctx,
    checkout,
    key,
    webhooks,
    auditKeepDays: config.auditKeepDays,
    discord: config.discord !== "off",
    isCopy: copy !== null,
    ownerEmail: config.ownerEmail,
    mail: mailer,
    around: {
      discord: () => bot?.state() ?? "off",
      webhookSecret: copy ? null : config.stripe.webhookSecret,
      backupEveryHours: copy ? null : config.backups.everyHours,
      disks: async () => Promise.all((await keptFolders(config)).map(spaceIn)),
    },
  });
  const sending = { ctx, metrics, allowPrivate: config.webhooksAllowPrivate };
  const webhooksOut = copy ? null : addWebhooks(scheduler, sending);
  const { everyHours } = config.backups;
  const backups = copy ? null : addBackups(scheduler, { ctx, metrics, everyHours, plan });
  return {
    url: publicUrl,
    /** The URL at which this process listens, regardless of PUBLIC_URL. */
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
    periodicJobs,
    backups,
    webhooksOut,
    /** Finishes the requests under way, then releases everything, within eleven seconds. */
    async stop({ noticeMilliseconds = 150 } = {}) {
      leaving.abort();
      await shutDown({ server, effects: [bot, scheduler, worker, webhooksOut], mailer, noticeMilliseconds });
      store.close();
    },
  };
}

const isApi = (pathname: string) =>
  pathname === "/api" || pathname === "/metrics" || pathname.startsWith("/api/");

const startingAnswer = (transport: Transport) =>
  withSecureHeaders(
    new Response("starting", {
      status: 503,
      headers: { "content-type": "text/plain; charset=utf-8", "retry-after": "1" },
    }),
    { transport, api: true },
  );
