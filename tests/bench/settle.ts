/**
 * Webhooks settled a second, compared with bare commits. A settled webhook is one that sold a licence: signature checked,
 * session fetched (from the simulator, a process of its own), payment, licence, emails and log on disk, 200 received. A
 * bare commit is a conditional update, its guard and an insert through plain `@libsql/client`, each flushed. Mail is off,
 * because the mail server is not what is measured.
 */
import { createClient } from "@libsql/client";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pLimit from "p-limit";
import { openStore } from "@/core/database/database";
import { deliver, type StripeEvent } from "../crash/events";
import { startShopProcess, startWorld, stripeKeys, type World } from "../crash/processes";

const atOnce = 32;
/** Resolves to the two rates per second of each round. */
export async function compareSettling(webhooks: number, rounds: number) {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-bench-"));
  const world = await startWorld(folder);
  await world.atStripe("webhooks/url", { url: null });
  const shop = await startShopProcess(world, { SMTP_URL: "", MAIL_FROM: "", MAIL: "off" });
  try {
    const rates = { settled: [] as number[], committed: [] as number[] };
    for (let round = 0; round < rounds; round += 1) {
      const events = await paidOrders(world, webhooks, round);
      rates.settled.push(await settled(world, events));
      rates.committed.push(await bare(join(folder, `committed${round}`, "shop.db"), events));
    }
    return rates;
  } finally {
    await shop.kill();
    await world.stop();
    await rm(folder, { recursive: true });
  }
}

/** Orders paid at Stripe that the shop doesn't know of yet, as the events that report them. */
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

/** Delivers the events; resolves to how many were settled a second. */
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

async function bare(file: string, events: StripeEvent[]): Promise<number> {
  (await openStore({ url: `file:${file}` })).close();
  const client = createClient({ url: `file:${file}`, concurrency: 1 });
  await client.execute("INSERT INTO installation VALUES ('bench', '')");
  const limit = pLimit(atOnce);
  const began = performance.now();
  const one = (event: StripeEvent) =>
    client.batch(
      [
        { sql: "UPDATE installation SET value = ? WHERE name = 'bench'", args: [event.id] },
        "INSERT INTO guard (ok) SELECT 0 WHERE changes() = 0",
        { sql: "INSERT INTO installation VALUES (?, '')", args: [event.id] },
      ],
      "write",
    );
  await Promise.all(events.map((event) => limit(() => one(event))));
  const seconds = (performance.now() - began) / 1000;
  client.close();
  return events.length / seconds;
}
