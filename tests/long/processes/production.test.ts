import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { appendFile, cp, mkdir, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { namesOf, permission } from "@/simulators/discord/guild/permissions";
import { startDiscordSimulator } from "@/simulators/discord/simulator";
import { startMailSimulator } from "@/simulators/mail/simulator";
import { startStripeSimulator } from "@/simulators/stripe/simulator";
import { noteTally } from "../../support/checks/discord-tally";
import { lettingIn } from "../../image/dockerfile";
import {
  type Block,
  firstSale,
  manualBlocks,
  manualCommands,
  manualText,
} from "../../support/operator/operator-manual";
import { proxyRules, startProxy } from "../../support/network/proxy";
import { discordSettings, eventually } from "../../support/shop/stage";
import { expectBehindProxy, SecurePerson } from "../../stories/process/behind-proxy";
import { freePort } from "../../support/shop/free-port";
import { testNeeding } from "../../support/checks/test-needing";

const root = join(import.meta.dir, "../../..");
const scratch = await mkdtemp(join(tmpdir(), "latchkey-production-"));
const installed = join(scratch, "opt");
/** The shop's name in the manual, and its replacement here. */
const manualUrl = "https://shop.example.com";
const publicUrl = new URL(`https://127.0.0.1:${await freePort()}`);
const callback = "/dashboard/discord-callback";
const webhooks = "/api/stripe/webhook";
const [stripe, mail, discord] = await Promise.all([
  startStripeSimulator({ seed: 1 }),
  startMailSimulator(),
  startDiscordSimulator({ seed: 1, redirectUris: [new URL(callback, publicUrl).href] }),
]);

/** All of production's settings, pointing to the simulators. */
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
  ...discordSettings(discord),
});
type Settings = Record<string, string>;

/** Where a host with Bun has it. */
const binaries = join(scratch, "bin");
await mkdir(binaries);
await symlink(process.execPath, join(binaries, "bun"));

/** Killed at the end, so that none outlives a failed test. */
const started: Bun.Subprocess[] = [];

/** What the image is made of, and nothing else of this folder; then the first block of the manual. */
beforeAll(async () => {
  const letIn = lettingIn(await Bun.file(join(root, ".dockerignore")).text());
  for (const name of (await readdir(root)).filter(letIn)) {
    await cp(join(root, name), join(installed, name), { recursive: true });
  }
  const [install] = await manualBlocks();
  expect(install?.lines).toHaveLength(1);
  // what this folder already has is not fetched again
  const asked = Bun.spawn([process.execPath, "pm", "cache"], { cwd: root, stdout: "pipe", stderr: "ignore" });
  const BUN_INSTALL_CACHE_DIR = (await new Response(asked.stdout).text()).trim();
  expect(await inShell(install?.lines[0] ?? "", { BUN_INSTALL_CACHE_DIR })).toMatchObject({ code: 0 });
  expect(existsSync(join(installed, "node_modules/oxlint"))).toBe(false);
});
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

/** A line of the manual, as somebody would type it. */
async function inShell(line: string, env: Settings = {}) {
  const { child, out, err } = start(["sh", "-ec", line], env);
  return { line, code: await child.exited, out: await out, err: await err };
}

/** Waits until the service is ready; if it ends before, throws what it printed. */
async function ready({ child, err }: ReturnType<typeof start>, url: URL): Promise<void> {
  const asked = () =>
    fetch(new URL("/api/ready", url)).then(
      ({ ok }) => ok,
      () => false,
    );
  while (child.exitCode === null && !(await asked())) await Bun.sleep(50);
  if (child.exitCode !== null) throw new Error(await err);
}

/** What the manual leaves to the reader: names, keys, and where things are. */
function reader(port: number, machine: string) {
  const { DISCORD_API_URL: _, ...discordValues } = discordSettings(discord);
  const values: Settings = {
    PORT: String(port),
    DATA_DIR: join(scratch, machine),
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_PUBLISHABLE_KEY: stripe.publishableKey,
    STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
    SMTP_URL: mail.smtpUrl,
    METRICS_TOKEN: "canary-token-of-metrics",
    ...discordValues,
  };
  const file = join(scratch, `${machine}.env`);
  const inPlace = (line: string) =>
    line
      .replaceAll(manualUrl, publicUrl.origin)
      .replaceAll("/etc/latchkey.env", file)
      .replaceAll("127.0.0.1:3000", `127.0.0.1:${port}`)
      .replaceAll("s3://my-backups/shop", join(scratch, "elsewhere"))
      .replace("2026-01-31T04:10", new Date().toISOString().slice(0, 16))
      .replaceAll(" folder ", ` ${join(scratch, "release")} `);
  return { values, file, inPlace };
}

const loading = "set -a; . /etc/latchkey.env; set +a";

/** Commands that change the machine; `tests/manual` runs them on one of its own. */
const isForMachine = /^(bun install|useradd|install|systemctl|nginx) /;

/** Does something on a simulator's side. */
// oxlint-disable-next-line typescript/no-explicit-any -- a test may read any field
async function atStandIn({ url }: { url: string }, action: string, body?: object): Promise<any> {
  const answer = await fetch(`${url}/_control/${action}`, {
    ...(body ? { method: "POST", body: JSON.stringify(body) } : {}),
    headers: { "content-type": "application/json" },
  });
  expect(answer.ok).toBe(true);
  return answer.json();
}

/** Invites the bot with the manual's link, and checks that the rest of that step in the manual is true. */
async function invite([address = ""]: string[]): Promise<void> {
  const { searchParams } = new URL(address);
  expect(searchParams.get("scope")).toBe("bot applications.commands");
  expect(await manualText(firstSale)).toContain(`\`${manualUrl}${callback}\``);
  const grant = namesOf(BigInt(searchParams.get("permissions") ?? 0));
  const deny = Object.keys(permission).filter((name) => !grant.some((one) => one === name));
  await atStandIn(discord, "bot", { grant, deny, role: "above" });
}

/** The proxy that a block of the manual describes, at the shop's address. */
async function proxyOf(block: Block, port: number) {
  const { securely, to, servers, ...rules } = proxyRules(block);
  expect(servers).toEqual([]);
  expect(to).toBe("http://127.0.0.1:3000");
  expect(securely).toMatch(/^https:\/\/(shop\.example\.com\$request_uri|\{host\}\{uri\})$/);
  const [cert, key] = [join(scratch, "fullchain.pem"), join(scratch, "privkey.pem")];
  const signing = `openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=shop -keyout ${key} -out ${cert}`;
  expect(await inShell(signing)).toMatchObject({ code: 0 });
  const tls = { cert: Bun.file(cert), key: Bun.file(key) };
  return startProxy({ ...rules, to: `http://127.0.0.1:${port}` }, { port: Number(publicUrl.port), tls });
}

test("every command in the manual, from a clean folder to a sale, a role, a backup and a restored shop, works", async () => {
  const blocks = await manualBlocks();
  const blocksOf = (section: string) => blocks.filter((block) => block.section === section);
  const linesOf = (section: string) =>
    blocksOf(section).flatMap(({ language, lines }) => (language === "sh" ? lines : []));
  const port = await freePort();
  const url = new URL(`http://127.0.0.1:${port}`);
  const { values, file, inPlace } = reader(port, "data");
  const output: string[] = [];
  let service: ReturnType<typeof start> | undefined;
  let proxy: Bun.Server<undefined> | undefined;
  let proxies = 0;

  const follow = async (line: string, load = true) => {
    const done = await inShell(inPlace(load ? `${loading}; ${line}` : line));
    expect(done).toMatchObject({ code: 0 });
    // a customer's output shows their address too
    if (!line.includes("payments show")) output.push(done.out, done.err);
    return done.out;
  };
  let loaded = false;
  const type = async (line: string) => {
    const [, name = "", value = ""] = /^([A-Z_]+)=(.*)$/.exec(line) ?? [];
    const [, secret] = /# (SECRET_KEY|BACKUP_KEY):/.exec(line) ?? [];
    if (secret) values[secret] = (await inShell(line)).out.trim();
    else if (name) {
      if (value === "…") expect(values).toHaveProperty(name);
      await appendFile(file, `${name}=${values[name] ?? inPlace(value)}\n`);
    } else if (line === loading) loaded = true;
    else if (line === "bun src/main.ts") {
      expect(loaded).toBe(true);
      service = start(["sh", "-ec", inPlace(`${loading}; exec ${line}`)]);
      await ready(service, url);
    } else if (line === "bun run shop doctor") expect(await follow(line)).toMatch(/ok +Discord: /);
    else if (line !== "" && !isForMachine.test(line)) await follow(line, !line.startsWith("sed "));
  };
  // the owner adds the endpoint that the manual names at Stripe
  expect(await manualText(firstSale)).toContain(`\`${manualUrl}${webhooks}\``);
  await atStandIn(stripe, "webhooks/endpoints", { endpoints: [{ url: new URL(webhooks, publicUrl).href }] });
  // the simulators are at the other end of real settings
  await Bun.write(file, `STRIPE_API_URL=${stripe.url}\nDISCORD_API_URL=${discord.url}/api\n`);
  for (const block of blocksOf(firstSale)) {
    if (block.language === "sh") for (const line of block.lines) await type(line);
    else if (block.language === "text") await invite(block.lines);
    else if (block.language !== "ini") {
      await proxy?.stop(true);
      proxy = await proxyOf(block, port);
      proxies += 1;
      await expectBehindProxy(inShell, publicUrl, String(proxies));
    }
  }
  if (!service || !proxy) throw new Error("the manual starts no shop");
  expect(proxies).toBe(2);
  // Stripe would believe the proxy's certificate
  const passing = { forwarded: "as sent", mostBytes: 2 ** 20, to: publicUrl.origin } as const;
  const believing = startProxy(passing, { port: 0 });
  stripe.setWebhookUrl(new URL(webhooks, believing.url).href);
  const buyer = new SecurePerson(() => publicUrl);
  expect((await buyer.get("/")).headers.get("content-security-policy")).toContain("default-src 'none'");

  await mkdir(join(scratch, "release"));
  await Bun.write(join(scratch, "release/Wisp-Setup.exe"), "a build");
  await Bun.write(join(scratch, "release/notes.md"), "# First\n\nIt is here.\n");
  const [publish = "", look = "", ...others] = await manualCommands(firstSale);
  expect(others).toEqual([]);
  await follow(publish);

  const opened = await buyer.post("/api/stripe/create-checkout-session", { currency: "usd" });
  const { id: session } = opened.body.data;
  await atStandIn(stripe, "pay", { session, email: "first@example.com" });
  const sale = await eventually(
    () => buyer.get(`/api/stripe/verify-payment?session_id=${session}`),
    ({ body }) => body.status_message === "Payment Verified" && body.data.sent_receipt,
  );
  const key: string = sale.body.data.license_key;
  expect(mail.messages("first@example.com")).toHaveLength(1);
  const registered = await buyer.register(key, "first");
  expect(registered.status).toBe(200);
  const cookie = registered.headers.getSetCookie().find((one) => one.startsWith("__Host-session="));
  expect(cookie).toMatch(/; Secure/);
  expect(await follow(look.replace("cs_…", session))).toContain("succeeded");

  await buyer.prove();
  const asked = await buyer.get("/api/functions/get-discord-oauth-url");
  const { redirect } = await atStandIn(discord, "authorize", { url: asked.body.url, user: "ada" });
  const back = Object.fromEntries(new URL(redirect).searchParams);
  expect((await buyer.post("/api/discord/auth/callback", back)).status).toBe(200);
  await eventually(
    () => atStandIn(discord, "holders"),
    ({ holders }) => holders.length === 1,
  );
  // the panel for tickets
  await eventually(
    () => atStandIn(discord, "channels/support/messages"),
    ({ messages }) => messages.length === 1,
  );

  for (const line of linesOf("Backup")) if (line !== "") await follow(line);
  const bearer = { authorization: `Bearer ${values["METRICS_TOKEN"]}` };
  const counted = await (await fetch(new URL("/metrics", url), { headers: bearer })).text();
  expect(counted).toContain(
    'latchkey_requests_total{method="POST",route="/api/stripe/webhook",status="200"}',
  );
  output.push(counted);
  service.child.kill("SIGTERM");
  expect(await service.child.exited).toBe(0);

  const machine = join(scratch, "another-machine");
  await Bun.write(file, (await Bun.file(file).text()).replace(values["DATA_DIR"] ?? "", machine));
  for (const line of linesOf("Restore, and the drill")) if (line !== "") await follow(line);
  const again = start(["sh", "-ec", inPlace(`${loading}; exec bun src/main.ts`)]);
  await ready(again, url);
  expect((await buyer.get("/api/licenses/me")).body.data[0].key).toBe(key);
  again.child.kill("SIGTERM");
  expect(await again.child.exited).toBe(0);
  await Promise.all([proxy.stop(true), believing.stop(true)]);

  output.push(...(await Promise.all([service.out, service.err, again.out, again.err])));
  const secrets = Object.entries({ ...values, key, person: "first@example.com" }).filter(
    ([name]) => /SECRET|KEY$|TOKEN|^key|person/.test(name) && !/PUBLISHABLE/.test(name),
  );
  const all = output.join("\n");
  expect(secrets.filter(([, secret]) => all.includes(secret)).map(([name]) => name)).toEqual([]);
});

testNeeding("systemd-analyze")(
  "systemd accepts the manual's unit, which allows longer to stop than a stop takes",
  async () => {
    const unit = (await manualBlocks()).find(({ language }) => language === "ini")?.lines ?? [];
    const path = join(scratch, "latchkey.service");
    await Bun.write(path, `${unit.join("\n")}\n`);
    expect(unit).toContain("ExecStart=/usr/local/bin/bun src/main.ts");
    const patience = Number(unit.find((line) => line.startsWith("TimeoutStopSec="))?.split("=")[1]);
    expect(patience).toBeGreaterThan(11);
    const { code, err } = await inShell(`systemd-analyze verify ${path}`);
    // it isn't the unit's fault if Bun is not installed there on this machine
    const objections = err.split("\n").filter((line) => line !== "" && !line.includes("is not executable"));
    expect({ objections, isTaken: code === 0 || err !== "" }).toEqual({ objections: [], isTaken: true });
  },
);

// the others are in units/config
const spoiled: [name: string, value: string][] = [
  ["STRIPE_SECRET_KEY", ""],
  ["SECRET_KEY", "canary"],
];

test("a missing or wrong setting stops the start with one sentence that names it and contains no secret", async () => {
  const port = await freePort();
  for (const [name, value] of spoiled) {
    const dataDir = join(scratch, `never-${name}`);
    const env = { ...settings(port, dataDir), [name]: value };
    const { child, out, err } = start([process.execPath, "src/main.ts"], env);
    expect(`${name}: ${await child.exited}`).toBe(`${name}: 1`);
    expect(await err).toMatch(new RegExp(`^The setting ${name} (must be .*|is missing)\\.\\n$`));
    expect(`${await out}${await err}`).not.toContain("canary");
    expect(await Bun.file(join(dataDir, "shop.db")).exists()).toBe(false);
  }
});
