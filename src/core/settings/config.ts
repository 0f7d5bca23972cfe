import { join } from "node:path";
import { existsSync } from "node:fs";
import { canonicalAddress } from "@/contract/vocabulary/addresses";
import { type Failpoint, failpoints } from "../log/failpoints";
import type { Level } from "../log/log";
import { type GivenSetting, givenSettings } from "./given-settings";
import { readSettings, type Settings, unknownSettings } from "./read-settings";
import { neededBy, type Service, settingNames, settingsOf } from "./settings";
import { ConfigError, MissingSetting } from "./config-error";
import { environmentHere, isSet, type LeftOut, type SettingsHere, settingsHere } from "./settings-here";
import { isOnRoot } from "./on-root";
import { settingsFile } from "./settings-file";
import {
  type Bucket,
  type BucketAccess,
  fileOf,
  parseLocation,
  type StorageLocation,
} from "./storage-location";

export { ConfigError } from "./config-error";

/** Whether a Stripe key takes real money: `sk_live_…`, `rk_live_…`. */
export const isLiveKey = (secretKey: string) => secretKey.includes("_live_");

/** In place of the webhook secret: the shop starts, and accepts no webhook signed with it. */
export const noWebhookSecret = "whsec_none";

export type StripeConfig = {
  secretKey: string;
  publishableKey: string;
  webhookSecret: string;
  /** Overrides Stripe's own host. */
  apiUrl: URL | null;
};
export type Hsts = "subdomains" | "host" | "off";
/** How the shop sells. */
export type SalesConfig = {
  /** The one currency of the shop, as Stripe writes it. */
  currency: string;
  /** Whether Stripe works out the tax. */
  tax: boolean;
  /** Whether Stripe makes an invoice of each sale. */
  invoices: boolean;
  /** Who sells, line by line. */
  seller: string[];
};
export type MailConfig = { smtpUrl: string; from: string };
export type DiscordConfig = {
  botToken: string;
  clientId: string;
  clientSecret: string;
  guildId: string;
  premiumRoleId: string;
  supportRoleId: string;
  supportChannelId: string;
  staffChannelId: string;
  /** Members with this role approve refunds; null if nobody can refund through Discord. */
  ownerRoleId: string | null;
  /** The most that support may propose to refund in a day, in minor units of each currency. */
  refundDailyCap: number;
  /** Where the bot posts release notes; null if it posts none. */
  newsChannelId: string | null;
  /** Overrides `https://discord.com/api`. */
  apiUrl: URL | null;
};
/** Where builds are kept; files requested from a bucket are cached on this machine. */
export type BuildsConfig = { folder: string } | (Bucket & { copies: string });
type BackupsConfig = {
  place: StorageLocation;
  /** How many backups to keep there. */
  keep: number;
  /** How often the running shop makes a backup; null for never. */
  everyHours: number | null;
};

/** Everything the settings say, read once at start. `null` means: the local simulator. */
export type Config = Readonly<{
  production: boolean;
  host: string;
  port: number;
  publicUrl: URL;
  /** The HSTS policy, sent where PUBLIC_URL is https. */
  hsts: Hsts;
  dataDir: string;
  database: { url: string; authToken: string | undefined };
  /** 32 bytes; `null` if the shop creates and keeps its own. */
  secretKey: Uint8Array | null;
  /** The 32 bytes that `secretKey` replaces; `null` if it replaces none. */
  secretKeyOld: Uint8Array | null;
  /** 32 bytes that encrypt backups; `null` if SECRET_KEY encrypts them. */
  backupKey: Uint8Array | null;
  stripe: StripeConfig | null;
  sales: SalesConfig;
  /** Whether customers see how many accounts the shop has. */
  showsTotalUsers: boolean;
  /** The most that support may propose to refund in a day, in minor units of each currency. */
  refundDailyCap: number;
  /** The time zone whose days the figures count. */
  timeZone: string;
  mail: MailConfig | "off" | null;
  /** Gets an email of each notice that needs a person; null if there are no such emails. */
  ownerEmail: string | null;
  discord: DiscordConfig | "off" | null;
  builds: BuildsConfig;
  backups: BackupsConfig;
  /** How many days the audit log keeps its routine entries. */
  auditKeepDays: number;
  /** How many days a licence file for a computer that is never online lasts. */
  offlineDays: number;
  /** Credentials for buckets; null if none are set. */
  bucketAccess: BucketAccess | null;
  /** Whether the shop sends webhooks to private addresses and over http; the demo, to this machine alone. */
  webhooksAllowPrivate: boolean | "loopback";
  /** How many proxies in front of the shop may add to `X-Forwarded-For`. */
  trustedProxies: number;
  /** The bearer token for `/metrics`; `null` turns the page off. */
  metricsToken: string | null;
  logLevel: Level;
  /** Limits that replace the shop's own, by name. */
  limits: Record<string, { most: number; seconds: number }>;
  /** Where this process kills itself, for crash tests; always null in production. */
  failpoint: { name: Failpoint; passes: number } | null;
  /** The settings that all machines of a shop must have alike, with their secrets. */
  alike: string;
  /** Every setting as staff see it, without secrets. */
  given: readonly GivenSetting[];
  /** Names in the environment or the settings file that are no settings, probably mistyped. */
  unknown: string[];
  /** Services whose settings in the settings file are not read. */
  leftOut: LeftOut[];
}>;

/** A config in which every service is set, as a shop needs it; the demo fills in its simulators. */
export type ShopConfig = Config & {
  stripe: StripeConfig;
  mail: MailConfig | "off";
  discord: DiscordConfig | "off";
};

/**
 * Reads the settings of an environment and of its data folder's settings file; throws {@link ConfigError} at the first
 * that is wrong or missing, which also names what is probably mistyped.
 */
export function readConfig(environment = environmentHere()): Config {
  return configOf(settingsHere(environment));
}

/** The same of settings that need not be in the file yet. */
export function configOf(here: SettingsHere): Config {
  const unknown = [...unknownSettings(here.environment), ...here.unknown];
  try {
    return parsed(here, unknown);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const more = [
      ...here.leftOut.map((one) => leftOutInWords(one, here)),
      ...(unknown.length > 0 ? [noSuchSettings(unknown)] : []),
    ];
    error.message = [error.message, ...more].join(" ");
    throw error;
  }
}

/** Why the settings file is not read for a service, with names alone. */
export const leftOutInWords = ({ service, because }: LeftOut, { dataDir }: { dataDir: string }): string =>
  `The environment sets ${because}, so nothing of ${service} is read from ${settingsFile(dataDir)}.`;

export const noSuchSettings = (unknown: string[]): string =>
  `There are no such settings: ${unknown.join(", ")}. Are they mistyped?`;

function parsed(here: SettingsHere, unknown: string[]): Config {
  const env = readSettings(here.values);
  if ("wrong" in env) {
    const where = here.fromFile.includes(env.wrong) ? ` in ${settingsFile(here.dataDir)}` : "";
    throw new ConfigError(`The setting ${env.wrong}${where} ${env.fault}.`);
  }
  const production = env.NODE_ENV === "production";
  if (production && env.PUBLIC_URL === undefined) throw new MissingSetting(withoutAddress(here));
  const { dataDir } = here;
  const services = {
    stripe: stripeConfig(env, production),
    mail: mailConfig(env, production),
    discord: discordConfig(env, production),
  };
  const isDemo = Object.values(services).includes(null);
  const config: Config = Object.freeze({
    production,
    host: env.HOST,
    port: env.PORT,
    publicUrl: new URL(env.PUBLIC_URL ?? `http://localhost:${env.PORT}`),
    hsts: env.HSTS,
    dataDir,
    database: {
      url: env.DATABASE_URL ?? `file:${join(dataDir, "shop.db")}`,
      authToken: env.DATABASE_AUTH_TOKEN,
    },
    secretKey: bytesOf(env.SECRET_KEY),
    secretKeyOld: bytesOf(env.SECRET_KEY_OLD),
    backupKey: bytesOf(env.BACKUP_KEY),
    ...services,
    sales: {
      currency: env.CURRENCY,
      tax: env.TAX === "stripe",
      invoices: env.INVOICES === "stripe",
      seller: linesOf(env.SELLER ?? ""),
    },
    showsTotalUsers: env.TOTAL_USERS !== "off",
    refundDailyCap: env.REFUND_DAILY_CAP,
    timeZone: env.TIME_ZONE,
    ownerEmail: env.OWNER_EMAIL ? canonicalAddress(env.OWNER_EMAIL) : null,
    builds: buildsConfig(env, dataDir),
    backups: backupsConfig(env, dataDir),
    auditKeepDays: env.AUDIT_KEEP_DAYS,
    offlineDays: env.OFFLINE_DAYS,
    bucketAccess: bucketAccess(env),
    webhooksAllowPrivate: isDemo ? "loopback" : env.WEBHOOKS_ALLOW_PRIVATE === "true",
    trustedProxies: env.TRUSTED_PROXIES,
    metricsToken: env.METRICS_TOKEN ?? null,
    logLevel: env.LOG_LEVEL,
    limits: limitsConfig(env.LIMITS ?? ""),
    failpoint: failpointConfig(env, production),
    alike: alikeSettings(env),
    given: givenSettings(here.values),
    unknown,
    leftOut: here.leftOut,
  });
  if (env.IN_CONTAINER) expectVolumes(config);
  return config;
}

/** What may differ from machine to machine, or, as the secret, is compared with the database. */
const ofMachine =
  /^(NODE_ENV|PORT|HOST|TRUSTED_PROXIES|DATA_DIR|BRAND|METRICS_TOKEN|LOG_LEVEL|IN_CONTAINER|FAILPOINT|SECRET_KEY.*|DATABASE_.*|AWS_.*|BUILDS_URL|BACKUP_TO)$/;

const alikeSettings = (env: Settings): string =>
  JSON.stringify(settingNames.filter((name) => !ofMachine.test(name)).map((name) => [name, env[name]]));

/** Nobody has set anything where Stripe is missing too. */
function withoutAddress({ dataDir, values }: SettingsHere): string {
  const isSetUp = settingsOf("stripe").some((name) => isSet(values, name));
  if (isSetUp || existsSync(settingsFile(dataDir))) return "The setting PUBLIC_URL is missing.";
  const command = values["IN_CONTAINER"] ? "docker compose run --rm shop setup" : "npm run shop setup";
  return `No shop is set up in ${dataDir}: run \`${command}\`, or set PUBLIC_URL and the other settings.`;
}

/** An upgrade deletes a container's own files. */
function expectVolumes({ dataDir, database, builds, backups }: Config): void {
  const folders: [name: string, folder: string | null][] = [
    ["DATA_DIR", dataDir],
    ["DATABASE_URL", fileOf(database.url)],
    ["BUILDS_URL", "folder" in builds ? builds.folder : null],
    ["BACKUP_TO", "folder" in backups.place ? backups.place.folder : null],
  ];
  const lost = folders.find(([, folder]) => folder !== null && isOnRoot(folder));
  if (!lost) return;
  throw new ConfigError(
    `The setting ${lost[0]} names a folder that is deleted with the container: leave it out, or mount a volume there.`,
  );
}

const bytesOf = (key: string | undefined) => (key ? new Uint8Array(Buffer.from(key, "base64")) : null);

/** Some formats of settings files can't hold a line break, so `\n` stands for one. */
const linesOf = (text: string) =>
  text
    .split(/\n|\\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");

function failpointConfig({ FAILPOINT: at }: Settings, production: boolean): Config["failpoint"] {
  if (at === undefined) return null;
  if (production) throw new ConfigError("The setting FAILPOINT must be absent in production.");
  const name = failpoints.find((known) => at.startsWith(`${known}@`));
  return name ? { name, passes: Number(at.slice(name.length + 1)) } : null;
}

function stripeConfig(env: Settings, production: boolean): StripeConfig | null {
  if (!allOrNone(env, "stripe", production || env.STRIPE_API_URL !== undefined)) return null;
  if (isLiveKey(env.STRIPE_SECRET_KEY!) !== isLiveKey(env.STRIPE_PUBLISHABLE_KEY!)) {
    throw new ConfigError(
      "The setting STRIPE_PUBLISHABLE_KEY must be of the same mode as STRIPE_SECRET_KEY, live or test.",
    );
  }
  return {
    secretKey: env.STRIPE_SECRET_KEY!,
    publishableKey: env.STRIPE_PUBLISHABLE_KEY!,
    webhookSecret: env.STRIPE_WEBHOOK_SECRET!,
    apiUrl: env.STRIPE_API_URL ? new URL(env.STRIPE_API_URL) : null,
  };
}

function mailConfig(env: Settings, production: boolean): Config["mail"] {
  if (env.MAIL === "off") return "off";
  if (!allOrNone(env, "mail", production)) return null;
  return { smtpUrl: env.SMTP_URL!, from: env.MAIL_FROM! };
}

function buildsConfig(env: Settings, dataDir: string): BuildsConfig {
  const folder = join(dataDir, "builds");
  const place = placeIn(env, env.BUILDS_URL ?? folder);
  return "folder" in place ? place : { ...place, copies: folder };
}

function backupsConfig(env: Settings, dataDir: string): BackupsConfig {
  const everyHours = env.BACKUP_EVERY ?? null;
  const place = placeIn(env, env.BACKUP_TO ?? join(dataDir, "backups"));
  return { place, keep: env.BACKUP_KEEP, everyHours };
}

function placeIn(env: Settings, text: string): StorageLocation {
  const place = parseLocation(text, bucketAccess(env));
  if (place) return place;
  const missing = env.AWS_ACCESS_KEY_ID === undefined ? "AWS_ACCESS_KEY_ID" : "AWS_SECRET_ACCESS_KEY";
  throw new MissingSetting(`The setting ${missing} is missing.`);
}

function bucketAccess(env: Settings): BucketAccess | null {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (accessKeyId === undefined || secretAccessKey === undefined) return null;
  return { endpoint: env.AWS_ENDPOINT_URL_S3, region: env.AWS_REGION, accessKeyId, secretAccessKey };
}

function discordConfig(env: Settings, production: boolean): Config["discord"] {
  if (env.DISCORD === "off") return "off";
  if (!allOrNone(env, "discord", production || env.DISCORD_API_URL !== undefined)) return null;
  return {
    botToken: env.DISCORD_BOT_TOKEN!,
    clientId: env.DISCORD_CLIENT_ID!,
    clientSecret: env.DISCORD_CLIENT_SECRET!,
    guildId: env.DISCORD_GUILD_ID!,
    premiumRoleId: env.DISCORD_PREMIUM_ROLE_ID!,
    supportRoleId: env.DISCORD_SUPPORT_ROLE_ID!,
    supportChannelId: env.DISCORD_SUPPORT_CHANNEL_ID!,
    staffChannelId: env.DISCORD_STAFF_CHANNEL_ID!,
    ownerRoleId: env.DISCORD_OWNER_ROLE_ID ?? null,
    refundDailyCap: env.REFUND_DAILY_CAP,
    newsChannelId: env.DISCORD_NEWS_CHANNEL_ID ?? null,
    apiUrl: env.DISCORD_API_URL ? new URL(env.DISCORD_API_URL) : null,
  };
}

const limitsConfig = (text: string): Config["limits"] =>
  Object.fromEntries(
    Array.from(text.matchAll(/([\w-]+)=(\d+)\/(\d+)/g), ([, name = "", most, seconds]) => [
      name,
      { most: Number(most), seconds: Number(seconds) },
    ]),
  );

/** True if all are set, false if none is set and none is required; otherwise throws, naming the missing setting. */
function allOrNone(env: Settings, service: Service, required: boolean): boolean {
  const names = neededBy(service);
  const missing = names.find((name) => env[name] === undefined);
  if (missing === undefined) return true;
  if (!required && names.every((name) => env[name] === undefined)) return false;
  throw new MissingSetting(`The setting ${missing} is missing.`);
}
