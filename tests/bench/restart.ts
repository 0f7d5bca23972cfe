/**
 * `bun tests/bench/restart.ts [orders=100000] [restarts=10]`: the time from SIGKILL to the next answer, with this
 * many orders stored. The shop is killed with work in its write-ahead log, and started again at once.
 */
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "@/core/database";
import { startShopProcess, startWorld, type World } from "../crash/processes";

/** Resolves to the milliseconds of each restart, fastest first. */
export async function measureRestarts(orders = 100_000, restarts = 10) {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-bench-"));
  const world = await startWorld(folder);
  try {
    // started once, so that the site and the key exist
    await (await startShopProcess(world)).kill("SIGTERM");
    await fill(join(world.dataDir, "shop.db"), orders);
    const { size } = await stat(join(world.dataDir, "shop.db"));
    let shop = await startShopProcess(world);
    const times: number[] = [];
    for (let at = 0; at < restarts; at += 1) {
      await trade(world, at);
      await shop.kill();
      shop = await startShopProcess(world);
      times.push(shop.startedInMs);
    }
    await shop.kill();
    return { times: times.toSorted((a, b) => a - b), megabytes: size / 1e6 };
  } finally {
    await world.stop();
    await rm(folder, { recursive: true });
  }
}

/** Sold and redeemed orders, each with its licence and its lines in the log, as a shop leaves them. */
async function fill(file: string, orders: number): Promise<void> {
  const store = await openStore({ url: `file:${file}` });
  const numbers = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${orders})`;
  const id = (kind: string) => `'${kind}-0000-7000-8000-' || printf('%012d', i)`;
  const blob = "lower(hex(randomblob(48)))";
  await store.client.batch(
    [
      `${numbers} INSERT INTO payments (id, session_id, intent_id, state, method, amount, currency, livemode, email, browser_hash, created_at, paid_at, receipt_sent_at)
       SELECT ${id("pay")}, 'cs_test_' || ${blob}, 'pi_' || ${id("i")}, 'succeeded', 'card', 500, 'usd', 0, 'buyer' || i || '@example.com', ${blob}, i, i, i FROM n`,
      `${numbers} INSERT INTO licences (id, key_hash, key_sealed, type, payment_id, payment_standing, created_at)
       SELECT ${id("lic")}, ${blob}, ${blob}, 'premium', ${id("pay")}, 'good', i FROM n`,
      `${numbers} INSERT INTO payment_evidence (payment_id, terms_edition, terms_accepted_at, buyer_sealed, receipt_message_id)
       SELECT ${id("pay")}, 'January 12, 2025', i, ${blob}, ${blob} FROM n`,
      ...["payment.opened", "payment.succeeded"].map(
        (action) =>
          `${numbers} INSERT INTO audit_log (id, at, actor, action, subject) SELECT ${id(action)}, i, 'shop', '${action}', ${id("pay")} FROM n`,
      ),
    ],
    "write",
  );
  store.close();
}

/** A few orders, so that the kill leaves something in the write-ahead log. */
async function trade(world: World, round: number): Promise<void> {
  await Promise.all(
    Array.from({ length: 5 }, async (_, at) => {
      const answer = await fetch(`${world.shopUrl}/api/stripe/create-checkout-session`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-forwarded-for": `10.8.${round}.${at}` },
        body: JSON.stringify({ currency: "usd" }),
      });
      const { data } = (await answer.json()) as { data: { id: string } };
      await world.atStripe("pay", { session: data.id });
    }),
  );
}

if (import.meta.main) {
  const [orders, restarts] = process.argv.slice(2).map(Number);
  const { times, megabytes } = await measureRestarts(orders, restarts);
  const median = times[Math.floor(times.length / 2)] ?? 0;
  const [fastest = 0, slowest = 0] = [times[0], times.at(-1)];
  console.log(
    `SIGKILL to answer with ${megabytes.toFixed(0)} MB of orders: median ${median.toFixed(0)} ms, fastest ${fastest.toFixed(0)} ms, slowest ${slowest.toFixed(0)} ms (promised 1000 ms)`,
  );
  process.exit(median <= 1000 ? 0 : 1);
}
