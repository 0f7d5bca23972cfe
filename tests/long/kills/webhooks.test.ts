import { createClient } from "@libsql/client";
import { expect, test } from "bun:test";
import { buy } from "../../crash/buyer";
import { openCrashStage, waitUntil } from "../../crash/harness";
import { putOnSale } from "../../crash/orders";
import type { World } from "../../crash/processes";
import { seededRandom } from "../../crash/random";
import type { Complaints } from "../../crash/retry";
import { receiveWebhooks, webhooksWaiting } from "../../crash/webhooks";

/** Between a fact and its delivery. The receiver has the webhook at the last one, and gets it again. */
const points = [
  "settle.stored@1",
  "webhook.read@1",
  "webhook.stored@1",
  "webhook.sent@1",
  "webhook.sent@3",
  "webhook.read@2",
];
const randomKills = 10;

test("a shop killed at any moment between a fact and its webhook's delivery loses none, and repeats with the same id and body", async () => {
  const seed = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);
  console.log(`seed ${seed}`);
  const dice = seededRandom(seed);
  await using stage = await openCrashStage();
  const { world } = stage;
  await (await stage.start()).kill("SIGTERM");
  await putOnSale(world);
  await using receiver = await receiveWebhooks(world);
  const complaints: Complaints = [];
  const buyers: Promise<void>[] = [];
  let order = 0;
  const place = (count: number) => {
    for (let left = count; left > 0; left -= 1) {
      order += 1;
      buyers.push(buy(world, seededRandom(seed + order), { order, complaints, joined: null }));
    }
  };
  for (const point of points) {
    const life = await stage.start({ FAILPOINT: point });
    let dead = false;
    void life.child.exited.then(() => (dead = true));
    // until there was enough to get there
    for (; !dead; await Bun.sleep(500)) place(1);
    expect(life.child.signalCode).toBe("SIGKILL");
  }
  for (let kill = 0; kill < randomKills; kill += 1) {
    const life = await stage.start();
    place(3);
    await Bun.sleep(dice.whole(10, 900));
    await life.kill();
  }
  const last = await stage.start();
  await Promise.all(buyers);
  await world.atStripe("flush", { timeout_ms: 60_000 });
  await waitUntil(
    () => waiting(world),
    (left) => left === 0,
  );
  await last.kill("SIGTERM");
  const { arrived, repeated, lost, wrong } = await receiver.audit();
  console.log(`${arrived} webhooks, ${repeated} repeats`);
  expect({ lost, wrong, complaints }).toEqual({ lost: [], wrong: [], complaints: [] });
  expect(arrived).toBeGreaterThan(order);
  // those that it had when the shop died
  expect(repeated).toBeGreaterThan(0);
});

async function waiting({ databaseUrl }: World): Promise<number> {
  const client = createClient({ url: databaseUrl });
  const { rows } = await client.execute(`SELECT (SELECT count(*) FROM outbox) + ${webhooksWaiting} AS n`);
  client.close();
  return Number(rows[0]?.["n"]);
}
