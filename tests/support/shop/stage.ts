import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DiscordConfig, readConfig } from "@/core/settings/config";
import { openStore } from "@/core/database/database";
import { createLog } from "@/core/log/log";
import { buy, handOut } from "@/demo/cast";
import { watchedEvents } from "@/gateways/stripe/list-changes";
import { type ShopOptions, startShop } from "@/shop";
import {
  type DiscordSimulator,
  type DiscordSimulatorOptions,
  startDiscordSimulator,
} from "@/simulators/discord/simulator";
import { startMailSimulator } from "@/simulators/mail/simulator";
import { startStripeSimulator } from "@/simulators/stripe/simulator";
import { noteTally } from "../checks/discord-tally";
import { Person } from "../people/person";

export type StageOptions = {
  /** Settings that differ from the stage's own. */
  env?: Record<string, string>;
  /** The site, next to the API; most stories need none. */
  pages?: ShopOptions["pages"];
  /** With `false`, webhooks go nowhere until the story sets their URL. */
  webhooks?: boolean;
  /** The events that Stripe sends: those that the shop asks its endpoint for, unless the story wants all. */
  events?: "watched" | "all";
  /** The Discord server with its simulator, and the bot; without it Discord is off. */
  discord?: boolean | DiscordSimulatorOptions;
};

type Restart = {
  meanwhile?: () => Promise<unknown>;
  discord?: Partial<DiscordConfig>;
  /** Begins another shop although Stripe knows the first, like `--new`. */
  isNew?: boolean;
  /** Another Stripe key; the simulator must accept it. */
  stripeKey?: string;
  /** Another `SECRET_KEY`, and the one that it replaces. */
  secrets?: { secretKey: Uint8Array; secretKeyOld: Uint8Array | null };
};

export type Stage = Awaited<ReturnType<typeof openStage>>;

/**
 * The whole shop for one story: the real server with the real SDKs, Stripe's and the mail server's
 * simulators on local sockets, a database of its own, and a clock that the story moves.
 * Use it as `await using stage = await openStage()`.
 */
export async function openStage(options: StageOptions = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), "latchkey-"));
  if (!options.env?.["DATABASE_URL"])
    await Bun.write(join(dataDir, "shop.db"), await (empty ??= emptyDatabase()));
  const clock = { ahead: 0 };
  const now = () => new Date(Date.now() + clock.ahead);
  const stripe = await startStripeSimulator({ seed: 1, now: () => now().getTime() });
  if (options.events !== "all") stripe.setEventTypes(watchedEvents({ subscriptions: true }));
  const mail = await startMailSimulator({ now });
  const lines: string[] = [];
  const discord = options.discord
    ? await startDiscordSimulator({
        seed: 1,
        now: () => now().getTime(),
        ...(options.discord === true ? {} : options.discord),
      })
    : null;
  const config = readConfig({
    PORT: "0",
    DATA_DIR: dataDir,
    SECRET_KEY: Buffer.alloc(32, 7).toString("base64"),
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_PUBLISHABLE_KEY: stripe.publishableKey,
    STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
    STRIPE_API_URL: stripe.url,
    SMTP_URL: mail.smtpUrl,
    MAIL_FROM: "shop@example.com",
    ...(discord ? discordSettings(discord) : { DISCORD: "off" }),
    // each person in a story has their own address, because the real limits apply
    TRUSTED_PROXIES: "1",
    ...options.env,
  });
  const { stripe: stripeConfig, mail: mailConfig, discord: discordConfig } = config;
  if (!stripeConfig || !mailConfig || !discordConfig) throw new Error("the stage needs Stripe and mail");
  let { secretKey } = stripeConfig;
  let secrets: Restart["secrets"];
  const start = async (changed: Partial<DiscordConfig> = {}, isNew = false) => {
    const started = await startShop(
      {
        ...config,
        ...secrets,
        stripe: { ...stripeConfig, secretKey },
        mail: mailConfig,
        discord: discordConfig === "off" ? "off" : { ...discordConfig, ...changed },
      },
      {
        now,
        isNew,
        log: createLog("debug", (line) => void lines.push(line)),
        ...(options.pages ? { pages: options.pages } : {}),
      },
    );
    // stories that move the clock run the periodic jobs themselves
    await started.periodicJobs.stop();
    return started;
  };
  let shop = await start();
  // a story's clients already have their answers
  const stop = () => shop.stop({ noticeMilliseconds: 0 });
  const webhookUrl = () => new URL("/api/stripe/webhook", shop.listening).href;
  if (options.webhooks !== false) stripe.setWebhookUrl(webhookUrl());

  const stage = {
    get shop() {
      return shop;
    },
    get url() {
      return shop.url;
    },
    get ctx() {
      return shop.ctx;
    },
    stripe,
    mail,
    /** Discord's side of the world; only on a stage that was opened with it. */
    get discord() {
      if (!discord) throw new Error("this stage has no Discord");
      return discord;
    },
    /** The shop's settings for it. */
    get discordConfig() {
      if (discordConfig === "off" || !discordConfig) throw new Error("this stage has no Discord");
      return discordConfig;
    },
    dataDir,
    /** How many rows a table has, or those of it `WHERE` something is so. */
    count: async (what: string) =>
      Number((await shop.ctx.store.client.execute(`SELECT count(*) AS n FROM ${what}`)).rows[0]?.["n"]),
    /** What the shop logged, as JSON lines. */
    lines,
    webhookUrl,
    /** Moves the clock of the shop and of its simulators forward. */
    advance(milliseconds: number) {
      clock.ahead += milliseconds;
    },
    /** Makes the mail server accept again, moves the clock by `later` milliseconds, and retries what is due. */
    async acceptMail(later: number) {
      // an attempt in progress would be rescheduled from the moved clock
      await shop.worker.drain();
      mail.setFaults({ mode: "accept" });
      stage.advance(later);
      await shop.worker.drain();
    },
    /** A person with their own browser, at their own address. */
    person: () => new Person(() => shop.url),
    /** Does something on Stripe's side: `pay`, `dispute`, `refund`, `faults`… */
    atStripe: (action: string, body: object) => atSimulator(stripe.url, action, body),
    /** The same, and lets Stripe tell the shop of it. */
    async stripeTells(action: string, body: object) {
      const done = await stage.atStripe(action, body);
      await stripe.flush();
      return done;
    },
    /** Does something on Discord's side: `join`, `leave`, `bot`, `faults`, `interact/slash`… */
    atDiscord: (action: string, body?: object) => atSimulator(stage.discord.url, action, body),
    /** A bought key that nobody has redeemed. */
    buy: (email = "buyer@example.com") =>
      buy(
        { ctx: shop.ctx, checkout: shop.checkout, publicUrl: shop.url, stripeUrl: new URL(stripe.url) },
        email,
      ),
    /** A key that the operator gave away. */
    handOut: (days: number | null = null) => handOut(shop.ctx, days),
    /** Restarts the shop on the same data; `meanwhile` runs while it is down, the rest replaces settings. */
    async restart({ meanwhile, discord: changed, isNew, stripeKey, secrets: replaced }: Restart = {}) {
      await stop();
      // Discord refuses a bot that identifies twice in five seconds
      if (discord) clock.ahead += 5_000;
      secretKey = stripeKey ?? secretKey;
      secrets = replaced ?? secrets;
      await meanwhile?.();
      shop = await start(changed, isNew);
      if (options.webhooks !== false) stripe.setWebhookUrl(webhookUrl());
    },
    async [Symbol.asyncDispose]() {
      await stop();
      if (discord) await noteTally(discord.url);
      await Promise.all([stripe.stop(), mail.stop(), discord?.stop()]);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  return stage;
}

let empty: Promise<Uint8Array> | undefined;

/** A shop's database before its first start, made once in a process: each stage would take a third of its time for it. */
async function emptyDatabase(): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-empty-"));
  const file = join(folder, "shop.db");
  const store = await openStore({ url: `file:${file}` });
  await store.client.execute("PRAGMA wal_checkpoint(TRUNCATE)");
  store.close();
  const bytes = await Bun.file(file).bytes();
  await rm(folder, { recursive: true });
  return bytes;
}

/** Calls a simulator's control API: with a body to act, without one to read. */
// oxlint-disable-next-line typescript/no-explicit-any -- a test may read any field
async function atSimulator(url: string, action: string, body?: object): Promise<any> {
  const answer = await fetch(`${url}/_control/${action}`, {
    ...(body ? { method: "POST", body: JSON.stringify(body) } : {}),
    headers: { "content-type": "application/json" },
  });
  if (!answer.ok) throw new Error(`${action}: ${await answer.text()}`);
  return answer.json();
}

export const discordSettings = (discord: DiscordSimulator) => ({
  DISCORD_BOT_TOKEN: discord.botToken,
  DISCORD_CLIENT_ID: discord.clientId,
  DISCORD_CLIENT_SECRET: discord.clientSecret,
  DISCORD_GUILD_ID: discord.guildId,
  DISCORD_PREMIUM_ROLE_ID: discord.premiumRoleId,
  DISCORD_SUPPORT_ROLE_ID: discord.supportRoleId,
  DISCORD_SUPPORT_CHANNEL_ID: discord.supportChannelId,
  DISCORD_STAFF_CHANNEL_ID: discord.staffChannelId,
  DISCORD_API_URL: `${discord.url}/api`,
});

/**
 * Polls until the condition holds, for background work; fails with the last value. The deadline
 * is generous, because a machine may be busy, and costs nothing when all is well.
 */
export async function eventually<T>(
  look: () => T | Promise<T>,
  right: (seen: T) => boolean = Boolean,
  milliseconds = 120_000,
): Promise<T> {
  const deadline = Date.now() + milliseconds;
  for (;;) {
    const seen = await look();
    if (right(seen)) return seen;
    if (Date.now() > deadline)
      throw new Error(`gave up waiting for ${String(look)}; last seen: ${JSON.stringify(seen)}`);
    await Bun.sleep(10);
  }
}
