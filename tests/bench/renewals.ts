/**
 * `bun run bench renewals [RENEWALS=1000] [SECONDS=3600]`: what everybody notices while subscriptions renew, evenly over
 * that time. Of each renewal Stripe sends its events, and the shop settles it and mails a receipt. Meanwhile customers,
 * visitors and the application ask ten times a second, somebody buys every ten seconds, and /api/health is asked. A
 * shorter time is a harder test. Stripe and the mail server are processes of their own.
 */
import { createClient, type Row } from "@libsql/client";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pLimit from "p-limit";
import { limitTable } from "@/contract/vocabulary/limits";
import { operateOn, startShopProcess, startWorld } from "../crash/processes";
import { type Answer, Person } from "../support/people/person";
import { healthTimes } from "./health-times";

const [renewals = 1_000, seconds = 3_600] = process.argv.slice(3).map(Number);
const goal = 50;
const emailsLeft = "SELECT count(*) AS n FROM outbox WHERE topic LIKE 'mail.%'";
const folder = await mkdtemp(join(tmpdir(), "latchkey-bench-"));
const world = await startWorld(folder);
const shop = await startShopProcess(world, {
  LIMITS: Object.keys(limitTable({}))
    .map((name) => `${name}=1000000000/60`)
    .join(","),
});

try {
  if (!shop.answered) throw new Error(`the shop did not start: ${await shop.errors}`);
  const offer = "--name Monthly --amount 300 --every month --reason bench".split(" ");
  await operateOn(world, "offers", "add", "monthly", ...offer);
  const few = pLimit(8);
  await Promise.all(Array.from({ length: renewals }, () => few(() => buy("monthly"))));
  await becomes(renewals, "SELECT count(*) AS n FROM subscriptions");
  await becomes(0, emailsLeft);
  const subscriptions = (await query("SELECT stripe_id FROM subscriptions")).map(
    (row) => row["stripe_id"] as string,
  );
  const customer = await openCustomer();
  const nothing = await healthTimes(world.shopUrl, () => Bun.sleep(5_000));
  console.log(`/api/health beside nothing: ${nothing.sentence}`);
  const work = await healthTimes(world.shopUrl, () => workFor(Math.min(seconds, 60), customer));
  console.log(`beside the normal work: ${work.sentence}`);
  const used = await processorTime();
  const both = await healthTimes(world.shopUrl, () =>
    Promise.all([renewAll(subscriptions), workFor(seconds, customer)]),
  );
  await becomes(renewals, "SELECT count(*) AS n FROM payments WHERE session_id LIKE 'in_%'");
  await becomes(0, emailsLeft);
  const each = (await processorTime()) - used;
  console.log(
    `beside ${renewals} renewals in ${both.seconds.toFixed(0)} s, all settled and mailed: ${both.sentence} ` +
      `(goal p99 ${goal} ms: ${both.p99 <= goal ? "kept" : "MISSED"}); ${(each / renewals).toFixed(0)} ms of processor a renewal, with all that went on`,
  );
} finally {
  await shop.kill();
  await world.stop();
  await rm(folder, { recursive: true });
}
process.exit(0);

/** Buys something once, or by subscription, and comes back to the result, which has the key. */
async function buy(offer?: "monthly"): Promise<string> {
  const buyer = new Person(() => new URL(world.shopUrl));
  const { id } = await asked(buyer.post("/api/stripe/create-checkout-session", { currency: "usd", offer }));
  await world.atStripe("pay", { session: id, email: "buyer@example.com" });
  const { license_key: key } = await asked(buyer.get(`/api/stripe/verify-payment?session_id=${id}`));
  return key ?? "";
}

/** A customer who is signed in, and whose application runs on one computer. */
async function openCustomer() {
  const browser = new Person(() => new URL(world.shopUrl));
  await asked(browser.register(await buy(), "grace"));
  const { api_key: token } = await asked(browser.post("/api/user/info/reset/token", {}));
  const application = { authorization: `Bearer ${token}` };
  const computer = { hwid: "bench-machine", label: "Bench", os: "Linux", version: "1.0.0" };
  await asked(browser.post("/api/app/v1/activate", computer, application));
  return [
    () => browser.get("/"),
    () => browser.get("/api/user/me"),
    () => browser.get("/api/payments"),
    () => browser.post("/api/app/v1/validate", { hwid: computer.hwid, version: "1.0.0" }, application),
  ];
}

type Calls = (() => Promise<Answer>)[];

/** Ten calls a second, and an order every ten seconds. */
async function workFor(time: number, calls: Calls): Promise<void> {
  await evenly(time * 10, time, async (at) => {
    if (at % 100 === 0) await buy();
    const answer = await calls[at % calls.length]?.();
    if (answer?.status !== 200)
      throw new Error(`answered ${answer?.status}: ${JSON.stringify(answer?.body)}`);
  });
}

/** Lets each subscription's next month come, and what Stripe does within it. */
async function renewAll(subscriptions: string[]): Promise<void> {
  await evenly(subscriptions.length, seconds, (at) =>
    world.atStripe("advance", { subscription: subscriptions[at], days: 32 }),
  );
}

/** Does something so many times over these seconds, and waits for all of it. */
async function evenly(times: number, time: number, act: (at: number) => Promise<unknown>): Promise<void> {
  const began = performance.now();
  const doing: Promise<unknown>[] = [];
  for (let at = 0; at < times; at += 1) {
    await Bun.sleep(Math.max(0, began + (at * time * 1_000) / times - performance.now()));
    doing.push(act(at));
  }
  await Promise.all(doing);
}

async function asked(answer: Promise<Answer>): Promise<Record<string, string>> {
  const { status, body } = await answer;
  if (status !== 200) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
  return body.data as Record<string, string>;
}

async function query(sql: string): Promise<Row[]> {
  const client = createClient({ url: world.databaseUrl });
  try {
    return (await client.execute(sql)).rows;
  } finally {
    client.close();
  }
}

async function becomes(wanted: number, sql: string): Promise<void> {
  const deadline = performance.now() + 60_000;
  for (;;) {
    const [row] = await query(sql);
    if (Number(row?.["n"]) === wanted) return;
    if (performance.now() > deadline) throw new Error(`${Number(row?.["n"])} instead of ${wanted}: ${sql}`);
    await Bun.sleep(200);
  }
}

/** Milliseconds that the shop has computed for. */
async function processorTime(): Promise<number> {
  const stat = await Bun.file(`/proc/${shop.child.pid}/schedstat`).text();
  return Number(stat.split(" ")[0]) / 1e6;
}
