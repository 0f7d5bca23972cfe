/**
 * `bun tests/bench/settle.ts [webhooks=1000] [rounds=3]`: webhooks settled a second, beside bare guarded
 * commits. A settled webhook is one that sold a licence: signature, Stripe asked (the simulator, a
 * process of its own), payment, licence, letters and log on disk, 200 received. A bare commit is a
 * conditional update, its guard and an insert through plain `@libsql/client`, one commit after the other, each
 * flushed. Letters are off, because the mail server is not what is measured.
 */
import { createClient } from "@libsql/client";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pLimit from "p-limit";
import { openStore } from "@/core/database";
import { deliver, type StripeEvent } from "../crash/events";
import { startShopProcess, startWorld, stripeKeys, type World } from "../crash/processes";

const atOnce = 32;

/** Resolves to the two rates a second, from the best round of each, and their ratio. */
export async function compareSettling(webhooks = 1000, rounds = 3) {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-bench-"));
  const world = await startWorld(folder);
  await world.atStripe("webhooks/url", { url: null });
  const shop = await startShopProcess(world, { SMTP_URL: "", MAIL_FROM: "", MAIL: "off" });
  try {
    const rates = { settled: 0, bare: 0 };
    for (let round = 0; round < rounds; round += 1) {
      const events = await paidOrders(world, webhooks, round);
      rates.settled = Math.max(rates.settled, await settled(world, events));
      rates.bare = Math.max(rates.bare, await bare(join(folder, `bare${round}`, "shop.db"), webhooks));
    }
    return { ...rates, ratio: rates.settled / rates.bare };
  } finally {
    await shop.kill();
    await world.stop();
    await rm(folder, { recursive: true });
  }
}

/** Orders paid at Stripe of which the shop has heard nothing, as the events that would tell it. */
export async function paidOrders(world: World, orders: number, round: number): Promise<StripeEvent[]> {
  const few = pLimit(16);
  return Promise.all(
    Array.from({ length: orders }, (_, at) =>
      few(async () => {
        const answer = await fetch(`${world.shopUrl}/api/stripe/create-checkout-session`, {
          method: "POST",
          headers: {
            "content-type": "application/json",
            "x-forwarded-for": `10.${round}.${at >> 8}.${at & 255}`,
          },
          body: JSON.stringify({ currency: "usd" }),
        });
        const { data } = (await answer.json()) as { data: { id: string } };
        await world.atStripe("pay", { session: data.id });
        return {
          id: `evt_${round}_${at}`,
          object: "event",
          type: "checkout.session.completed",
          created: 0,
          data: { object: { id: data.id, object: "checkout.session" } },
        };
      }),
    ),
  );
}

/** Delivers the events, and resolves to how many were settled a second. */
export async function settled(world: World, events: StripeEvent[]): Promise<number> {
  const limit = pLimit(atOnce);
  const began = performance.now();
  const url = `${world.shopUrl}/api/stripe/webhook`;
  const statuses = await Promise.all(
    events.map((event) => limit(() => deliver(event, url, stripeKeys.webhookSecret))),
  );
  const seconds = (performance.now() - began) / 1000;
  if (statuses.some((status) => status !== 200)) throw new Error("a webhook was not settled");
  return events.length / seconds;
}

async function bare(file: string, commits: number): Promise<number> {
  (await openStore({ url: `file:${file}` })).close();
  const client = createClient({ url: `file:${file}`, concurrency: 1 });
  await client.execute("INSERT INTO installation VALUES ('bench', 0)");
  const began = performance.now();
  for (let at = 0; at < commits; at += 1) {
    await client.batch(
      [
        {
          sql: "UPDATE installation SET value = ? WHERE name = 'bench' AND value = ?",
          args: [String(at + 1), String(at)],
        },
        "INSERT INTO guard (ok) SELECT 0 WHERE changes() = 0",
        { sql: "INSERT INTO installation VALUES (?, '')", args: [`bench ${at}`] },
      ],
      "write",
    );
  }
  const seconds = (performance.now() - began) / 1000;
  client.close();
  return commits / seconds;
}

if (import.meta.main) {
  const [webhooks, rounds] = process.argv.slice(2).map(Number);
  const { settled: rate, bare: floor, ratio } = await compareSettling(webhooks, rounds);
  console.log(
    `webhooks settled ${rate.toFixed(0)}/s, bare guarded commits ${floor.toFixed(0)}/s: ${(ratio * 100).toFixed(0)} % (aim 70 %)`,
  );
  process.exit(ratio >= 0.7 ? 0 : 1);
}
