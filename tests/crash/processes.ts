import { mkdir } from "node:fs/promises";
import { createClient } from "@libsql/client";
import { join } from "node:path";
import { noteTally } from "../support/checks/discord-tally";
import { operateWith } from "../support/operator/run-operator";
import { shareSite } from "../support/shop/shared-site";
import { freePort } from "../support/shop/free-port";
import { control } from "../support/network/control";

const root = new URL("../..", import.meta.url).pathname;
/** The simulator's own. */
export const stripeKeys = { secretKey: "sk_test_demo", webhookSecret: "whsec_demo" } as const;

/** The simulators of Stripe, the mail server and, on request, Discord, as processes that keep running. */
export async function startWorld(folder: string, options: { discord?: boolean } = {}) {
  const port = await freePort();
  const mailFolder = join(folder, "mail");
  const dataDir = join(folder, "data");
  await mkdir(mailFolder, { recursive: true });
  await shareSite(dataDir);
  const shopUrl = `http://127.0.0.1:${port}`;
  const over = new AbortController();
  const [stripe, discord, mail] = await Promise.all([
    startSimulator("stripe", [
      `--webhook-url=${shopUrl}/api/stripe/webhook`,
      `--data-dir=${join(folder, "stripe")}`,
    ]),
    options.discord ? startSimulator("discord", [`--redirect-uri=${callbackOf(port)}`]) : null,
    startSimulator("mail", [`--data-dir=${mailFolder}`]),
  ]);
  return {
    /** Aborted once it stops: whoever still retries has nobody left to ask. */
    over: over.signal,
    shopUrl,
    port,
    dataDir,
    databaseUrl: `file:${join(dataDir, "shop.db")}`,
    mailFolder,
    stripeUrl: stripe.started.url ?? "",
    smtpUrl: mail.started.smtpUrl ?? "",
    atStripe: (action: string, body: object) => control(stripe.started.url ?? "", action, body),
    /** The shop's settings for Discord. */
    discord: discord ? discordSettings(discord.started) : { DISCORD: "off" },
    /** Does something at Discord, or asks it something if there is no body. */
    atDiscord: (action: string, body?: object) => control(discord?.started.url ?? "", action, body),
    /** The texts of the emails with this subject, in any mailbox. */
    async emailsWith(subject: string): Promise<string[]> {
      const { messages } = (await control(mail.started.url ?? "", "messages")) as {
        messages: { subject: string; text: string }[];
      };
      return messages.filter((email) => email.subject === subject).map(({ text }) => text);
    },
    atMail: (fault: object) => control(mail.started.url ?? "", "faults", fault),
    async stop() {
      over.abort(new Error("the story is over"));
      if (discord) await noteTally(discord.started.url ?? "");
      const all = [stripe, mail, ...(discord ? [discord] : [])];
      for (const { child } of all) child.kill();
      await Promise.all(all.map(({ child }) => child.exited));
    },
  };
}
export type World = Awaited<ReturnType<typeof startWorld>>;

export type ShopProcess = Awaited<ReturnType<typeof startShopProcess>>;

/**
 * `bun src/main.ts` with real settings, started through the command `before` if there is one. Resolves
 * when it answers, or when it has died before that.
 */
export async function startShopProcess(
  world: World,
  env: Record<string, string> = {},
  before: string[] = [],
) {
  const began = performance.now();
  const child = Bun.spawn([...before, process.execPath, "src/main.ts"], {
    cwd: root,
    env: { ...baseEnvironment(), ...shopSettings(world), ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const errors = new Response(child.stderr).text();
  const logged = new Response(child.stdout).text();
  let over = false;
  void child.exited.then(() => (over = true));
  while (!over && !(await answers(`${world.shopUrl}/api/health`))) await Bun.sleep(5);
  return {
    child,
    /** Spawn to first answer; meaningless if it died before that. */
    startedInMs: performance.now() - began,
    /** False when it died at a failpoint before it could answer. */
    answered: !over,
    errors,
    /** Its log, once it has ended. */
    logged,
    /** Resolves when the process has ended. */
    async kill(signal: "SIGKILL" | "SIGTERM" = "SIGKILL") {
      child.kill(signal);
      await child.exited;
    },
  };
}

/** A database while no shop runs on it. A process that was just killed may still hold its locks. */
export const databaseAt = (file: string) => createClient({ url: `file:${file}`, timeout: 5_000 });

/** Runs an operator's command on this world's shop; resolves to what it printed. */
export async function operateOn(world: World, ...args: string[]): Promise<string> {
  const { out, err, code } = await operateWith({ ...baseEnvironment(), ...shopSettings(world) }, ...args);
  if (code !== 0) throw new Error(`shop ${args.join(" ")}: ${err}`);
  return out;
}

/** What its shop is configured with. */
export const shopSettings = (world: World) => ({
  PORT: String(world.port),
  DATA_DIR: world.dataDir,
  SECRET_KEY: Buffer.alloc(32, 9).toString("base64"),
  STRIPE_SECRET_KEY: stripeKeys.secretKey,
  STRIPE_PUBLISHABLE_KEY: "pk_test_demo",
  STRIPE_WEBHOOK_SECRET: stripeKeys.webhookSecret,
  STRIPE_API_URL: world.stripeUrl,
  SMTP_URL: world.smtpUrl,
  MAIL_FROM: "shop@example.com",
  ...world.discord,
  TRUSTED_PROXIES: "1",
  WEBHOOKS_ALLOW_PRIVATE: "true",
  LOG_LEVEL: "error",
});

/** Where Discord sends browsers back to when no PUBLIC_URL is set. */
const callbackOf = (port: number) => `http://localhost:${port}/dashboard/discord-callback`;

const discordSettings = (started: Started) => ({
  DISCORD_BOT_TOKEN: started.botToken ?? "",
  DISCORD_CLIENT_ID: started.clientId ?? "",
  DISCORD_CLIENT_SECRET: started.clientSecret ?? "",
  DISCORD_GUILD_ID: started.guildId ?? "",
  DISCORD_PREMIUM_ROLE_ID: started.premiumRoleId ?? "",
  DISCORD_SUPPORT_ROLE_ID: started.supportRoleId ?? "",
  DISCORD_SUPPORT_CHANNEL_ID: started.supportChannelId ?? "",
  DISCORD_STAFF_CHANNEL_ID: started.staffChannelId ?? "",
  DISCORD_API_URL: `${started.url}/api`,
});

/** The environment that any program needs, without the shop's settings. */
const baseEnvironment = () => ({
  PATH: process.env.PATH ?? "",
  HOME: process.env.HOME ?? "",
  TMPDIR: process.env.TMPDIR ?? "/tmp",
});

/** What a simulator prints once it is ready: its addresses and whatever else its users need. */
type Started = Record<string, string | undefined>;

async function startSimulator(name: string, args: string[]) {
  const child = Bun.spawn([process.execPath, "src/simulators/main.ts", name, ...args], {
    cwd: root,
    env: baseEnvironment(),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  for await (const bytes of child.stdout) {
    const line = new TextDecoder().decode(bytes);
    if (line.includes('"ready"')) {
      return { child, started: JSON.parse(line) as Started };
    }
  }
  throw new Error(`the ${name} simulator did not start`);
}

async function answers(url: string): Promise<boolean> {
  return fetch(url, { signal: AbortSignal.timeout(1_000) }).then(
    (answer) => answer.ok,
    () => false,
  );
}
