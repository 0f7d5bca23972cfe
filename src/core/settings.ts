import { z } from "zod";
import { canonicalAddress } from "@/contract/addresses";
import { discordId } from "@/contract/discord";
import { failpoints } from "./failpoints";
import { limitTable } from "./limit-table";
import { senderOf } from "./sender";
import { locationPattern } from "./storage-location";

type Setting = {
  schema: z.ZodType;
  /** What the schema accepts, as the end of "The setting … must be …". */
  expected: string;
  meaning: string;
} & (
  | { byDefault: string | number }
  /** Must be set together with the others of this service, and always in production. */
  | { service: Service }
  /** What applies if it is not set, in words. */
  | { otherwise: string }
);
export type Service = "stripe" | "mail" | "discord";

const currencies = new Set(Intl.supportedValuesOf("currency").map((code) => code.toLowerCase()));
const limitNames = new Set(Object.keys(limitTable({})));

const text = { schema: z.string(), expected: "a text" };
/** Every route stands at the root of its host, so a path could not be served. */
const origin = {
  schema: z
    .url({ protocol: /^https?$/ })
    .refine((value) => URL.canParse(value) && new URL(value).href === `${new URL(value).origin}/`),
  expected: "an http:// or https:// address without a path",
};
const webAddress = { schema: z.url({ protocol: /^https?$/ }), expected: "an http:// or https:// address" };
const location = { schema: z.string().regex(locationPattern), expected: "a folder or s3://bucket/prefix" };
const key = {
  schema: z.string().refine((value) => Buffer.from(value, "base64").length === 32),
  expected: "32 bytes in base64",
};
/** https://discord.com/developers/docs/reference#snowflakes */
const discordsId = { schema: z.string().regex(discordId), expected: "a Discord id" };
const byStripe = { schema: z.enum(["off", "stripe"]), expected: '"off" or "stripe"', byDefault: "off" };
/** A login shell sets MAIL to the path of a mailbox, which means nothing to the shop. */
const offUnlessPath = z.preprocess(
  (given) => (typeof given === "string" && given.startsWith("/") ? undefined : given),
  z.literal("off").optional(),
);
const off = { schema: z.literal("off"), expected: '"off" or absent' };
const wholeNumber = (min: number, max: number) => ({
  schema: z.coerce.number().int().min(min).max(max),
  expected: `a whole number from ${min} to ${max}`,
});

/** Every setting read from the environment, in the order in which an operator meets them. */
const table = {
  NODE_ENV: {
    // a mistyped "production" would start the demo
    schema: z.enum(["production", "development", "test"]),
    expected: '"production", "development" or "test"',
    otherwise: "development",
    meaning: "`production` requires real settings instead of simulators",
  },
  PORT: {
    schema: z.coerce.number().int().min(0).max(65535),
    expected: "a port number from 0 to 65535",
    byDefault: 3000,
    meaning: "the port it listens on",
  },
  HOST: { ...text, byDefault: "127.0.0.1", meaning: "the address it listens on" },
  PUBLIC_URL: {
    ...origin,
    otherwise: "http://localhost:PORT",
    meaning: "the shop's address in a browser, without a path; required in production",
  },
  HSTS: {
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
    ...text,
    byDefault: "./data",
    meaning: "the folder of the database, the key file, builds and the site",
  },
  DATABASE_URL: {
    schema: z.url({ protocol: /^(file|libsql|https?|wss?)$/ }),
    expected: "a file:, libsql:// or http(s):// address",
    otherwise: "a file in DATA_DIR",
    meaning: "`file:`, or `libsql://` or `http(s)://` of a libSQL server",
  },
  DATABASE_AUTH_TOKEN: { ...text, otherwise: "none", meaning: "the token of that server" },
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
    schema: z.coerce.number().int().min(1).max(8760),
    expected: "a whole number of hours from 1 to 8760",
    otherwise: "off",
    meaning: "how many hours between two backups that the running shop makes by itself",
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
  // checked by prefix, because the publishable one is sent to every browser
  STRIPE_SECRET_KEY: {
    schema: z.string().regex(/^(sk|rk)_\S+$/),
    expected: "a Stripe secret key (sk_… or rk_…)",
    service: "stripe",
    meaning: "Stripe's key for servers (`sk_…` or `rk_…`)",
  },
  STRIPE_PUBLISHABLE_KEY: {
    schema: z.string().regex(/^pk_\S+$/),
    expected: "a Stripe publishable key (pk_…)",
    service: "stripe",
    meaning: "Stripe's key for browsers (`pk_…`)",
  },
  STRIPE_WEBHOOK_SECRET: {
    schema: z.string().regex(/^whsec_\S+$/),
    expected: "a Stripe signing secret (whsec_…)",
    service: "stripe",
    meaning: "the signing secret (`whsec_…`) of the endpoint `PUBLIC_URL/api/stripe/webhook`",
  },
  STRIPE_API_URL: {
    ...webAddress,
    otherwise: "Stripe's own",
    meaning: "another host that speaks Stripe's API",
  },
  CURRENCY: {
    schema: z.string().refine((code) => currencies.has(code)),
    expected: "a currency of three small letters, such as usd",
    byDefault: "usd",
    meaning: "the one currency of the shop, in which every price is",
  },
  TAX: { ...byStripe, meaning: "`stripe` has Stripe work out the tax, and asks buyers for their tax id" },
  INVOICES: { ...byStripe, meaning: "`stripe` has Stripe make an invoice of each sale" },
  SELLER: {
    ...text,
    otherwise: "not named",
    meaning: "who sells, for receipts; several lines, apart by a line break or `\\n`",
  },
  SMTP_URL: {
    schema: z.url({ protocol: /^smtps?$/ }),
    expected: "an smtp:// or smtps:// address",
    service: "mail",
    meaning: "`smtp://` or `smtps://`, with the login in it",
  },
  MAIL_FROM: {
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
    schema: z.string().refine((typed) => canonicalAddress(typed) !== null),
    expected: "an email address",
    otherwise: "nobody",
    meaning: "who is mailed what needs somebody, such as disputes with their deadline",
  },
  DISCORD_BOT_TOKEN: { ...text, service: "discord", meaning: "the bot's token" },
  DISCORD_CLIENT_ID: { ...discordsId, service: "discord", meaning: "the application's id" },
  DISCORD_CLIENT_SECRET: { ...text, service: "discord", meaning: "the application's OAuth2 secret" },
  DISCORD_GUILD_ID: { ...discordsId, service: "discord", meaning: "the community server" },
  DISCORD_PREMIUM_ROLE_ID: {
    ...discordsId,
    service: "discord",
    meaning: "the role of licensed members, below the bot's own",
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
    meaning: "how much may be refunded through Discord a day (UTC) and currency, in its minor units",
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
    ...text,
    otherwise: "none",
    meaning: "the key id for the buckets of builds and backups",
  },
  AWS_SECRET_ACCESS_KEY: { ...text, otherwise: "none", meaning: "its secret" },
  AWS_REGION: { ...text, otherwise: "the bucket's own", meaning: "the region of these buckets" },
  AWS_ENDPOINT_URL_S3: {
    ...webAddress,
    otherwise: "Amazon's",
    meaning: "the host of buckets that are not Amazon's",
  },
  METRICS_TOKEN: {
    // anything else can't stand in the header of a request
    schema: z.string().regex(/^[\x21-\x7e]{16,}$/),
    expected: "at least 16 ASCII characters without spaces",
    otherwise: "off",
    meaning:
      "the bearer token for `/metrics`, at least 16 ASCII characters without spaces; without it there is no such page",
  },
  LOG_LEVEL: {
    schema: z.enum(["debug", "info", "warn", "error"]),
    expected: "debug, info, warn or error",
    byDefault: "info",
    meaning: "`debug`, `info`, `warn` or `error`",
  },
  LIMITS: {
    schema: z
      .string()
      .regex(/^([\w-]+=\d+\/\d+(,|$))*$/)
      .refine((list) => list.split(",").every((one) => one === "" || limitNames.has(one.replace(/=.*/, "")))),
    expected: "a list like login-address=10/60,verify=30/60, of limits that exist",
    otherwise: "the shop's own",
    meaning: "such as `verify=60/60,login-address=20/60`: name, how many, in how many seconds",
  },
  IN_CONTAINER: {
    schema: z.literal("yes"),
    expected: '"yes" or absent',
    otherwise: "the image sets it",
    meaning: "`yes` refuses folders that would be deleted with the container",
  },
  FAILPOINT: {
    schema: z.templateLiteral([z.enum(failpoints), "@", z.int().positive()]),
    expected: "the name of a failpoint and which passing of it, like settle.stored@3",
    otherwise: "none",
    meaning: "where the process kills itself, for crash tests; refused in production",
  },
} as const satisfies Record<string, Setting>;

type Table = typeof table;
export type SettingName = keyof Table;
export const settingNames = Object.keys(table) as SettingName[];

/** A parsed environment; undefined means not set and without a default. */
export type Settings = {
  [N in SettingName]:
    z.output<Table[N]["schema"]> | (Table[N] extends { byDefault: unknown } ? never : undefined);
};

/** An empty setting counts as not set. */
function schemaOf(setting: Setting): z.ZodType {
  const byDefault = "byDefault" in setting ? setting.byDefault : undefined;
  const filled = (given: unknown) => {
    const value = typeof given === "string" ? withoutQuotes(given) : given;
    return value === undefined || value === "" ? byDefault : value;
  };
  return z.preprocess(filled, byDefault === undefined ? setting.schema.optional() : setting.schema);
}

/**
 * `docker run --env-file` keeps the quotes that systemd, shells and Compose take off a value. No service issues values
 * that begin and end with the same quote.
 */
const withoutQuotes = (value: string) => /^(['"])(.*)\1$/s.exec(value)?.[2] ?? value;

const environmentSchema = z.object(
  Object.fromEntries(settingNames.map((name) => [name, schemaOf(table[name])])),
);

/** How names of our settings begin that nothing else on a server is likely to use. */
const ourPrefixes =
  /^(STRIPE|DISCORD|SMTP|MAIL|BACKUP|DATABASE|SECRET|BUILDS|METRICS|TRUSTED|PUBLIC|REFUND|AUDIT|OWNER|INVOICES?|SELLER|DATA)_/;

/** Names in an environment that look like settings and are none, probably mistyped. */
export const unknownSettings = (environment: Record<string, string | undefined>): string[] =>
  Object.keys(environment)
    .filter((name) => ourPrefixes.test(name) && !Object.hasOwn(table, name))
    .toSorted();

/** Parses an environment, or says which setting is wrong and what it must be. */
export function readSettings(environment: Record<string, string | undefined>): Settings | WrongSetting {
  const parsed = environmentSchema.safeParse(environment);
  // schema and type come from the same table
  if (parsed.success) return parsed.data as Settings;
  const name = String(parsed.error.issues[0]?.path[0]) as SettingName;
  return { wrong: name, expected: table[name].expected };
}
export type WrongSetting = { wrong: SettingName; expected: string };

/** The settings of one service, which are all set or none. */
export const settingsOf = (service: Service): SettingName[] =>
  settingNames.filter((name) => {
    const setting: Setting = table[name];
    return "service" in setting && setting.service === service;
  });

/** What each setting means, and what applies if it is not set, for the operator. */
export const settingDescriptions = Object.fromEntries(
  settingNames.map((name) => [name, { otherwise: otherwise(table[name]), meaning: table[name].meaning }]),
) as Record<SettingName, { otherwise: string; meaning: string }>;

function otherwise(setting: Setting): string {
  if ("byDefault" in setting) return String(setting.byDefault);
  return "service" in setting ? "none: it must be set" : setting.otherwise;
}

/** The table of every setting, in Markdown, as `docs/settings.md` has it. */
export function settingsTable(): string {
  const rows = settingNames.map((name) => {
    const { otherwise, meaning } = settingDescriptions[name];
    return [`\`${name}\``, otherwise, meaning] as const;
  });
  const all = [["setting", "otherwise", ""] as const, ...rows];
  const [first = 0, second = 0, third = 0] = [0, 1, 2].map((at) =>
    Math.max(...all.map((row) => row[at]?.length ?? 0)),
  );
  const line = ([name, otherwise, meaning]: readonly string[]) =>
    `| ${name?.padEnd(first)} | ${otherwise?.padEnd(second)} | ${meaning?.padEnd(third)} |`;
  const rule = `| ${"-".repeat(first)} | ${"-".repeat(second)} | ${"-".repeat(third)} |`;
  return [line(all[0] ?? []), rule, ...rows.map(line)].join("\n");
}
