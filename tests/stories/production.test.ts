import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startDiscordSimulator } from "@/simulators/discord/simulator";
import { startMailSimulator } from "@/simulators/mail/simulator";
import { startStripeSimulator } from "@/simulators/stripe/simulator";
import { noteTally } from "../discord-tally";
import { lettingIn } from "../image/dockerfile";
import { manualBlocks, manualCommands } from "../manual";
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

/** Every setting of production, with the stand-ins at their far end. */
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

/** Where a host with Bun has it. */
const binaries = join(scratch, "bin");
await mkdir(binaries);
await symlink(process.execPath, join(binaries, "bun"));

/** So that none outlives a story that failed. */
const started: Bun.Subprocess[] = [];

/** What the image is made of, and nothing else of this folder; then the first block of the manual. */
beforeAll(async () => {
  const letIn = lettingIn(await Bun.file(join(root, ".dockerignore")).text());
  for (const name of (await readdir(root)).filter(letIn)) {
    await cp(join(root, name), join(installed, name), { recursive: true });
  }
  const [install] = await manualBlocks();
  expect(install?.lines).toHaveLength(1);
  // what was fetched for this folder already is not fetched again
  const asked = Bun.spawn([process.execPath, "pm", "cache"], { cwd: root, stdout: "pipe", stderr: "ignore" });
  const BUN_INSTALL_CACHE_DIR = (await new Response(asked.stdout).text()).trim();
  expect(await inShell(install?.lines[0] ?? "", { BUN_INSTALL_CACHE_DIR })).toMatchObject({ code: 0 });
  expect(existsSync(join(installed, "node_modules/oxlint"))).toBe(false);
}, 300_000);
afterAll(async () => {
  for (const child of started) child.kill("SIGKILL");
  await noteTally(discord.url);
  await Promise.all([stripe.stop(), mail.stop(), discord.stop()]);
  await rm(scratch, { recursive: true, force: true });
});

const quiet = (env: Settings = {}) =>
  ({
    cwd: installed,
    env: { PATH: `${binaries}:${process.env["PATH"] ?? ""}`, HOME: scratch, ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  }) as const;

function start(command: string[], env: Settings = {}) {
  const child = Bun.spawn(command, quiet(env));
  started.push(child);
  const [out, err] = [new Response(child.stdout).text(), new Response(child.stderr).text()];
  return { child, out, err };
}

/** A line of the manual, as somebody types it. */
async function inShell(line: string, env: Settings = {}) {
  const { child, out, err } = start(["sh", "-ec", line], env);
  return { line, code: await child.exited, out: await out, err: await err };
}

/** Waits until the service is ready; its own end is what it said. */
async function ready({ child, err }: ReturnType<typeof start>, url: URL): Promise<void> {
  const asked = () =>
    fetch(new URL("/api/ready", url)).then(
      ({ ok }) => ok,
      () => false,
    );
  while (child.exitCode === null && !(await asked())) await Bun.sleep(50);
  if (child.exitCode !== null) throw new Error(await err);
  stripe.setWebhookUrl(new URL("/api/stripe/webhook", url).href);
}

/** What the manual leaves to its reader: names, keys, and where things are. */
function reader(port: number, machine: string) {
  const values: Settings = {
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    DATA_DIR: join(scratch, machine),
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_PUBLISHABLE_KEY: stripe.publishableKey,
    STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
    SMTP_URL: mail.smtpUrl,
    METRICS_TOKEN: "canary-token-of-metrics",
  };
  const file = join(scratch, `${machine}.env`);
  const inPlace = (line: string) =>
    line
      .replaceAll("/etc/latchkey.env", file)
      .replaceAll("127.0.0.1:3000", `127.0.0.1:${port}`)
      .replaceAll("s3://my-backups/shop", join(scratch, "elsewhere"))
      .replaceAll(" folder ", ` ${join(scratch, "release")} `);
  return { values, file, inPlace };
}

const loading = "set -a; . /etc/latchkey.env; set +a";

test("every line of the manual, from a clean folder to a sale, a backup and a restored shop, does what it says", async () => {
  const blocks = (await manualBlocks()).filter(({ language }) => language === "sh");
  const linesOf = (section: string) =>
    blocks
      .filter((block) => block.section === section)
      .flatMap(({ lines }) => lines.filter((line) => line !== ""));
  const port = await freePort();
  const url = new URL(`http://127.0.0.1:${port}`);
  const { values, file, inPlace } = reader(port, "data");
  const settings: string[] = [];
  const said: string[] = [];
  let service: ReturnType<typeof start> | undefined;

  const follow = async (line: string, load = true) => {
    const done = await inShell(inPlace(load ? `${loading}; ${line}` : line));
    expect(done).toMatchObject({ code: 0 });
    // what shows a customer shows their address too
    if (!line.includes("payments show")) said.push(done.out, done.err);
    return done.out;
  };
  let loaded = false;
  for (const line of linesOf("From a bare host to the first sale")) {
    const [, name = "", value = ""] = /^([A-Z_]+)=(.*)$/.exec(line) ?? [];
    const [, secret] = /# (SECRET_KEY|BACKUP_KEY):/.exec(line) ?? [];
    if (secret) values[secret] = (await inShell(line)).out.trim();
    else if (name) {
      if (value === "…") expect(values).toHaveProperty(name);
      settings.push(`${name}=${values[name] ?? value}`);
      // the stand-ins are at the far end of real settings
      await Bun.write(file, [...settings, `STRIPE_API_URL=${stripe.url}`, ""].join("\n"));
    } else if (line === loading) loaded = true;
    else if (line === "bun src/main.ts") {
      expect(loaded).toBe(true);
      service = start(["sh", "-ec", inPlace(`${loading}; exec ${line}`)]);
      await ready(service, url);
    } else if (!line.startsWith("bun install")) await follow(line);
  }
  if (!service) throw new Error("the manual starts no shop");
  expect((await fetch(url)).headers.get("content-security-policy")).toContain("default-src 'none'");

  await mkdir(join(scratch, "release"));
  await Bun.write(join(scratch, "release/Wisp-Setup.exe"), "a build");
  await Bun.write(join(scratch, "release/notes.md"), "# First\n\nIt is here.\n");
  const [publish = "", look = "", ...others] = await manualCommands("From a bare host to the first sale");
  expect(others).toEqual([]);
  await follow(publish);

  const buyer = new Person(() => url);
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
  expect(await follow(look.replace("cs_…", session))).toContain("succeeded");
  for (const line of linesOf("Backup")) await follow(line);
  const bearer = { authorization: `Bearer ${values["METRICS_TOKEN"]}` };
  said.push(await (await fetch(new URL("/metrics", url), { headers: bearer })).text());
  service.child.kill("SIGTERM");
  expect(await service.child.exited).toBe(0);

  const machine = join(scratch, "another-machine");
  await Bun.write(file, (await Bun.file(file).text()).replace(values["DATA_DIR"] ?? "", machine));
  for (const line of linesOf("Restore, and the drill")) await follow(line);
  const again = start(["sh", "-ec", inPlace(`${loading}; exec bun src/main.ts`)]);
  await ready(again, url);
  expect((await buyer.get("/api/licenses/me")).body.data[0].key).toBe(key);
  again.child.kill("SIGTERM");
  expect(await again.child.exited).toBe(0);

  said.push(...(await Promise.all([service.out, service.err, again.out, again.err])));
  const secrets = Object.entries({ ...values, key, person: "first@example.com" }).filter(
    ([name]) => /SECRET|KEY$|TOKEN|^key|person/.test(name) && !/PUBLISHABLE/.test(name),
  );
  const all = said.join("\n");
  expect(secrets.filter(([, secret]) => all.includes(secret)).map(([name]) => name)).toEqual([]);
}, 180_000);

test("the service of the manual is one that systemd takes, and is given longer to stop than a stop takes", async () => {
  const unit = (await manualBlocks()).find(({ language }) => language === "ini")?.lines ?? [];
  const path = join(scratch, "latchkey.service");
  await Bun.write(path, `${unit.join("\n")}\n`);
  expect(unit).toContain("ExecStart=/usr/local/bin/bun src/main.ts");
  const patience = Number(unit.find((line) => line.startsWith("TimeoutStopSec="))?.split("=")[1]);
  expect(patience).toBeGreaterThan(11);
  if (!Bun.which("systemd-analyze")) return;
  const { code, err } = await inShell(`systemd-analyze verify ${path}`);
  // whether Bun is installed on this machine at that place is not the unit's fault
  const objections = err.split("\n").filter((line) => line !== "" && !line.includes("is not executable"));
  expect({ objections, isTaken: code === 0 || err !== "" }).toEqual({ objections: [], isTaken: true });
});

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
    const { child, out, err } = start([process.execPath, "src/main.ts"], env);
    expect(`${name}: ${await child.exited}`).toBe(`${name}: 1`);
    expect(await err).toMatch(new RegExp(`^The setting ${name} (must be .*|is missing)\\.\\n$`));
    expect(`${await out}${await err}`).not.toContain("canary");
    expect(await Bun.file(join(dataDir, "shop.db")).exists()).toBe(false);
  }
}, 120_000);
