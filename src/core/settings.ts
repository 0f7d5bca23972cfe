import type { SettingName } from "./config";

type Description = {
  /** What holds where it is not set. */
  otherwise: string;
  meaning: string;
};

const inProduction = "none: it must be set";

/** What each setting is for, in the order in which an operator meets them. */
export const settingDescriptions: Record<SettingName, Description> = {
  NODE_ENV: { otherwise: "development", meaning: "`production` asks for real settings instead of stand-ins" },
  PORT: { otherwise: "3000", meaning: "the port it listens on" },
  HOST: { otherwise: "127.0.0.1", meaning: "the address it listens on" },
  PUBLIC_URL: { otherwise: "http://localhost:PORT", meaning: "as what browsers know the shop" },
  TRUSTED_PROXIES: {
    otherwise: "0",
    meaning: "how many proxies in front are believed in `X-Forwarded-For`, from 0 to 10",
  },
  DATA_DIR: { otherwise: "./data", meaning: "the folder of the database, the key file, builds and the site" },
  DATABASE_URL: {
    otherwise: "a file in DATA_DIR",
    meaning: "`file:`, or `libsql://` or `http(s)://` of a libSQL server",
  },
  DATABASE_AUTH_TOKEN: { otherwise: "none", meaning: "what that server asks for" },
  SECRET_KEY: {
    otherwise: "made and kept in DATA_DIR/secret.key",
    meaning: "32 bytes in base64, from which every other key derives; without it the database is worthless",
  },
  BACKUP_KEY: {
    otherwise: "SECRET_KEY serves",
    meaning: "32 bytes in base64 that seal backups, so that who stores them needs no other secret",
  },
  BACKUP_EVERY: {
    otherwise: "off",
    meaning: "how many hours lie between two backups that the running shop makes by itself",
  },
  BACKUP_TO: { otherwise: "DATA_DIR/backups", meaning: "a folder of another disk, or `s3://bucket/prefix`" },
  BACKUP_KEEP: { otherwise: "30", meaning: "how many backups are left there; the oldest go" },
  STRIPE_SECRET_KEY: { otherwise: inProduction, meaning: "Stripe's key for servers (`sk_…` or `rk_…`)" },
  STRIPE_PUBLISHABLE_KEY: { otherwise: inProduction, meaning: "Stripe's key for browsers (`pk_…`)" },
  STRIPE_WEBHOOK_SECRET: {
    otherwise: inProduction,
    meaning: "the signing secret (`whsec_…`) of the endpoint `PUBLIC_URL/api/stripe/webhook`",
  },
  STRIPE_API_URL: { otherwise: "Stripe's own", meaning: "another host that speaks Stripe's API" },
  SMTP_URL: { otherwise: inProduction, meaning: "`smtp://` or `smtps://`, with the login in it" },
  MAIL_FROM: { otherwise: inProduction, meaning: "the sender, such as `Shop <shop@example.com>`" },
  MAIL: { otherwise: "on", meaning: "`off` sends no mail: no receipts and no recovery codes" },
  DISCORD_BOT_TOKEN: { otherwise: inProduction, meaning: "the bot's token" },
  DISCORD_CLIENT_ID: { otherwise: inProduction, meaning: "the application's id" },
  DISCORD_CLIENT_SECRET: { otherwise: inProduction, meaning: "the application's OAuth2 secret" },
  DISCORD_GUILD_ID: { otherwise: inProduction, meaning: "the community server" },
  DISCORD_PREMIUM_ROLE_ID: {
    otherwise: inProduction,
    meaning: "the role of licensed members, below the bot's own",
  },
  DISCORD_SUPPORT_ROLE_ID: { otherwise: inProduction, meaning: "the role of who may use staff commands" },
  DISCORD_SUPPORT_CHANNEL_ID: { otherwise: inProduction, meaning: "where tickets are opened" },
  DISCORD_STAFF_CHANNEL_ID: { otherwise: inProduction, meaning: "where staff read notices" },
  DISCORD_API_URL: {
    otherwise: "https://discord.com/api",
    meaning: "another host that speaks Discord's API",
  },
  DISCORD: { otherwise: "on", meaning: "`off` runs without a community server" },
  BUILDS_URL: { otherwise: "DATA_DIR/builds", meaning: "a folder, or `s3://bucket/prefix`" },
  AWS_ACCESS_KEY_ID: { otherwise: "none", meaning: "of the buckets for builds and backups" },
  AWS_SECRET_ACCESS_KEY: { otherwise: "none", meaning: "of these buckets" },
  AWS_REGION: { otherwise: "the bucket's own", meaning: "of these buckets" },
  AWS_ENDPOINT_URL_S3: { otherwise: "Amazon's", meaning: "the host of buckets elsewhere" },
  METRICS_TOKEN: {
    otherwise: "off",
    meaning: "16 characters or more, that a reader of `/metrics` bears; without it there is no such page",
  },
  LOG_LEVEL: { otherwise: "info", meaning: "`debug`, `info`, `warn` or `error`" },
  LIMITS: {
    otherwise: "the shop's own",
    meaning: "as `verify=60/60,login-address=20/60`: name, how many, in how many seconds",
  },
  FAILPOINT: { otherwise: "none", meaning: "where to die, for tests of crashes; refused in production" },
};

/** The table of every setting, in Markdown, as `docs/operations.md` has it. */
export function settingsTable(): string {
  const rows = Object.entries(settingDescriptions).map(
    ([name, { otherwise, meaning }]) => [`\`${name}\``, otherwise, meaning] as const,
  );
  const all = [["setting", "otherwise", ""] as const, ...rows];
  const [first = 0, second = 0, third = 0] = [0, 1, 2].map((at) =>
    Math.max(...all.map((row) => row[at]?.length ?? 0)),
  );
  const line = ([name, otherwise, meaning]: readonly string[]) =>
    `| ${name?.padEnd(first)} | ${otherwise?.padEnd(second)} | ${meaning?.padEnd(third)} |`;
  const rule = `| ${"-".repeat(first)} | ${"-".repeat(second)} | ${"-".repeat(third)} |`;
  return [line(all[0] ?? []), rule, ...rows.map(line)].join("\n");
}
