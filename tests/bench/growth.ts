/**
 * `bun run bench growth [ACCOUNTS=100000] [FOLDER]`: what grows with the number of customers. Two shops run side by side, one with
 * a thousand accounts and one with ACCOUNTS, and take turns call by call. Prints the rates, the processor time of a call
 * and its ratio, which hardly depends on what else the machine is doing, the longest statements of requests and timers,
 * the first answer after a start, and what others notice while a customer fetches their lists as fast as their limit
 * allows, while the operator exports and backs up, and while the bot finds that all members have left. FOLDER keeps the
 * databases for the next run.
 */
import { createClient } from "@libsql/client";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { customerOf } from "@/domain/customers/customer";
import { botTopics } from "@/domain/outbox-topics";
import { operateOn, type ShopProcess, startShopProcess, startWorld, type World } from "../crash/processes";
import { fill, grown, openFilled } from "../growth/fill";
import { median } from "../support/checks/percentile";
import { healthTimes } from "./health-times";
import type { Load } from "./load";
import type { Longest } from "./longest-statements";
import { processorSeconds } from "./of-process";
import { unlimited } from "../support/shop/unlimited";

const small = 1_000;
const large = Number(process.argv[3] ?? 100_000);
const rounds = 3;
const seconds = 2;
const starts = 3;
const secretKey = Buffer.alloc(32, 9).toString("base64");
const metricsToken = "a-token-for-the-measurement";
const goals = { ratio: 0.8, statement: 10, start: 1_000, health: 20 };

type Target = {
  accounts: number;
  world: World;
  shop: ShopProcess;
  longest: string;
  header: string;
  apiKey: string;
  staffView: () => Promise<unknown>;
  startedInMs: number[];
};
/** How often a second something was done or answered, and what each time cost the process that does it. */
type Measured = { perSecond: number; microseconds: number };
type Call = { name: string; measure: (target: Target) => Promise<Measured> };

const kept = process.argv[4];
const folder = kept ? resolve(kept) : await mkdtemp(join(tmpdir(), "latchkey-growth-"));
const targets: Target[] = [];
/** What has to be stopped at the end, even if the benchmark fails. */
const running: (() => Promise<void>)[] = [];
/** What shops recorded before they were stopped. */
const toldBefore = new Map<Target, Longest[]>();
async function open(accounts: number): Promise<Target> {
  const own = join(folder, String(accounts));
  // rebuilt below
  await rm(join(own, "data/site"), { force: true });
  const world = await startWorld(own, { discord: true });
  running.push(() => world.stop());
  const settings = { DATA_DIR: world.dataDir, SECRET_KEY: secretKey };
  const began = performance.now();
  const database = Bun.file(join(world.dataDir, "shop.db"));
  const isFilled = await database.exists();
  const bytes = isFilled ? database.size : await fill(accounts, settings);
  const took = isFilled ? "before" : `in ${((performance.now() - began) / 1000).toFixed(0)} s`;
  console.log(`${accounts} accounts: ${(bytes / 1e6).toFixed(0)} MB, filled ${took}`);
  const { ctx, account, apiKey } = await openFilled(settings);
  const longest = join(own, "longest.json");
  const shop = await start(world, longest);
  if (!shop.answered) throw new Error(`the shop did not start: ${await shop.errors}`);
  return {
    accounts,
    world,
    shop,
    longest,
    header: await signIn(world),
    apiKey,
    staffView: () => customerOf(ctx, account),
    startedInMs: [shop.startedInMs],
  };
}

const start = (world: World, longest: string): Promise<ShopProcess> =>
  startShopProcess(world, {
    NODE_ENV: "production",
    PUBLIC_URL: world.shopUrl,
    METRICS_TOKEN: metricsToken,
    LATCHKEY_LONGEST: longest,
    BUN_OPTIONS: `--preload=${join(import.meta.dir, "longest-statements.ts")}`,
    ...unlimited,
  });

async function signIn(world: World): Promise<string> {
  const answer = await fetch(`${world.shopUrl}/api/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json", "sec-fetch-site": "same-origin" },
    body: JSON.stringify({ username: grown.username, password: grown.password }),
  });
  if (!answer.ok) throw new Error(`signing in answered ${answer.status}: ${await answer.text()}`);
  return `cookie: ${answer.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ")}`;
}

/** A call, repeated as fast as it is answered over kept-alive connections. */
const call = (
  name: string,
  path: string,
  { header = ({ header }: Target) => header, body = "" } = {},
): Call => ({
  name,
  async measure(target) {
    const url = `${target.world.shopUrl}${path}`;
    const before = processorSeconds(target.shop.child.pid);
    const command = [join(import.meta.dir, "load.ts"), url, `${seconds}`, "16", header(target), body];
    const child = Bun.spawn([process.execPath, ...command], {
      stdin: "ignore",
      stdout: "pipe",
      stderr: "inherit",
    });
    const output = await new Response(child.stdout).text();
    if ((await child.exited) !== 0) throw new Error(`${url} could not be measured`);
    const { perSecond } = JSON.parse(output) as Load;
    const spent = processorSeconds(target.shop.child.pid) - before;
    return { perSecond, microseconds: (spent * 1e6) / (perSecond * seconds) };
  },
});

/** Repeats something one at a time, for what load.ts doesn't do. */
const repeated = (
  name: string,
  act: (target: Target) => Promise<unknown>,
  pidOf = (target: Target) => target.shop.child.pid,
): Call => ({
  name,
  async measure(target) {
    const before = processorSeconds(pidOf(target));
    const began = performance.now();
    let done = 0;
    for (; performance.now() - began < seconds * 1000; done += 1) await act(target);
    const perSecond = (done * 1000) / (performance.now() - began);
    return { perSecond, microseconds: ((processorSeconds(pidOf(target)) - before) * 1e6) / done };
  },
});

function calls(): Call[] {
  const credentials = JSON.stringify({ username: grown.username, password: grown.password });
  return [
    call("GET /api/health", "/api/health", { header: () => "" }),
    call("GET /api/user/me", "/api/user/me"),
    call("GET /api/user/dashboard", "/api/user/dashboard"),
    call("GET /api/payments", "/api/payments"),
    call("GET /api/tickets", "/api/tickets"),
    call("POST /api/app/v1/validate", "/api/app/v1/validate", {
      header: ({ apiKey }) => `authorization: Bearer ${apiKey}`,
      body: JSON.stringify({ hwid: "grown-machine", version: "1.0.0" }),
    }),
    call("POST /api/auth/login", "/api/auth/login", {
      header: () => "sec-fetch-site: same-origin",
      body: credentials,
    }),
    repeated("GET /metrics", async ({ world }) => {
      const headers = { authorization: `Bearer ${metricsToken}` };
      const answer = await fetch(`${world.shopUrl}/metrics`, { headers });
      if (!answer.ok) throw new Error(`/metrics answered ${answer.status}`);
      await answer.text();
    }),
    repeated(
      "staff's view of a customer",
      ({ staffView }) => staffView(),
      () => process.pid,
    ),
  ];
}

async function compare(): Promise<void> {
  const rows: Record<string, Record<string, string | number>> = {};
  for (const { name, measure } of calls()) {
    for (const target of targets) await measure(target);
    const measured: [few: Measured, many: Measured][] = [];
    for (let round = 0; round < rounds; round += 1) {
      const [few, many] = [await measure(targets[0]!), await measure(targets[1]!)];
      measured.push([few, many]);
    }
    const ratio = median(measured.map(([few, many]) => few.microseconds / many.microseconds));
    const costs = measured.map(([few, many]) => `${microseconds(few)} and ${microseconds(many)}`);
    console.log(`${name}: ${costs.join("; ")} processor µs`);
    rows[name] = {
      [`${small}/s`]: Math.round(median(measured.map(([few]) => few.perSecond))),
      [`${large}/s`]: Math.round(median(measured.map(([, many]) => many.perSecond))),
      [`${small}: µs`]: Math.round(median(measured.map(([few]) => few.microseconds))),
      [`${large}: µs`]: Math.round(median(measured.map(([, many]) => many.microseconds))),
      ratio: `${(ratio * 100).toFixed(0)} %`,
      goal: ratio >= goals.ratio ? "kept" : "MISSED",
    };
  }
  console.table(rows);
}

const microseconds = (one: Measured) => Math.round(one.microseconds);

async function tellStart(target: Target): Promise<void> {
  await noteLongest(target);
  for (let at = 0; at < starts; at += 1) {
    await target.shop.kill();
    target.shop = await start(target.world, target.longest);
    target.startedInMs.push(target.shop.startedInMs);
  }
  const times = target.startedInMs.slice(1).map((ms) => Math.round(ms));
  console.log(
    `${target.accounts} accounts: first answer after SIGKILL and start: ${times.join(", ")} ms (goal ${goals.start})`,
  );
}

async function disturb(target: Target): Promise<void> {
  const { world } = target;
  // the many sign-ins have ended the first session
  target.header = await signIn(world);
  await report("alone", target, () => Bun.sleep(10_000));
  await report("while a customer asks for their lists as fast as the limit allows", target, async () => {
    const [name = "", value = ""] = target.header.split(": ");
    const ask = async (path: string) => {
      const answer = await fetch(`${world.shopUrl}${path}`, { headers: { [name]: value } });
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
      await answer.arrayBuffer();
    };
    // 120 a minute, half of them right at the start
    for (let at = 0; at < 60; at += 1) await ask(at % 2 === 0 ? "/api/payments" : "/api/tickets");
    for (let at = 0; at < 20; at += 1) {
      await Promise.all([ask(at % 2 === 0 ? "/api/payments" : "/api/tickets"), Bun.sleep(500)]);
    }
  });
  const reason = ["--reason", "the measurement", "--json"];
  await report("during shop export", target, () =>
    operateOn(world, "export", join(folder, "export"), ...reason),
  );
  await report("during shop backup", target, () =>
    operateOn(world, "backup", "--to", join(folder, "backup"), "--json"),
  );
}

/**
 * A start whose links claim that everybody is a member, when nobody is. The bot goes through the whole server and
 * posts a job for each difference, in the order of the users' ids.
 */
async function reconcile(target: Target): Promise<void> {
  await noteLongest(target);
  await target.shop.kill("SIGTERM");
  const client = createClient({ url: `file:${join(target.world.dataDir, "shop.db")}` });
  const setMember = (member: number) => client.execute(`UPDATE links SET member = ${member}`);
  const { rowsAffected } = await setMember(1);
  target.shop = await start(target.world, target.longest);
  const lastOne =
    "SELECT 1 FROM outbox WHERE topic = ? AND subject = (SELECT max(discord_user_id) FROM links)";
  const isOver = async () =>
    (await client.execute({ sql: lastOne, args: [botTopics.reconcileMember.name] })).rows.length > 0;
  await report(
    `during a reconciliation of all members with ${rowsAffected} differences`,
    target,
    async () => {
      while (!(await isOver())) await Bun.sleep(250);
    },
  );
  await noteLongest(target);
  await target.shop.kill();
  await client.execute({ sql: "DELETE FROM outbox WHERE topic = ?", args: [botTopics.reconcileMember.name] });
  await setMember(0);
  client.close();
  target.shop = await start(target.world, target.longest);
}

/** How `/api/health` fares meanwhile for another visitor. */
async function report(what: string, { world }: Target, meanwhile: () => Promise<unknown>): Promise<void> {
  const { asked, seconds: took, sentence } = await healthTimes(world.shopUrl, meanwhile);
  console.log(
    `/api/health ${what}: ${sentence} (${asked} in ${took.toFixed(1)} s; goal p99 ${goals.health})`,
  );
}

/** Keeps what the shop recorded before it is stopped. */
async function noteLongest(target: Target): Promise<Longest[]> {
  await rm(target.longest, { force: true });
  target.shop.child.kill("SIGUSR2");
  while (!(await Bun.file(target.longest).exists())) await Bun.sleep(20);
  await Bun.sleep(50);
  const longestStatements = (await Bun.file(target.longest).json()) as Longest[];
  toldBefore.set(target, [...(toldBefore.get(target) ?? []), ...longestStatements]);
  return longestStatements;
}

async function tellLongest(target: Target): Promise<void> {
  await noteLongest(target);
  const sorted = (toldBefore.get(target) ?? []).toSorted((a, b) => b.milliseconds - a.milliseconds);
  console.log(
    `${target.accounts} accounts: the longest statements of requests and timers (goal ${goals.statement} ms)`,
  );
  for (const { sql, runs, milliseconds } of sorted.slice(0, 8)) {
    const text = sql.replaceAll(/\s+/g, " ").slice(0, 140);
    console.log(`  ${milliseconds.toFixed(1)} ms, ${runs} runs: ${text}`);
  }
}

try {
  for (const accounts of [small, large]) targets.push(await open(accounts));
  await compare();
  for (const target of targets) await tellStart(target);
  const grownUp = targets[1];
  if (grownUp) {
    await disturb(grownUp);
    await reconcile(grownUp);
  }
  for (const target of targets) await tellLongest(target);
} finally {
  for (const { shop } of targets) await shop.kill();
  for (const stop of running) await stop();
  for (const name of kept ? ["export", "backup"] : [""]) {
    await rm(join(folder, name), { recursive: true, force: true });
  }
}
process.exit(0);
