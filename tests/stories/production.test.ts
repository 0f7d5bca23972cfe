import { afterAll, beforeAll, expect, test } from "bun:test";
import { cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDiscordSimulator } from "@/simulators/discord/simulator";
import { startMailSimulator } from "@/simulators/mail/simulator";
import { startStripeSimulator } from "@/simulators/stripe/simulator";
import { noteTally } from "../discord-tally";
import { Person } from "../person";
import { eventually } from "../stage";

const root = join(import.meta.dir, "../..");
const scratch = await mkdtemp(join(tmpdir(), "latchkey-production-"));
const installed = join(scratch, "opt");
const [stripe, mail, discord] = await Promise.all([
  startStripeSimulator({ seed: 1 }),
  startMailSimulator(),
  startDiscordSimulator({ seed: 1 }),
]);

/** The manual's settings, with the stand-ins at their far end. */
const settings = (port: number, dataDir: string) => ({
  NODE_ENV: "production",
  PORT: String(port),
  PUBLIC_URL: `http://127.0.0.1:${port}`,
  TRUSTED_PROXIES: "1",
  DATA_DIR: dataDir,
  SECRET_KEY: Buffer.from("canary-secret-of-thirty-two-byte").toString("base64"),
  BACKUP_KEY: Buffer.from("canary-backup-of-thirty-two-byte").toString("base64"),
  STRIPE_SECRET_KEY: stripe.secretKey,
  STRIPE_PUBLISHABLE_KEY: stripe.publishableKey,
  STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
  STRIPE_API_URL: stripe.url,
  SMTP_URL: mail.smtpUrl,
  MAIL_FROM: "Shop <shop@example.com>",
  METRICS_TOKEN: "canary-token-of-metrics",
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
type Settings = Record<string, string>;

/** One that nobody listens on at this moment. */
async function freePort(): Promise<number> {
  const probe = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response() });
  const { port = 0 } = probe;
  await probe.stop(true);
  return port;
}

/** So that none outlives a story that failed. */
const started: Bun.Subprocess[] = [];

/** What the image is made of, and nothing else of this folder. */
beforeAll(async () => {
  const dockerfile = await Bun.file(join(root, "Dockerfile")).text();
  const copied = [...dockerfile.matchAll(/^COPY (?!--)(.+) \S+$/gm)].flatMap(
    ([, names]) => names?.split(" ") ?? [],
  );
  for (const name of new Set(copied)) await cp(join(root, name), join(installed, name), { recursive: true });
  await symlink(join(root, "node_modules"), join(installed, "node_modules"));
  const built = Bun.spawn([process.execPath, "src/serving/build.ts"], { ...quiet(installed) });
  expect(await built.exited).toBe(0);
}, 120_000);
afterAll(async () => {
  for (const child of started) child.kill("SIGKILL");
  await noteTally(discord.url);
  await Promise.all([stripe.stop(), mail.stop(), discord.stop()]);
  await rm(scratch, { recursive: true, force: true });
});

const quiet = (cwd: string, env: Settings = {}) =>
  ({
    cwd,
    env: { PATH: process.env["PATH"] ?? "", HOME: scratch, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  }) as const;

function run(env: Settings, ...args: string[]) {
  const child = Bun.spawn([process.execPath, ...args], quiet(installed, env));
  started.push(child);
  const [out, err] = [new Response(child.stdout).text(), new Response(child.stderr).text()];
  return { child, out, err };
}

async function shop(env: Settings, ...args: string[]) {
  const { child, out, err } = run(env, "src/operator/main.ts", ...args);
  return { code: await child.exited, out: await out, err: await err };
}

/** Starts as the manual says, and waits until it is ready. */
async function open(env: Settings) {
  const running = run(env, "src/main.ts");
  const url = new URL(env["PUBLIC_URL"] ?? "");
  const ready = () =>
    fetch(new URL("/api/ready", url)).then(
      ({ status }) => status,
      () => 0,
    );
  const status = await eventually(
    async () => (running.child.exitCode === null ? await ready() : -1),
    (seen) => seen === 200 || seen === -1,
  );
  if (status !== 200) throw new Error(await running.err);
  stripe.setWebhookUrl(new URL("/api/stripe/webhook", url).href);
  return {
    url,
    async close() {
      running.child.kill("SIGTERM");
      return { code: await running.child.exited, said: (await running.out) + (await running.err) };
    },
  };
}

test("followed line by line, the manual leads from a clean folder to a sale, a backup and a restored shop", async () => {
  const env = settings(await freePort(), join(scratch, "data"));
  let running = await open(env);
  expect(await shop(env, "doctor")).toMatchObject({ code: 0 });

  const page = await fetch(running.url);
  expect(page.status).toBe(200);
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'");

  const buyer = new Person(() => running.url);
  const opened = await buyer.post("/api/stripe/create-checkout-session", { currency: "usd" });
  const { id: session } = opened.body.data;
  const paid = await fetch(`${stripe.url}/_control/pay`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ session, email: "first@example.com" }),
  });
  expect(paid.ok).toBe(true);
  const sale = await eventually(
    () => buyer.get(`/api/stripe/verify-payment?session_id=${session}`),
    ({ body }) => body.status_message === "Payment Verified" && body.data.sent_receipt,
  );
  const key: string = sale.body.data.license_key;
  expect(mail.messages("first@example.com")).toHaveLength(1);
  expect((await buyer.register(key, "first")).status).toBe(200);
  expect((await shop(env, "payments", "show", session)).out).toContain("succeeded");

  const backups = join(scratch, "backups");
  const backup = await shop(env, "backup", "--to", backups, "--json");
  expect(backup).toMatchObject({ code: 0 });
  const metrics = await fetch(new URL("/metrics", running.url), {
    headers: { authorization: `Bearer ${env.METRICS_TOKEN}` },
  });
  const counted = await metrics.text();
  const first = await running.close();
  expect(first.code).toBe(0);

  const elsewhere = { ...env, DATA_DIR: join(scratch, "another-machine") };
  const restored = await shop(elsewhere, "restore", JSON.parse(backup.out).path, "--reason", "a drill");
  expect(restored).toMatchObject({ code: 0, err: "" });
  running = await open(elsewhere);
  expect((await buyer.get("/api/licenses/me")).body.data[0].key).toBe(key);
  const second = await running.close();

  const said = [first.said, second.said, counted, backup.out, restored.out].join("\n");
  const secrets = [
    ...Object.entries(env).filter(([name]) => /KEY|SECRET|TOKEN/.test(name) && !/PUBLISHABLE/.test(name)),
    ["the sold key", key],
    ["a person", "first@example.com"],
  ];
  expect(secrets.filter(([, secret]) => secret && said.includes(secret)).map(([name]) => name)).toEqual([]);
}, 120_000);

const needed = [
  "STRIPE_SECRET_KEY",
  "STRIPE_PUBLISHABLE_KEY",
  "STRIPE_WEBHOOK_SECRET",
  "SMTP_URL",
  "MAIL_FROM",
  "DISCORD_BOT_TOKEN",
  "DISCORD_CLIENT_ID",
  "DISCORD_CLIENT_SECRET",
  "DISCORD_GUILD_ID",
  "DISCORD_PREMIUM_ROLE_ID",
  "DISCORD_SUPPORT_ROLE_ID",
  "DISCORD_SUPPORT_CHANNEL_ID",
  "DISCORD_STAFF_CHANNEL_ID",
];
const wrong: Settings = {
  PORT: "canary",
  PUBLIC_URL: "canary",
  SECRET_KEY: "canary",
  BACKUP_KEY: "canary",
  METRICS_TOKEN: "canary",
  SMTP_URL: "canary",
  DISCORD_GUILD_ID: "canary",
  LOG_LEVEL: "canary",
  FAILPOINT: "settle.stored@1",
};

test("each missing or wrong setting stops the start with one sentence that names it, and no secret in it", async () => {
  const port = await freePort();
  const spoiled = [...needed.map((name) => [name, ""] as const), ...Object.entries(wrong)];
  for (const [name, value] of spoiled) {
    const dataDir = join(scratch, `never-${name}`);
    const env = { ...settings(port, dataDir), [name]: value };
    const { child, out, err } = run(env, "src/main.ts");
    expect(`${name}: ${await child.exited}`).toBe(`${name}: 1`);
    expect(await err).toMatch(new RegExp(`^The setting ${name} (must be .*|is missing)\\.\\n$`));
    expect(`${await out}${await err}`).not.toContain("canary");
    expect(await Bun.file(join(dataDir, "shop.db")).exists()).toBe(false);
  }
}, 120_000);
