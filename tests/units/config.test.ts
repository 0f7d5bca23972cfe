import { expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brand } from "@/brand/brand";
import { offerFault } from "@/brand/offer";
import { configOf, readConfig } from "@/core/settings/config";
import { demoSettings } from "@/core/settings/settings-here";
import { writeSettingsFile } from "@/core/settings/settings-file";
import { isOnRoot } from "@/core/settings/on-root";
import { type SettingName, settingNames } from "@/core/settings/settings";

const stripe = {
  STRIPE_SECRET_KEY: "sk_live_secret",
  STRIPE_PUBLISHABLE_KEY: "pk_live_x",
  STRIPE_WEBHOOK_SECRET: "whsec_secret",
};
const discord = {
  DISCORD_BOT_TOKEN: "bot-token-secret",
  DISCORD_CLIENT_ID: "100000000000000001",
  DISCORD_CLIENT_SECRET: "client-secret",
  DISCORD_GUILD_ID: "100000000000000002",
  DISCORD_PREMIUM_ROLE_ID: "100000000000000003",
  DISCORD_SUPPORT_ROLE_ID: "100000000000000004",
  DISCORD_SUPPORT_CHANNEL_ID: "100000000000000005",
  DISCORD_STAFF_CHANNEL_ID: "100000000000000006",
};
const production = {
  NODE_ENV: "production",
  PUBLIC_URL: "https://shop.example",
  ...stripe,
  MAIL: "off",
  DISCORD: "off",
};

test("with nothing configured the shop is a local demo", () => {
  const config = readConfig({});
  expect(config).toMatchObject({
    production: false,
    host: "127.0.0.1",
    port: 3000,
    stripe: null,
    mail: null,
  });
  expect(config.publicUrl.href).toBe("http://localhost:3000/");
  expect(config.database.url).toEndWith("/data/shop.db");
});

test("the demo sends webhooks to this machine alone, whatever WEBHOOKS_ALLOW_PRIVATE says", () => {
  const allowed = (more: object) =>
    readConfig({ ...more, WEBHOOKS_ALLOW_PRIVATE: "true" }).webhooksAllowPrivate;
  expect([readConfig({}).webhooksAllowPrivate, allowed({})]).toEqual(["loopback", "loopback"]);
  // Stripe's own settings, and simulators for the rest
  expect(allowed(stripe)).toBe("loopback");
  expect(allowed(production)).toBe(true);
});

test("an empty setting counts as missing", () => {
  expect(readConfig({ PORT: "", SMTP_URL: "", STRIPE_SECRET_KEY: "" })).toMatchObject({
    port: 3000,
    stripe: null,
  });
});

test("a login shell's MAIL is not taken for a setting", () => {
  expect(readConfig({ MAIL: "/var/mail/root" }).mail).toBeNull();
});

test("the demo takes nothing of a service or of a real shop, from the environment or from a file in its own folder", async () => {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-config-"));
  try {
    writeSettingsFile(join(folder, "demo"), { CURRENCY: "eur", MAIL_FROM: "a@example.com" });
    const real = {
      ...discord,
      SMTP_URL: "smtp://real.example",
      MAIL_FROM: "a@example.com",
      HOST: "0.0.0.0",
      PUBLIC_URL: "https://shop.example",
      DATABASE_URL: "file:/real.db",
      OWNER_EMAIL: "a@example.com",
    };
    const config = configOf(demoSettings({ ...real, DATA_DIR: folder, PORT: "4000" }));
    expect(config).toMatchObject({
      stripe: null,
      mail: null,
      discord: null,
      ownerEmail: null,
      host: "127.0.0.1",
      port: 4000,
      sales: { currency: "usd" },
      dataDir: join(folder, "demo"),
      database: { url: `file:${join(folder, "demo", "shop.db")}` },
    });
    expect(config.publicUrl.href).toBe("http://localhost:4000/");
    const own = { DATA_DIR: folder, HOST: "127.0.0.2", DISCORD: "off", MAIL: "off" };
    expect(configOf(demoSettings(own))).toMatchObject({ host: "127.0.0.2", discord: "off", mail: "off" });
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("quotes around a value, which docker's --env-file keeps, are removed", () => {
  const quoted = {
    PORT: "'8080'",
    MAIL_FROM: '"The Shop" <shop@example.com>',
    SMTP_URL: `'smtp://a:"b'c"@mail.example'`,
    METRICS_TOKEN: `"it's-$ecret,-16-long"`,
    HOST: "''",
  };
  expect(readConfig(quoted)).toMatchObject({
    port: 8080,
    host: "127.0.0.1",
    mail: { smtpUrl: `smtp://a:"b'c"@mail.example`, from: quoted.MAIL_FROM },
    metricsToken: "it's-$ecret,-16-long",
  });
});

test("in a container no setting may name a folder that is deleted with it", () => {
  const away = "/var/lib/latchkey";
  const named: [string, Record<string, string>][] = [
    ["DATA_DIR", { DATA_DIR: away }],
    ["DATABASE_URL", { DATABASE_URL: `file:${away}/shop.db` }],
    ["BUILDS_URL", { BUILDS_URL: `${away}/builds` }],
    ["BACKUP_TO", { BACKUP_TO: `file://${away}/backups` }],
  ];
  // something that is mounted wherever the tests run
  const volume = { IN_CONTAINER: "yes", DATA_DIR: "/proc/data" };
  expect(readConfig(volume).dataDir).toBe("/proc/data");
  expect(readConfig({ ...volume, DATABASE_URL: "http://db:8080", BACKUP_TO: "/proc/b" }).dataDir).toBe(
    "/proc/data",
  );
  for (const [name, environment] of named) {
    expect(() => readConfig({ ...volume, ...environment })).toThrow(
      `The setting ${name} names a folder that is deleted with the container: leave it out, or mount a volume there.`,
    );
    expect(() => readConfig(environment)).not.toThrow();
  }
});

test("a folder is on the nearest mount above it, links followed", async () => {
  const folder = await mkdtemp(join(tmpdir(), "latchkey volume "));
  try {
    const mounts = ["/", "/data", `${folder}/a disk`];
    await mkdir(join(folder, "a disk"));
    await symlink(join(folder, "a disk"), join(folder, "link"));
    expect(isOnRoot(join(folder, "link", "new"), mounts)).toBe(false);
    expect(isOnRoot(join(folder, "a disk 2"), mounts)).toBe(true);
    expect(isOnRoot("/data", mounts)).toBe(false);
    expect(isOnRoot("/database", mounts)).toBe(true);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("names that look like settings but aren't are reported", () => {
  const mistyped = { DISCORD_NEWS_CHANEL_ID: "1", STRIPE_WEBHOOK_KEY: "x", MAILTO: "root", PATH: "/bin" };
  expect(readConfig({ ...mistyped, ...stripe }).unknown).toEqual([
    "DISCORD_NEWS_CHANEL_ID",
    "STRIPE_WEBHOOK_KEY",
  ]);
});

test("a name that differs from a setting's by two letters is reported, also where the setting is missing", () => {
  const mistyped = { DISCROD_BOT_TOKEN: "x", PUBLC_URL: "x", BAKCUP_KEY: "x", AWS_ENDPOINT_URL_SES: "x" };
  const others = { HOSTNAME: "x", LOG_LEVELS_PER_MODULE: "x", HOME: "x", POST: "x" };
  const named = ["BAKCUP_KEY", "DISCROD_BOT_TOKEN", "PUBLC_URL"];
  expect(readConfig({ ...mistyped, ...others, ...production }).unknown).toEqual(named);
  const { DISCORD_BOT_TOKEN: _, ...rest } = discord;
  expect(() => readConfig({ ...stripe, ...rest, DISCROD_BOT_TOKEN: "x" })).toThrow(
    "The setting DISCORD_BOT_TOKEN is missing. There are no such settings: DISCROD_BOT_TOKEN. Are they mistyped?",
  );
});

/** Mistakes beside those of `spoiled`. */
const wrong: [string, Record<string, string>][] = [
  ["PORT", { PORT: "70000" }],
  ["SMTP_URL", { SMTP_URL: "smtp://user:50%off@x", MAIL_FROM: "a@b.c" }],
  ["SMTP_URL", { SMTP_URL: "smtp://user%:secret@x", MAIL_FROM: "a@b.c" }],
  ["MAIL_FROM", { SMTP_URL: "smtp://x", MAIL_FROM: 'Wisp $hop "best" <shop@example.com>' }],
  ["MAIL_FROM", { SMTP_URL: "smtp://x", MAIL_FROM: "shop@example.com, other@example.com" }],
  ["MAIL_FROM", { SMTP_URL: "smtp://x", MAIL_FROM: "nobody@" }],
  ["METRICS_TOKEN", { METRICS_TOKEN: "two words, 16 long" }],
  ["METRICS_TOKEN", { METRICS_TOKEN: "sixteen-long-or-é" }],
  ["METRICS_TOKEN", { METRICS_TOKEN: "sixteen-long\u0007or-so" }],
  ["OWNER_EMAIL", { OWNER_EMAIL: "owner@example.com, other@example.com" }],
  ["REFUND_DAILY_CAP", { REFUND_DAILY_CAP: "-1" }],
  ["REFUND_DAILY_CAP", { REFUND_DAILY_CAP: "5.50" }],
  ["DISCORD_BOT_TOKEN", { DISCORD_API_URL: "http://127.0.0.1:1/api" }],
  ["DISCORD_BOT_TOKEN", { ...production, DISCORD: "" }],
  ["TRUSTED_PROXIES", { TRUSTED_PROXIES: "-1" }],
  ["LIMITS", { LIMITS: "verify=often" }],
  ["LIMITS", { LIMITS: "verify=1/60,no-such-limit=1/60" }],
  ["STRIPE_WEBHOOK_SECRET", { ...stripe, STRIPE_WEBHOOK_SECRET: "" }],
  ["MAIL_FROM", { SMTP_URL: "smtp://mail.example" }],
  ["STRIPE_PUBLISHABLE_KEY", { ...stripe, STRIPE_PUBLISHABLE_KEY: "pk_test_x" }],
  ["STRIPE_PUBLISHABLE_KEY", { ...stripe, STRIPE_SECRET_KEY: "rk_test_x" }],
  ["PUBLIC_URL", { PUBLIC_URL: "https://example.com/shop" }],
  ["PUBLIC_URL", { PUBLIC_URL: "https://shop.example/?a" }],
  ["SMTP_URL", { ...production, MAIL: "" }],
];

for (const [name, environment] of wrong) {
  test(`a wrong or missing ${name} prevents startup with one sentence that names it and no value`, () => {
    let sentence = "";
    try {
      readConfig(environment);
    } catch (error) {
      sentence = error instanceof Error ? error.message : "";
    }
    expect(sentence).toMatch(new RegExp(`^The setting ${name} (must be .*|is missing)\\.$`));
    for (const value of Object.values(environment).filter((text) => text.length > 3)) {
      expect(sentence).not.toContain(value);
    }
  });
}

/** A wrong value for every setting; null where any text is right. */
const spoiled: Record<SettingName, string | null> = {
  NODE_ENV: "canary",
  PORT: "canary",
  HOST: null,
  PUBLIC_URL: "canary.example",
  HSTS: "canary",
  IN_CONTAINER: "canary",
  DATA_DIR: null,
  BRAND: null,
  DATABASE_URL: "canary://x",
  DATABASE_AUTH_TOKEN: "canary\u200B",
  SECRET_KEY: "canary",
  SECRET_KEY_OLD: "canary",
  BACKUP_KEY: "canary",
  BACKUP_EVERY: "canary",
  BACKUP_TO: "canary://x",
  BACKUP_KEEP: "0.canary",
  AUDIT_KEEP_DAYS: "0.canary",
  OFFLINE_DAYS: "0.canary",
  STRIPE_SECRET_KEY: "pk_live_canary",
  STRIPE_PUBLISHABLE_KEY: "sk_live_canary",
  STRIPE_WEBHOOK_SECRET: "we_canary",
  STRIPE_API_URL: "ftp://canary",
  TIME_ZONE: "canary",
  CURRENCY: "canary",
  TAX: "canary",
  INVOICES: "canary",
  TOTAL_USERS: "canary",
  SELLER: null,
  SMTP_URL: "http://canary",
  MAIL_FROM: "canary",
  MAIL: "canary",
  OWNER_EMAIL: "canary",
  DISCORD_BOT_TOKEN: "canary\u200B",
  DISCORD_CLIENT_ID: "canary",
  DISCORD_CLIENT_SECRET: "canary\u200B",
  DISCORD_GUILD_ID: "canary",
  DISCORD_PREMIUM_ROLE_ID: "canary",
  DISCORD_SUPPORT_ROLE_ID: "canary",
  DISCORD_SUPPORT_CHANNEL_ID: "canary",
  DISCORD_STAFF_CHANNEL_ID: "canary",
  DISCORD_OWNER_ROLE_ID: "canary",
  REFUND_DAILY_CAP: "canary",
  DISCORD_NEWS_CHANNEL_ID: "canary",
  DISCORD_API_URL: "canary",
  DISCORD: "canary",
  BUILDS_URL: "file:///canary%0Ax",
  AWS_ACCESS_KEY_ID: "canary\u200B",
  AWS_SECRET_ACCESS_KEY: "canary\u200B",
  AWS_REGION: "canary\u200B",
  AWS_ENDPOINT_URL_S3: "canary",
  TRUSTED_PROXIES: "canary",
  WEBHOOKS_ALLOW_PRIVATE: "canary",
  METRICS_TOKEN: "canary",
  LOG_LEVEL: "canary",
  LIMITS: "canary",
  FAILPOINT: "canary",
};
/** The settings that production requires. */
const everything = {
  NODE_ENV: "production",
  PUBLIC_URL: "https://shop.example",
  ...stripe,
  ...discord,
  SMTP_URL: "smtp://canary:canary@mail.example",
  MAIL_FROM: "shop@canary.example",
};

function sentenceOf(environment: Record<string, string>): string {
  try {
    readConfig(environment);
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

test("every wrong or missing setting is reported in a sentence that contains no value", () => {
  expect(sentenceOf(everything)).toBe("");
  expect(Object.keys(spoiled).toSorted()).toEqual(settingNames.toSorted());
  for (const [name, value] of Object.entries(spoiled)) {
    const sentence = value === null ? null : sentenceOf({ ...everything, [name]: value });
    if (sentence !== null) expect(sentence).toMatch(new RegExp(`^The setting ${name} (must be|has) .+\\.$`));
    expect(sentence ?? "").not.toContain("canary");
    const without = { ...everything, [name]: "" };
    const needed = name in everything && name !== "NODE_ENV";
    expect(`${name}: ${sentenceOf(without)}`).toBe(
      `${name}: ${needed ? `The setting ${name} is missing.` : ""}`,
    );
  }
  const bucket = { ...everything, BUILDS_URL: "s3://bucket", AWS_ACCESS_KEY_ID: "canary" };
  expect(sentenceOf(bucket)).toBe("The setting AWS_SECRET_ACCESS_KEY is missing.");
});

test("a pasted key with characters that no key has is told so", () => {
  const keys = {
    STRIPE_SECRET_KEY: "sk_live_se\u200Bcret",
    STRIPE_PUBLISHABLE_KEY: "pk_live_x\u200B",
    STRIPE_WEBHOOK_SECRET: "whsec_\u2014",
    DISCORD_BOT_TOKEN: "••••••••",
    DISCORD_CLIENT_SECRET: "two words",
    DATABASE_AUTH_TOKEN: "🔑",
    AWS_ACCESS_KEY_ID: "AKIA\u00A0",
    AWS_SECRET_ACCESS_KEY: "sécret",
  };
  for (const [name, value] of Object.entries(keys)) {
    expect(sentenceOf({ ...everything, [name]: value })).toBe(
      `The setting ${name} has characters that no key has: copy it again.`,
    );
  }
  expect(sentenceOf({ ...everything, STRIPE_SECRET_KEY: "pk_live_x" })).toBe(
    "The setting STRIPE_SECRET_KEY must be a Stripe secret key (sk_… or rk_…).",
  );
});

test("production refuses failpoints", () => {
  const armed = { ...production, FAILPOINT: "settle.stored@1" };
  expect(() => readConfig(armed)).toThrow("The setting FAILPOINT must be absent in production.");
  expect(readConfig({ FAILPOINT: "settle.stored@1" }).failpoint).toEqual({
    name: "settle.stored",
    passes: 1,
  });
});

test("production reads its settings, and limits by name", () => {
  const config = readConfig({ ...production, LIMITS: "verify=7/60,own=1000/1" });
  expect(config.stripe).toMatchObject({ secretKey: "sk_live_secret", apiUrl: null });
  expect(config.limits).toEqual({ verify: { most: 7, seconds: 60 }, own: { most: 1000, seconds: 1 } });
});

/** With another price in the brand: the sentence that stops a start, or null. */
const startAt = (price: string, currency = "usd") =>
  offerFault({ folder: "brand", offer: { ...brand.offer, price } }, currency);

test("a price of the brand that the shop's currency doesn't allow prevents startup", () => {
  expect(startAt("0.29")).toMatch(
    /^In .*brand\.json, offer\.price is "0\.29"\. USD 0\.29 is too little: Stripe takes no less than USD 0\.50\.$/,
  );
  expect(startAt("29.00", "jpy")).toContain("is no amount in JPY");
  expect(startAt("0.505", "kwd")).toContain("amounts in KWD must end with a zero");
  expect(startAt("900000000")).toContain("no more than");
  expect(startAt("0.29", "gbp")).toContain("no less than GBP 0.30");
  expect(startAt("29", "jpy")).toContain("no less than JPY 50");
  for (const [least, currency] of [
    ["29.00", "usd"],
    ["0.50", "usd"],
    ["0,30", "gbp"],
    ["50", "jpy"],
    ["175", "huf"],
    ["0.510", "kwd"],
  ] as const)
    expect([currency, startAt(least, currency)]).toEqual([currency, null]);
});
