/**
 * `bun run bench webhooks [waiting=1000000] [emails=600] [webhooks=2000] [keys=20000]`: what webhooks cost everybody
 * else, and how fast they are.
 *
 * Emails a second without endpoints, and beside fifty dead ones with a million deliveries due: first of receivers that
 * refuse connections, then of receivers that never answer. Meanwhile /api/health is asked, and the shop's longest turn,
 * its longest statements and its memory are read. Then webhooks a second to one healthy receiver, beside a bare program
 * that signs and posts the same bodies. Last, the operator imports keys while each of them is a webhook for fifty
 * endpoints, one of which is healthy. The receivers are a process of their own.
 */
import { createClient } from "@libsql/client";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newId } from "@/core/database/context";
import { createSecrets } from "@/core/secrets/secrets";
import { webhookBodyContext, webhookSecretContext } from "@/domain/webhooks/sealing";
import { newSecret } from "@/domain/webhooks/signature";
import { operateOn, shopSettings, startShopProcess, startWorld } from "../crash/processes";
import { healthTimes } from "./health-times";
import { memoryOf } from "./of-process";
import { longestOf, watchingStatements } from "./read-longest";
import { paidOrders, settled } from "./settle";

const mailOff = { SMTP_URL: "", MAIL_FROM: "", MAIL: "off" };
const dead = 50;
/** The share of the emails that must be left beside dead receivers, and what the shop's memory may grow by. */
const goals = { emails: 0.9, megabytes: 64 };

const [waiting = 1_000_000, emails = 600, webhooks = 2_000, keys = 20_000] = process.argv
  .slice(3)
  .map(Number);
const folder = await mkdtemp(join(tmpdir(), "latchkey-bench-"));
const world = await startWorld(folder);
await world.atStripe("webhooks/url", { url: null });
const receivers = await start("receivers");
const secrets = createSecrets(Buffer.from(shopSettings(world).SECRET_KEY, "base64"));
const secret = newSecret();
let round = 0;

try {
  const none = await emailsBeside(null);
  const refused = await emailsBeside("http://127.0.0.1:9/");
  const silent = await emailsBeside(`${receivers.url}silent/`);
  for (const [what, beside] of Object.entries({ "that refuse": refused, "that are silent": silent })) {
    const share = beside.emails / none.emails;
    const grown = beside.megabytes - none.megabytes;
    const isKept = share >= goals.emails && grown <= goals.megabytes;
    console.log(
      `beside ${dead} receivers ${what}, ${(100 * share).toFixed(0)} % of the emails, ${grown} MB more memory ` +
        `(goals ${100 * goals.emails} %, ${goals.megabytes} MB: ${isKept ? "kept" : "MISSED"})`,
    );
  }
  const rates = await throughput();
  console.log(
    `webhooks a second to one healthy receiver: ${rates.shop.toFixed(0)}; a bare program that signs and posts, ` +
      `16 at a time: ${rates.bare.toFixed(0)} (${((100 * rates.shop) / rates.bare).toFixed(0)} %)`,
  );
  await importBeside();
} finally {
  receivers.child.kill("SIGKILL");
  await receivers.child.exited;
  await world.stop();
  await rm(folder, { recursive: true });
}
process.exit(0);

/** Emails a second from the start of a shop whose mail was off, and how it fares meanwhile. */
async function emailsBeside(url: string | null) {
  const selling = await startShopProcess(world, mailOff);
  await settled(world, await paidOrders(world, emails, (round += 1)));
  await selling.kill("SIGTERM");
  await fill(url === null ? [] : Array.from({ length: dead }, (_, at) => url + at), waiting / dead);
  const before = new Set(await readdir(world.mailFolder));
  const turns = join(folder, `turns${round}`);
  const shop = await startShopProcess(world, {
    LATCHKEY_TURNS: turns,
    ...watchingStatements(join(folder, `longest${round}`), join(import.meta.dir, "longest-turn.ts")),
  });
  if (!shop.answered) throw new Error(`the shop did not start: ${await shop.errors}${await shop.logged}`);
  const received = async () =>
    (await readdir(world.mailFolder)).filter((name) => name.endsWith(".json") && !before.has(name));
  const longestTurn = async () => {
    const answer = await fetch("http://shop/", { unix: turns });
    return ((await answer.json()) as { milliseconds: number }).milliseconds;
  };
  // without the start
  await longestTurn();
  let megabytes = 0;
  const health = await healthTimes(world.shopUrl, async () => {
    while ((await received()).length < emails) {
      megabytes = Math.max(megabytes, await memoryOf(shop.child.pid));
      await Bun.sleep(100);
    }
    // the emails may have left before a silent receiver's first deadline
    if (url) await Bun.sleep(20_000);
    megabytes = Math.max(megabytes, await memoryOf(shop.child.pid));
  });
  const turn = await longestTurn();
  const statements = await longestOf(shop, join(folder, `longest${round}`));
  await shop.kill("SIGTERM");
  const times = await Promise.all(
    (await received()).map(async (name) => {
      const { receivedAt } = (await Bun.file(join(world.mailFolder, name)).json()) as { receivedAt: string };
      return Date.parse(receivedAt);
    }),
  );
  const rate = (1_000 * (emails - 1)) / (Math.max(...times) - Math.min(...times));
  const [tries] = await query("SELECT coalesce(sum(attempts), 0) AS n FROM webhook_deliveries");
  console.log(
    `${url ?? "no endpoint"}: ${rate.toFixed(0)} emails a second; /api/health ${health.sentence}; ` +
      `longest turn ${turn.toFixed(1)} ms; memory ${megabytes} MB; ` +
      `${String(tries?.["n"])} tries in ${health.seconds.toFixed(0)} s\n${statements}`,
  );
  return { emails: rate, megabytes };
}

/** Leaves these endpoints, and with each this many deliveries that are due. */
async function fill(urls: string[], each: number) {
  const now = Date.now();
  await query("DELETE FROM webhook_deliveries");
  await query("DELETE FROM webhook_events");
  await query("DELETE FROM webhook_endpoints");
  if (urls.length === 0) return;
  for (let made = 0; made < each; made += 1_000) {
    const events = Array.from({ length: Math.min(1_000, each - made) }, () => {
      const id = `evt_${newId()}`;
      const data = { account: newId(), email: "buyer@example.com", sequence: now };
      const body = JSON.stringify({ type: "account.created", timestamp: new Date(now).toISOString(), data });
      return { id, body: secrets.seal(body, webhookBodyContext(id)) };
    });
    await query(
      `INSERT INTO webhook_events (id, sequence, type, at, body_sealed)
       SELECT value ->> 'id', ${now}, 'account.created', ${now}, value ->> 'body' FROM json_each(?)`,
      JSON.stringify(events),
    );
  }
  for (const url of urls) {
    const id = `ep_${newId()}`;
    await query(
      `INSERT INTO webhook_endpoints (id, url, secret_sealed, created_at) VALUES (?, ?, ?, ${now})`,
      id,
      url,
      secrets.seal(secret, webhookSecretContext(id)),
    );
  }
  await query(
    `INSERT INTO webhook_deliveries (id, event_id, endpoint_id, created_at, due_at)
     SELECT 'dlv_' || lower(hex(randomblob(16))), v.id, e.id, ${now}, ${now} FROM webhook_endpoints e, webhook_events v`,
  );
}

/** Webhooks a second by the shop, and by a program that does nothing else. */
async function throughput() {
  await fill([`${receivers.url}quick/`], webhooks);
  const counted = async () => Number(await (await fetch(`${receivers.url}count`)).text());
  const before = await counted();
  const shop = await startShopProcess(world);
  if (!shop.answered) throw new Error(`the shop did not start: ${await shop.errors}`);
  while ((await counted()) === before) await Bun.sleep(1);
  const [first, began] = [await counted(), performance.now()];
  while ((await counted()) < before + webhooks) await Bun.sleep(5);
  const seconds = (performance.now() - began) / 1000;
  await shop.kill("SIGTERM");
  const bare = Bun.spawn(
    [
      process.execPath,
      import.meta.dir + "/webhook-peers.ts",
      "bare",
      `${receivers.url}quick/`,
      `${webhooks}`,
    ],
    { stdout: "pipe", stderr: "inherit" },
  );
  const { perSecond } = (await new Response(bare.stdout).json()) as { perSecond: number };
  return { shop: (webhooks - (first - before)) / seconds, bare: perSecond };
}

/** An import of keys while a running shop reads what it logs and makes a delivery to each endpoint of each key. */
async function importBeside() {
  await fill(
    [`${receivers.url}quick/`, ...Array.from({ length: dead - 1 }, (_, at) => `http://127.0.0.1:9/${at}`)],
    0,
  );
  const file = join(folder, "keys.csv");
  const lines = Array.from({ length: keys }, (_, at) => `IMPORTED-${String(at).padStart(8, "0")},1,30`);
  await Bun.write(file, ["key,level,days", ...lines, ""].join("\n"));
  const longest = join(folder, "longest-import");
  const shop = await startShopProcess(world, { ...mailOff, ...watchingStatements(longest) });
  const deliveries = async () =>
    Number((await query("SELECT count(*) AS n FROM webhook_deliveries"))[0]?.["n"]);
  if (!shop.answered) throw new Error(`the shop did not start: ${await shop.errors}`);
  const began = performance.now();
  let imported = 0;
  const health = await healthTimes(world.shopUrl, async () => {
    await operateOn(world, "import", "keys", file, "--reason", "the measurement", "--json");
    imported = (performance.now() - began) / 1000;
    while ((await deliveries()) < keys * dead) await Bun.sleep(1_000);
  });
  console.log(
    `${keys} keys imported in ${imported.toFixed(0)} s, and their ${keys * dead} deliveries made after ` +
      `${health.seconds.toFixed(0)} s; /api/health ${health.sentence}; memory ${await memoryOf(shop.child.pid)} MB\n` +
      (await longestOf(shop, longest)),
  );
  await shop.kill("SIGTERM");
}

async function query(sql: string, ...args: string[]): Promise<Record<string, unknown>[]> {
  const client = createClient({ url: world.databaseUrl });
  const { rows } = await client.execute({ sql, args });
  client.close();
  return rows;
}

async function start(...args: string[]) {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, "webhook-peers.ts"), ...args], {
    stdout: "pipe",
    stderr: "inherit",
  });
  for await (const bytes of child.stdout) {
    const { url } = JSON.parse(new TextDecoder().decode(bytes)) as { url: string };
    return { child, url };
  }
  throw new Error("the receivers did not start");
}
