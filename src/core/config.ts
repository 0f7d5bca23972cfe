import { join, resolve } from "node:path";
import { z } from "zod";

/** A setting is wrong or missing; the message is one sentence that names it and never its value. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

export type StripeConfig = {
  secretKey: string;
  publishableKey: string;
  webhookSecret: string;
  /** Overrides Stripe's own host. */
  apiUrl: URL | null;
};
export type MailConfig = { smtpUrl: string; from: string };

/** Everything the environment says, read once at start. `null` means: the local stand-in. */
export type Config = Readonly<{
  production: boolean;
  host: string;
  port: number;
  publicUrl: URL;
  dataDir: string;
  database: { url: string; authToken: string | undefined };
  /** 32 bytes; `null` where the shop makes and keeps its own. */
  secretKey: Uint8Array | null;
  stripe: StripeConfig | null;
  mail: MailConfig | "off" | null;
  /** How many proxies in front may be believed in `X-Forwarded-For`. */
  trustedProxies: number;
  logLevel: "debug" | "info" | "warn" | "error";
  /** Limits that differ from the shop's own, by name. */
  limits: Record<string, { most: number; seconds: number }>;
}>;

const blankIsMissing = (value: unknown) => (value === "" ? undefined : value);
const optional = <S extends z.ZodType>(schema: S) => z.preprocess(blankIsMissing, schema.optional());
const withDefault = <S extends z.ZodType>(schema: S, value: z.input<S>) =>
  z.preprocess((given) => blankIsMissing(given) ?? value, schema);

const port = z.coerce.number().int().min(0).max(65535);
const httpUrl = z.url({ protocol: /^https?$/ });

const settings = z.object({
  NODE_ENV: optional(z.string()),
  PORT: withDefault(port, 3000),
  HOST: withDefault(z.string(), "127.0.0.1"),
  PUBLIC_URL: optional(httpUrl),
  DATA_DIR: withDefault(z.string(), "./data"),
  DATABASE_URL: optional(z.url({ protocol: /^(file|libsql|https?|wss?)$/ })),
  DATABASE_AUTH_TOKEN: optional(z.string()),
  SECRET_KEY: optional(z.string().refine((text) => Buffer.from(text, "base64").length === 32)),
  STRIPE_SECRET_KEY: optional(z.string()),
  STRIPE_PUBLISHABLE_KEY: optional(z.string()),
  STRIPE_WEBHOOK_SECRET: optional(z.string()),
  STRIPE_API_URL: optional(httpUrl),
  SMTP_URL: optional(z.url({ protocol: /^smtps?$/ })),
  MAIL_FROM: optional(z.string().regex(/^[^\r\n]+@[^\r\n]+$/)),
  MAIL: optional(z.literal("off")),
  TRUSTED_PROXIES: withDefault(z.coerce.number().int().min(0).max(10), 0),
  LOG_LEVEL: withDefault(z.enum(["debug", "info", "warn", "error"]), "info"),
  LIMITS: withDefault(z.string().regex(/^([\w-]+=\d+\/\d+(,|$))*$/), ""),
});
type Settings = z.infer<typeof settings>;

const expectations: Partial<Record<keyof Settings, string>> = {
  PORT: "a port number from 0 to 65535",
  PUBLIC_URL: "an http:// or https:// address",
  DATABASE_URL: "a file:, libsql:// or http(s):// address",
  SECRET_KEY: "32 bytes in base64",
  STRIPE_API_URL: "an http:// or https:// address",
  SMTP_URL: "an smtp:// or smtps:// address",
  MAIL_FROM: "an email address",
  MAIL: '"off" or absent',
  TRUSTED_PROXIES: "a whole number from 0 to 10",
  LOG_LEVEL: "debug, info, warn or error",
  LIMITS: "a list like login-address=10/60,verify=30/60",
};

/** Parses an environment; throws {@link ConfigError} at the first setting that is wrong or missing. */
export function readConfig(environment: Record<string, string | undefined> = process.env): Config {
  const parsed = settings.safeParse(environment);
  if (!parsed.success) {
    const name = String(parsed.error.issues[0]?.path[0]) as keyof Settings;
    throw new ConfigError(`The setting ${name} must be ${expectations[name] ?? "a text"}.`);
  }
  const env = parsed.data;
  const production = env.NODE_ENV === "production";
  const dataDir = resolve(env.DATA_DIR);
  return Object.freeze({
    production,
    host: env.HOST,
    port: env.PORT,
    publicUrl: new URL(env.PUBLIC_URL ?? `http://localhost:${env.PORT}`),
    dataDir,
    database: {
      url: env.DATABASE_URL ?? `file:${join(dataDir, "shop.db")}`,
      authToken: env.DATABASE_AUTH_TOKEN,
    },
    secretKey: env.SECRET_KEY ? new Uint8Array(Buffer.from(env.SECRET_KEY, "base64")) : null,
    stripe: stripeConfig(env, production),
    mail: mailConfig(env, production),
    trustedProxies: env.TRUSTED_PROXIES,
    logLevel: env.LOG_LEVEL,
    limits: limitsConfig(env.LIMITS),
  });
}

function stripeConfig(env: Settings, production: boolean): StripeConfig | null {
  const names = ["STRIPE_SECRET_KEY", "STRIPE_PUBLISHABLE_KEY", "STRIPE_WEBHOOK_SECRET"] as const;
  if (!allOrNone(env, names, production || env.STRIPE_API_URL !== undefined)) return null;
  return {
    secretKey: env.STRIPE_SECRET_KEY!,
    publishableKey: env.STRIPE_PUBLISHABLE_KEY!,
    webhookSecret: env.STRIPE_WEBHOOK_SECRET!,
    apiUrl: env.STRIPE_API_URL ? new URL(env.STRIPE_API_URL) : null,
  };
}

function mailConfig(env: Settings, production: boolean): Config["mail"] {
  if (env.MAIL === "off") return "off";
  if (!allOrNone(env, ["SMTP_URL", "MAIL_FROM"], production)) return null;
  return { smtpUrl: env.SMTP_URL!, from: env.MAIL_FROM! };
}

const limitsConfig = (text: string): Config["limits"] =>
  Object.fromEntries(
    Array.from(text.matchAll(/([\w-]+)=(\d+)\/(\d+)/g), ([, name = "", most, seconds]) => [
      name,
      { most: Number(most), seconds: Number(seconds) },
    ]),
  );

/** True when all are set, false when none is and none need be; otherwise says which one is missing. */
function allOrNone(env: Settings, names: readonly (keyof Settings)[], required: boolean): boolean {
  const missing = names.find((name) => env[name] === undefined);
  if (missing === undefined) return true;
  if (!required && names.every((name) => env[name] === undefined)) return false;
  throw new ConfigError(`The setting ${missing} is missing.`);
}
