import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "bun:test";
import { createClient } from "@libsql/client";
import { deliver, eventsOf } from "../../crash/events";
import {
  databaseAt,
  shopSettings,
  startShopProcess,
  startWorld,
  stripeKeys,
  type World,
} from "../../crash/processes";
import { operateWith } from "../../support/operator/run-operator";
import { eventually } from "../../support/shop/stage";
import { testNeeding } from "../../support/checks/test-needing";

/** The simulators, and a place for a shop whose site is built. */
async function openWorld() {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-store-"));
  const world = await startWorld(folder);
  await world.atStripe("webhooks/url", { url: null });
  const first = await startShopProcess(world);
  await first.kill("SIGTERM");
  return {
    ...world,
    async [Symbol.asyncDispose]() {
      await world.stop();
      await rm(folder, { recursive: true });
    },
  };
}

let people = 0;
/** Opens a checkout as a new visitor. */
async function checkout(world: World): Promise<{ status: number; session: string }> {
  people += 1;
  const answer = await fetch(`${world.shopUrl}/api/stripe/create-checkout-session`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": `10.9.${people >> 8}.${people & 255}` },
    body: JSON.stringify({ currency: "usd" }),
  });
  const body = (await answer.json()) as { data: { id?: string } };
  return { status: answer.status, session: body.data.id ?? "" };
}

const metricsToken = "a-token-for-the-metrics";

const ready = async ({ shopUrl }: World) => (await fetch(`${shopUrl}/api/ready`)).status;

/** The series of the metric, by state. */
async function databaseState({ shopUrl }: World): Promise<Record<string, number>> {
  const answer = await fetch(`${shopUrl}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } });
  const series = (await answer.text()).matchAll(/^latchkey_database_state\{state="(\w+)"\} (\d)$/gm);
  return Object.fromEntries([...series].map(([, state, value]) => [state, Number(value)]));
}

async function paidEvent(world: World, session: string) {
  await world.atStripe("pay", { session, email: "disk@example.com" });
  const events = await eventsOf(world.stripeUrl, stripeKeys.secretKey);
  const completed = events.findLast(({ type }) => type === "checkout.session.completed");
  if (!completed) throw new Error("nothing was paid");
  return () => deliver(completed, `${world.shopUrl}/api/stripe/webhook`, stripeKeys.webhookSecret);
}

/** Less than the smallest write to a database or its log. */
const full = "4096";

/**
 * A shop whose files can be kept from growing beyond a size, as on a full disk: SIGXFSZ is ignored, so that a write
 * fails. The limit is soft only, so that it can be lifted again.
 */
async function startShopWithDisk(world: World, settings: Record<string, string>) {
  const shop = await startShopProcess(world, settings, ["bash", "-c", `trap '' XFSZ; exec "$0" "$@"`]);
  const limit = (size: string) =>
    Bun.spawnSync(["prlimit", "--pid", String(shop.child.pid), `--fsize=${size}:unlimited`]);
  return { shop, limit };
}

testNeeding("prlimit")(
  "on a full disk the shop answers 503, loses nothing it acknowledged, and recovers by itself",
  async () => {
    await using world = await openWorld();
    const { shop, limit } = await startShopWithDisk(world, { METRICS_TOKEN: metricsToken });
    const { session: opened } = await checkout(world);
    const stored = await Promise.all(Array.from({ length: 20 }, () => checkout(world)));
    expect(new Set(stored.map(({ status }) => status))).toEqual(new Set([200]));
    limit(full);
    expect((await checkout(world)).status).toBe(503);
    // paid only now: the shop looks for what was paid two seconds after its start
    const event = await paidEvent(world, opened);
    expect(await event()).toBe(503);
    expect((await fetch(`${world.shopUrl}/api/health`)).status).toBe(200);
    expect(await ready(world)).toBe(503);
    expect(await databaseState(world)).toEqual({ up: 0, unwritable: 1 });
    limit("unlimited");
    await eventually(event, (status) => status === 200);
    expect((await checkout(world)).status).toBe(200);
    expect(await ready(world)).toBe(200);
    await shop.kill();
    const client = databaseAt(join(world.dataDir, "shop.db"));
    const { rows } = await client.execute("SELECT session_id AS session FROM payments");
    client.close();
    const held = new Set(rows.map(({ session }) => session));
    expect(stored.filter(({ session }) => !held.has(session))).toEqual([]);
  },
);

testNeeding("prlimit")(
  "an idle shop on a full disk notices that nothing can be stored, and when it can again",
  async () => {
    await using world = await openWorld();
    const { shop, limit } = await startShopWithDisk(world, { LIMITS: "public=10000/60" });
    expect(await ready(world)).toBe(200);
    limit(full);
    await eventually(
      () => ready(world),
      (status) => status === 503,
    );
    limit("unlimited");
    await eventually(
      () => ready(world),
      (status) => status === 200,
    );
    await shop.kill();
  },
);

test("a shop whose database is locked by another process answers 503 and continues once it is free", async () => {
  await using world = await openWorld();
  const shop = await startShopProcess(world, { METRICS_TOKEN: metricsToken });
  const event = await paidEvent(world, (await checkout(world)).session);
  const other = createClient({ url: `file:${join(world.dataDir, "shop.db")}` });
  const held = await other.transaction("write");
  const [blocked, health] = await Promise.all([event(), fetch(`${world.shopUrl}/api/health`)]);
  expect(blocked).toBe(503);
  expect(health.status).toBe(200);
  expect(await ready(world)).toBe(503);
  expect(await databaseState(world)).toEqual({ up: 0, unwritable: 1 });
  const doctor = await operateWith(shopSettings(world), "doctor", "--json");
  expect(doctor.code).toBe(3);
  expect(JSON.parse(doctor.out)).toContainEqual({
    what: "database",
    state: "wrong",
    sentence: "Nothing can be stored: another process holds it locked.",
  });
  const waiting = event();
  await held.rollback();
  other.close();
  expect(await waiting).toBe(200);
  expect(await ready(world)).toBe(200);
  await shop.kill();
});

testNeeding("strace")("a webhook's effects are flushed to disk before its 200 is sent", async () => {
  await using world = await openWorld();
  const record = join(world.dataDir, "strace.txt");
  const calls = "trace=pwrite64,fsync,fdatasync,write,writev,sendto,sendmsg";
  const traced = await startShopProcess(world, {}, [
    "strace",
    "-f",
    "-y",
    "-s",
    "24",
    "-o",
    record,
    "-e",
    calls,
  ]);
  const event = await paidEvent(world, (await checkout(world)).session);
  const before = (await readFile(record, "utf8")).length;
  expect(await event()).toBe(200);
  const lines = (
    await eventually(
      () => readFile(record, "utf8"),
      (text) => text.slice(before).includes("HTTP/1.1 200"),
    )
  )
    .slice(before)
    .split("\n");
  await stopTraced(traced.child.pid);
  await traced.child.exited;
  const written = lines.findIndex((line) => line.includes("pwrite64(") && line.includes("shop.db-wal"));
  const flushed = lines.findIndex(
    (line, at) => at > written && /f(data)?sync\(/.test(line) && line.includes("shop.db-wal"),
  );
  const answered = lines.findIndex((line) => line.includes("HTTP/1.1 200"));
  const lastWritten = lines
    .slice(0, answered)
    .findLastIndex((line) => line.includes("shop.db-wal") && line.includes("pwrite64("));
  expect(written).toBeGreaterThanOrEqual(0);
  expect(flushed).toBeGreaterThan(written);
  expect(answered).toBeGreaterThan(flushed);
  const after = lines.slice(lastWritten, answered).some((line) => /f(data)?sync\(/.test(line));
  expect(after).toBe(true);
});

/** Killing strace would leave the shop running; its child is what has to be killed. */
async function stopTraced(pid: number) {
  const { stdout } = Bun.spawnSync(["ps", "-o", "pid=", "--ppid", String(pid)]);
  for (const child of stdout.toString().trim().split(/\s+/)) process.kill(Number(child), "SIGKILL");
}
