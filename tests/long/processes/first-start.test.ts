import { afterEach, expect, test } from "bun:test";
import { chmod, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq, like } from "drizzle-orm";
import { brand } from "@/brand/brand";
import { readConfig, type ShopConfig } from "@/core/settings/config";
import { factOf } from "@/core/database/key-values";
import { createLog } from "@/core/log/log";
import { playCast } from "@/demo/cast";
import { cast } from "@/demo/members";
import { startDemo } from "@/demo/start";
import { sellStudio } from "@/demo/studio";
import { offersOnSale } from "@/domain/offers/list";
import { accounts } from "@/domain/schema/accounts";
import { links } from "@/domain/schema/discord";
import { payments } from "@/domain/schema/payments";
import { releases } from "@/domain/schema/releases";
import { staff } from "@/domain/schema/staff";
import { type RunningShop, startShop } from "@/shop";
import { startDiscordSimulator } from "@/simulators/discord/simulator";
import { startMailSimulator } from "@/simulators/mail/simulator";
import { startStripeSimulator } from "@/simulators/stripe/simulator";
import { operateAlone } from "../../support/operator/run-operator";
import { runProcess } from "../../support/operator/run-process";
import { eventually, openStage } from "../../support/shop/stage";

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});
async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-first-"));
  folders.push(folder);
  return folder;
}

/** Starts the demo in a folder; its output is recorded instead of printed. */
async function demoIn(dataDir: string, env: Record<string, string> = {}) {
  const lines: string[] = [];
  const printed: string[] = [];
  const shops: RunningShop[] = [];
  const configs: ShopConfig[] = [];
  const everybodyIsThere = Promise.withResolvers<void>();
  const stop = await startDemo(
    readConfig({ PORT: "0", DATA_DIR: dataDir, ...env }),
    async (config, simulated) => {
      const shop = await startShop(config, {
        simulated,
        log: createLog("debug", (line) => void lines.push(line)),
      });
      shops.push(shop);
      configs.push(config);
      return shop;
    },
    {
      print: (text) => {
        printed.push(text);
        if (text.includes("Everyone is there")) everybodyIsThere.resolve();
      },
    },
  );
  const [shop] = shops;
  const [config] = configs;
  if (!shop || !config) throw new Error("the demo starts a shop");
  return { shop, config, stop, lines, printed, filled: everybodyIsThere.promise };
}

const everybody = Object.keys(cast).toSorted();

test("the demo says where to click as soon as it answers, before its customers exist", async () => {
  const demo = await demoIn(await newFolder());
  expect(demo.printed.join("")).toContain(`Open ${demo.shop.url.href}`);
  expect(await factOf(demo.shop.ctx, "demo_filled")).toBeNull();
  await demo.filled;
  await demo.stop();
  expect(demo.printed.join("")).toMatch(/A key to register with: [A-Z0-9-]{20,}/);
});

test("a demo that finds settings of Stripe in its environment says that it uses them and makes no customers", async () => {
  const stripe = { STRIPE_SECRET_KEY: "sk_test_old", STRIPE_PUBLISHABLE_KEY: "pk_test_old" };
  const demo = await demoIn(await newFolder(), {
    ...stripe,
    STRIPE_WEBHOOK_SECRET: "whsec_old",
    STRIPE_API_URL: "http://127.0.0.1:9",
  });
  const printed = demo.printed.join("");
  expect(printed).toStartWith(
    "STRIPE_… settings are in this terminal's environment, so the demo uses them and starts no simulator of Stripe, and makes no customers.",
  );
  expect(printed).toContain("printed by an earlier demo");
  expect(printed).not.toContain("Sign in as");
  expect(await factOf(demo.shop.ctx, "demo_filled")).toBeNull();
  await demo.stop();
});

test("support may propose as much a day in the demo's Discord as on its desk, even nothing", async () => {
  for (const [env, cap] of [
    [{}, 5000],
    [{ REFUND_DAILY_CAP: "0" }, 0],
  ] as const) {
    const { config, stop } = await demoIn(await newFolder(), env);
    await stop();
    const inDiscord = config.discord === "off" ? null : config.discord.refundDailyCap;
    expect([config.refundDailyCap, inDiscord]).toEqual([cap, cap]);
  }
});

test("the demo sells two levels and prints what else there is to try, and all of that works", async () => {
  const folder = await newFolder();
  const demo = await demoIn(folder);
  await demo.filled;
  const { ctx, url } = demo.shop;
  const lines = demo.printed.join("").split("\n");
  const toTry = (what: string) =>
    lines.find((line) => line.trim().startsWith(what)) ?? `nothing about ${what}`;
  expect((await offersOnSale(ctx)).map(({ id }) => id)).toEqual([brand.offer.id, "studio"]);

  const [link] = /http\S+code=\S+/.exec(toTry("a promotion code")) ?? [];
  const code = new URL(link ?? url).searchParams.get("code") ?? "";
  const opened = await fetch(new URL("/api/stripe/create-checkout-session", url), {
    method: "POST",
    headers: { "content-type": "application/json", origin: url.origin },
    body: JSON.stringify({ currency: "usd", code }),
  });
  const { data } = (await opened.json()) as { data: { url: string } };
  expect(await (await fetch(data.url)).text()).toContain("$4.00");

  const [, command = ""] = /bun run shop (.*)/.exec(toTry("another offer")) ?? [];
  const args = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");
  const done = await operateAlone({ DATA_DIR: folder }, ...args);
  expect([done.code, done.err]).toEqual([0, ""]);
  expect((await offersOnSale(ctx)).map(({ id }) => id)).toEqual([brand.offer.id, "studio", "month"]);

  const [, buyer = ""] = /for (\S+),/.exec(toTry("a lost order")) ?? [];
  expect(await ctx.store.db.$count(payments, eq(payments.email, buyer))).toBe(1);
  expect(toTry("a gift")).toContain(new URL("/?gift", url).href);
  const pages = lines.flatMap((line) => /(?:Stripe's side|Discord).*: (http\S+)/.exec(line)?.[1] ?? []);
  for (const [what, at] of [
    ["a refund, a dispute", pages[0]],
    ["a ticket", pages[1]],
  ]) {
    expect([what, new URL(at ?? "").href]).toEqual([what, /http\S+/.exec(toTry(what ?? ""))?.[0]]);
  }
  expect(toTry("a second level")).toContain(new URL("/?offer=studio", url).href);
  await eventually(
    () => ctx.store.db.select().from(links),
    (all) => all.some(({ heldLevels }) => heldLevels?.includes("studio")),
  );
  await demo.stop();

  const again = await demoIn(folder);
  expect((await again.shop.checkout.codes()).map(({ code: known }) => known)).toEqual([code]);
  await again.stop();
});

test("a demo stopped during its first start continues at the next one, and creates each customer once", async () => {
  const folder = await newFolder();
  const stopped = await demoIn(folder);
  expect(await factOf(stopped.shop.ctx, "demo_filled")).toBeNull();
  await stopped.stop();
  const { shop, stop, filled, lines } = await demoIn(folder);
  await filled;
  const { db } = shop.ctx.store;
  const names = (await db.select().from(accounts)).map(({ username }) => username);
  expect(names.filter((name) => /^[a-z]+$/.test(name)).toSorted()).toEqual(everybody);
  // and those of the past year
  expect(names.length).toBeGreaterThan(850);
  expect(await db.$count(releases)).toBe(12);
  expect(await db.$count(links)).toBe(6);
  const ofCast = await db.select().from(payments).where(like(payments.email, "%@example.com"));
  const states = ofCast.map(({ email, state }) => `${email} ${state}`);
  expect(states).toContain("dora@example.com disputed");
  expect(states).toContain("rhea@example.com refunded");
  await stop();
  for (const line of [...stopped.lines, ...lines]) expect(line).not.toContain("could not be filled");
});

test("the demo creates each customer once, wherever it was interrupted", async () => {
  await using stage = await openStage();
  const { ctx, checkout } = stage.shop;
  const on = { ctx, checkout, publicUrl: stage.url, stripeUrl: new URL(stage.stripe.url) };
  await sellStudio(ctx, { discordUrl: null });
  for (let most = 0; most <= 16; most += 1) {
    let steps = 0;
    const goOn = () => {
      if ((steps += 1) > most) throw new Error("stopped");
    };
    await playCast(on, goOn).catch(() => {});
  }
  const key = await playCast(on);
  expect(await playCast(on)).toBe(key);
  const all = await ctx.store.db.select().from(accounts);
  expect(all.map(({ username }) => username).toSorted()).toEqual(everybody);
  expect((await ctx.store.db.select().from(staff)).map(({ role }) => role).toSorted()).toEqual([
    "owner",
    "support",
  ]);
  // six of the cast buy, and a stranger
  expect(await ctx.store.db.$count(payments)).toBe(7);
});

test("a demo with a real Discord asks nothing of it that only the simulator knows", async () => {
  const asked: string[] = [];
  const foreign = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      asked.push(new URL(request.url).pathname);
      return Response.json({ message: "404: Not Found", code: 0 }, { status: 404 });
    },
  });
  const id = (name: string) => [`DISCORD_${name}_ID`, "100000000000000001"];
  const ids = ["CLIENT", "GUILD", "PREMIUM_ROLE", "SUPPORT_ROLE", "SUPPORT_CHANNEL", "STAFF_CHANNEL"];
  const demo = await demoIn(await newFolder(), {
    ...Object.fromEntries(ids.map(id)),
    DISCORD_BOT_TOKEN: "a-token",
    DISCORD_CLIENT_SECRET: "a-secret",
    DISCORD_API_URL: new URL("/api", foreign.url).href,
  });
  await demo.filled;
  await demo.stop();
  await foreign.stop(true);
  expect(asked.filter((path) => path.includes("_control"))).toEqual([]);
});

test("a start in production with --dev, or without a setting, ends with a sentence and makes no database", async () => {
  for (const [name, option, sentence] of [
    ["", "--dev", /--dev/],
    ["STRIPE_SECRET_KEY", "", /^The setting STRIPE_SECRET_KEY is missing\.\n$/],
  ] as const) {
    const env: Record<string, string> = {
      PATH: process.env["PATH"] ?? "",
      NODE_ENV: "production",
      MAIL: "off",
      DISCORD: "off",
      STRIPE_SECRET_KEY: "sk_live_x",
      STRIPE_PUBLISHABLE_KEY: "pk_live_x",
      STRIPE_WEBHOOK_SECRET: "whsec_x",
      PUBLIC_URL: "https://shop.example.com",
      PORT: "0",
      DATA_DIR: await newFolder(),
      SECRET_KEY: Buffer.alloc(32).toString("base64"),
      [name]: "",
    };
    const ended = await runProcess([process.execPath, "src/main.ts", option].filter(Boolean), { env });
    expect(ended).toMatchObject({ code: 1, err: expect.stringMatching(sentence) });
    expect(await readdir(env["DATA_DIR"] ?? "")).not.toContain("shop.db");
  }
});

test("under a lax umask too, nobody else can read the database, its side files, its lock, or what simulators keep", async () => {
  const before = process.umask(0);
  try {
    await using stage = await openStage();
    await stage.handOut();
    const file = join(stage.dataDir, "shop.db");
    const simulators = join(stage.dataDir, "demo");
    const stripe = await startStripeSimulator({ dataDir: join(simulators, "stripe") });
    const discord = await startDiscordSimulator({ dataDir: join(simulators, "discord") });
    const mail = await startMailSimulator({ dataDir: join(simulators, "mail") });
    await Promise.all([stripe.stop(), discord.stop(), mail.stop()]);
    const made = (await readdir(stage.dataDir, { recursive: true })).map((name) => join(stage.dataDir, name));
    expect(made).toContain(`${file}.lock`);
    expect(made.filter((path) => path.startsWith(simulators)).length).toBeGreaterThan(4);
    const open: string[] = [];
    for (const path of made) if (((await stat(path)).mode & 0o077) !== 0) open.push(path);
    expect(open).toEqual([]);
    // and where an earlier version left them open
    const earlier = [file, `${file}.lock`];
    await stage.restart({
      meanwhile: () =>
        Promise.all([chmod(stage.dataDir, 0o755), ...earlier.map((path) => chmod(path, 0o644))]),
    });
    await stage.handOut();
    const own = [stage.dataDir, ...["", "-wal", "-shm", ".lock"].map((suffix) => `${file}${suffix}`)];
    const modes = await Promise.all(own.map(async (path) => ((await stat(path)).mode & 0o777).toString(8)));
    expect(modes).toEqual(["700", "600", "600", "600", "600"]);
  } finally {
    process.umask(before);
  }
});
