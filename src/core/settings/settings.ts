import { z } from "zod";
import { canonicalAddress } from "@/contract/vocabulary/addresses";
import { maxOfflineDays } from "@/contract/vocabulary/devices";
import { defaultDataDir } from "@/contract/vocabulary/plain-words";
import { failpoints } from "../log/failpoints";
import { senderOf } from "./sender";
import {
  bearerToken,
  byStripe,
  canDecodeLogin,
  copiedKey,
  copiedKeyLike,
  currency,
  discordsId,
  key,
  limitList,
  location,
  off,
  offUnlessPath,
  origin,
  region,
  text,
  timeZone,
  webAddress,
  wholeNumber,
  trueOrFalse,
} from "./setting-kinds";

export type Setting = {
  schema: z.ZodType;
  /** What the schema accepts, as the end of "The setting … must be …". */
  expected: string;
  meaning: string;
  /**
   * Whether owners see its value on the desk; `address`: without the login in it. Any other setting counts as a secret.
   */
  shown?: true | "address";
} & (
  | { byDefault: string | number }
  /** Required once another setting of this service is set, and always in production. */
  | { service: "stripe" | "mail" | "discord" }
  /** Applies if the setting is not set, in words. */
  | { otherwise: string }
);
export type Service = "stripe" | "mail" | "discord" | "database" | "buckets" | "secrets";

/** Every setting read from the environment, in the order in which an operator meets them. */
export const settings = {
  NODE_ENV: {
    shown: true,
    // a mistyped "production" would start the demo
    schema: z.enum(["production", "development", "test"]),
    expected: '"production", "development" or "test"',
    otherwise: "development",
    meaning: "`production` requires real settings instead of simulators",
  },
  PORT: {
    ...wholeNumber(0, 65_535),
    expected: "a port number from 0 to 65535",
    byDefault: 3000,
    meaning: "the port it listens on",
  },
  HOST: { ...text, shown: true, byDefault: "127.0.0.1", meaning: "the address it listens on" },
  PUBLIC_URL: {
    ...origin,
    otherwise: "http://localhost:PORT",
    meaning: "the shop's address in a browser, without a path; required in production",
  },
  HSTS: {
    shown: true,
    schema: z.enum(["subdomains", "host", "off"]),
    expected: '"subdomains", "host" or "off"',
    byDefault: "subdomains",
    meaning: "where browsers then insist on https: `subdomains` too, this `host` alone, or `off`",
  },
  TRUSTED_PROXIES: {
    ...wholeNumber(0, 10),
    byDefault: 0,
    meaning: "how many proxies in front of the shop to believe in `X-Forwarded-For`, from 0 to 10",
  },
  DATA_DIR: {
    shown: true,
    ...text,
    byDefault: defaultDataDir,
    meaning: "the folder of the database, the key file, builds and the site",
  },
  BRAND: {
    ...text,
    shown: true,
    otherwise: "DATA_DIR/brand, else the sample",
    meaning: "the folder of the brand",
  },
  DATABASE_URL: {
    shown: "address",
    schema: z.url({ protocol: /^(file|libsql|https?|wss?)$/ }),
    expected: "a file:, libsql:// or http(s):// address",
    otherwise: "a file in DATA_DIR",
    meaning: "`file:`, or `libsql://` or `http(s)://` of a libSQL server",
  },
  DATABASE_AUTH_TOKEN: { ...copiedKey, otherwise: "none", meaning: "the token of that server" },
  SECRET_KEY: {
    ...key,
    otherwise: "made and kept in DATA_DIR/secret.key",
    meaning: "32 bytes in base64 from which every other key derives; without it the database is worthless",
  },
  SECRET_KEY_OLD: {
    ...key,
    otherwise: "none",
    meaning: "the secret that SECRET_KEY replaces, until `shop secrets rotate` has finished",
  },
  BACKUP_KEY: {
    ...key,
    otherwise: "SECRET_KEY serves",
    meaning: "32 bytes in base64 that seal backups, so that whoever opens one needs no other secret",
  },
  BACKUP_EVERY: {
    ...wholeNumber(1, 8760),
    expected: "a whole number of hours from 1 to 8760",
    otherwise: "off",
    meaning: "how many hours between two backups that the running shop makes on its own",
  },
  BACKUP_TO: {
    ...location,
    otherwise: "DATA_DIR/backups",
    meaning: "a folder, on another disk, or `s3://bucket/prefix`",
  },
  BACKUP_KEEP: {
    ...wholeNumber(1, 10_000),
    byDefault: 30,
    meaning: "how many backups to keep there; the oldest are removed",
  },
  AUDIT_KEEP_DAYS: {
    ...wholeNumber(540, 36_500),
    byDefault: 730,
    meaning: "how many days the audit log keeps everyday entries, such as sign-ins; at least 540",
  },
  OFFLINE_DAYS: {
    ...wholeNumber(1, maxOfflineDays),
    byDefault: 30,
    meaning: "how many days a licence file for a computer that is never online lasts, from 1 to 365",
  },
  // checks the prefix, because every browser gets the publishable key
  STRIPE_SECRET_KEY: {
    ...copiedKeyLike(/^(sk|rk)_./, "a Stripe secret key (sk_… or rk_…)"),
    service: "stripe",
    meaning: "Stripe's key for servers (`sk_…` or `rk_…`)",
  },
  STRIPE_PUBLISHABLE_KEY: {
    shown: true,
    ...copiedKeyLike(/^pk_./, "a Stripe publishable key (pk_…)"),
    service: "stripe",
    meaning: "Stripe's key for browsers (`pk_…`)",
  },
  STRIPE_WEBHOOK_SECRET: {
    ...copiedKeyLike(/^whsec_./, "a Stripe signing secret (whsec_…)"),
    service: "stripe",
    meaning: "the signing secret (`whsec_…`) of the endpoint `PUBLIC_URL/api/stripe/webhook`",
  },
  STRIPE_API_URL: {
    ...webAddress,
    otherwise: "Stripe's own",
    meaning: "another host that speaks Stripe's API",
  },
  TIME_ZONE: {
    ...timeZone,
    byDefault: "UTC",
    meaning: "the time zone in which the shop's figures count days",
  },
  CURRENCY: {
    ...currency,
    byDefault: "usd",
    meaning: "the one currency of the shop, in which every price is",
  },
  TAX: { ...byStripe, meaning: "`stripe` has Stripe work out the tax, and asks buyers for their tax id" },
  INVOICES: { ...byStripe, meaning: "`stripe` has Stripe make an invoice of each sale" },
  TOTAL_USERS: {
    ...off,
    otherwise: "on",
    meaning: "`off` shows no customer how many accounts the shop has",
  },
  SELLER: {
    shown: true,
    ...text,
    otherwise: "not named",
    meaning: "who sells, for receipts; several lines, apart by a line break or `\\n`",
  },
  SMTP_URL: {
    shown: "address",
    schema: z.url({ protocol: /^smtps?$/ }).refine(canDecodeLogin),
    expected:
      "an smtp:// or smtps:// address; in its login, write % as %25, # as %23, / as %2F, ? as %3F and @ as %40",
    service: "mail",
    meaning:
      "`smtp://` or `smtps://`, with the login in it; `?name=` greets the server as another host than `PUBLIC_URL`'s",
  },
  MAIL_FROM: {
    shown: true,
    schema: z.string().refine((typed) => senderOf(typed) !== null),
    expected: "one email address, which may stand in <> after a name without quotes inside",
    service: "mail",
    meaning: "the sender, such as `Shop <shop@example.com>`",
  },
  MAIL: {
    ...off,
    schema: offUnlessPath,
    otherwise: "on",
    meaning: "`off` sends no mail: no receipts and no recovery codes",
  },
  OWNER_EMAIL: {
    shown: true,
    schema: z.string().refine((typed) => canonicalAddress(typed) !== null),
    expected: "an email address",
    otherwise: "nobody",
    meaning: "who is mailed about what needs attention, such as disputes with their deadline",
  },
  DISCORD_BOT_TOKEN: { ...copiedKey, service: "discord", meaning: "the bot's token" },
  DISCORD_CLIENT_ID: { ...discordsId, service: "discord", meaning: "the application's id" },
  DISCORD_CLIENT_SECRET: { ...copiedKey, service: "discord", meaning: "the application's OAuth2 secret" },
  DISCORD_GUILD_ID: { ...discordsId, service: "discord", meaning: "the community server" },
  DISCORD_PREMIUM_ROLE_ID: {
    ...discordsId,
    service: "discord",
    meaning: "the first level's role, unless it has its own; below the bot's own",
  },
  DISCORD_SUPPORT_ROLE_ID: {
    ...discordsId,
    service: "discord",
    meaning: "the role whose members may use staff commands",
  },
  DISCORD_SUPPORT_CHANNEL_ID: { ...discordsId, service: "discord", meaning: "where tickets are opened" },
  DISCORD_STAFF_CHANNEL_ID: { ...discordsId, service: "discord", meaning: "where staff read notices" },
  DISCORD_OWNER_ROLE_ID: {
    ...discordsId,
    otherwise: "no refunds in Discord",
    meaning: "the role whose members approve refunds that support proposes",
  },
  REFUND_DAILY_CAP: {
    ...wholeNumber(0, 1_000_000_000),
    byDefault: 5000,
    meaning: "how much support may propose to refund a day (UTC) and currency, in its minor units",
  },
  DISCORD_NEWS_CHANNEL_ID: {
    ...discordsId,
    otherwise: "none",
    meaning: "where `shop releases publish --tell` posts release notes",
  },
  DISCORD_API_URL: {
    ...webAddress,
    otherwise: "https://discord.com/api",
    meaning: "another host that speaks Discord's API",
  },
  DISCORD: { ...off, otherwise: "on", meaning: "`off` runs without a community server" },
  BUILDS_URL: { ...location, otherwise: "DATA_DIR/builds", meaning: "a folder, or `s3://bucket/prefix`" },
  AWS_ACCESS_KEY_ID: {
    ...copiedKey,
    otherwise: "none",
    meaning: "the key id for the buckets of builds and backups",
  },
  AWS_SECRET_ACCESS_KEY: { ...copiedKey, otherwise: "none", meaning: "its secret" },
  AWS_REGION: { ...region, otherwise: "the bucket's own", meaning: "the region of these buckets" },
  AWS_ENDPOINT_URL_S3: {
    ...webAddress,
    otherwise: "Amazon's",
    meaning: "the host of buckets that are not Amazon's",
  },
  WEBHOOKS_ALLOW_PRIVATE: {
    ...trueOrFalse,
    byDefault: "false",
    meaning: "`true` lets webhooks go to private addresses and over http; the demo's stay on this machine",
  },
  METRICS_TOKEN: {
    ...bearerToken,
    otherwise: "off",
    meaning:
      "the bearer token for `/metrics`, at least 16 ASCII characters without spaces; without it there is no such page",
  },
  LOG_LEVEL: {
    shown: true,
    schema: z.enum(["debug", "info", "warn", "error"]),
    expected: "debug, info, warn or error",
    byDefault: "info",
    meaning: "`debug`, `info`, `warn` or `error`",
  },
  LIMITS: {
    ...limitList,
    otherwise: "the shop's own",
    meaning: "such as `verify=60/60,login-address=20/60`: name, how many, in how many seconds",
  },
  IN_CONTAINER: {
    shown: true,
    schema: z.literal("yes"),
    expected: '"yes" or absent',
    otherwise: "the image sets it",
    meaning: "`yes` refuses folders that would be deleted with the container",
  },
  FAILPOINT: {
    shown: true,
    schema: z.templateLiteral([z.enum(failpoints), "@", z.int().positive()]),
    expected: "the name of a failpoint and which passing of it, like settle.stored@3",
    otherwise: "none",
    meaning: "where the process kills itself, for crash tests; refused in production",
  },
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;
export const settingNames = Object.keys(settings) as SettingName[];
export const isSetting = (name: string): name is SettingName => Object.hasOwn(settings, name);

/** The settings of a service of which all or none are set. */
export const neededBy = (service: Service): SettingName[] =>
  settingNames.filter((name) => {
    const setting: Setting = settings[name];
    return "service" in setting && setting.service === service;
  });

const namesOf: Record<Service, RegExp> = {
  stripe: /^STRIPE_/,
  mail: /^(SMTP_URL|MAIL|MAIL_FROM)$/,
  discord: /^DISCORD(_|$)/,
  database: /^DATABASE_/,
  buckets: /^AWS_/,
  secrets: /^(SECRET|BACKUP)_KEY/,
};
export const services = Object.keys(namesOf) as Service[];

/** All settings of a service, which come whole from the environment or from the settings file. */
export const settingsOf = (service: Service): SettingName[] =>
  settingNames.filter((name) => namesOf[service].test(name));
