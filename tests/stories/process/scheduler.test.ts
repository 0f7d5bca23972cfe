import { expect, test } from "bun:test";
import { drizzle } from "drizzle-orm/libsql";
import { minute } from "@/contract/time";
import { holdLease, keepLease } from "@/core/lease";
import { startScheduler } from "@/core/scheduler";
import { eventually, openStage, type Stage } from "../../support/shop/stage";

/** A separate process on a shared database, with a job that counts its runs. */
function processOn(stage: Stage) {
  // processes share a database server, never an embedded file
  const ctx = { ...stage.ctx, store: { ...stage.ctx.store, sole: false } };
  const scheduler = startScheduler(ctx);
  const runs = { shared: 0, own: 0 };
  const count = (what: keyof typeof runs) => async () => void (runs[what] += 1);
  scheduler.add({ name: "shared", everyMilliseconds: minute, inOneProcess: true, run: count("shared") });
  scheduler.add({ name: "own", everyMilliseconds: minute, run: count("own") });
  return { scheduler, runs };
}

const holderOf = async (stage: Stage) => {
  const { rows } = await stage.ctx.store.client.execute("SELECT holder FROM leases WHERE name = 'scheduler'");
  return rows[0]?.["holder"];
};

test("one of several processes runs each periodic job, and another takes over when it ends", async () => {
  await using stage = await openStage();
  const first = processOn(stage);
  const named = await eventually(
    () => holderOf(stage),
    (holder) => holder !== undefined,
  );
  const second = processOn(stage);
  // writes are serialised, so the second has requested the lease before this one
  expect(await holdLease(stage.ctx, { name: "scheduler", holder: "a third", milliseconds: 1 })).toBe(false);
  stage.advance(minute);
  await eventually(
    () => first.runs.own + second.runs.own,
    (runs) => runs === 2,
  );
  await eventually(
    () => first.runs.shared,
    (runs) => runs === 1,
  );
  expect(second.runs.shared).toBe(0);
  await first.scheduler.stop();
  await eventually(
    () => second.runs.shared,
    (runs) => runs === 1,
  );
  expect(await holderOf(stage)).not.toBe(named);
  expect(first.runs.shared).toBe(1);
  await second.scheduler.stop();
  expect(await holderOf(stage)).toBeUndefined();
});

test("a periodic job never overlaps itself, and a failed one is retried after a growing pause", async () => {
  await using stage = await openStage();
  const scheduler = startScheduler(stage.ctx);
  let [underWay, most, runs] = [0, 0, 0];
  let fails = true;
  const job = scheduler.add({
    name: "test",
    everyMilliseconds: 60 * minute,
    async run() {
      runs += 1;
      most = Math.max(most, (underWay += 1));
      await Bun.sleep(1);
      underWay -= 1;
      if (fails) throw new TypeError("a secret in the message");
    },
  });
  await Promise.all([job.run(), job.run(), job.run()]);
  expect([runs, most]).toEqual([3, 1]);
  const warned = stage.lines.filter((line) => line.includes("a periodic job failed"));
  expect(warned.map((line) => JSON.parse(line).milliseconds)).toEqual([5_000, 10_000, 20_000]);
  expect(warned.join("\n")).not.toContain("secret");
  fails = false;
  stage.advance(20_000);
  await eventually(
    () => runs,
    (seen) => seen === 4,
  );
  await scheduler.stop();
});

test("a process that gets no answer from the database gives up its lease before another can take it", async () => {
  await using stage = await openStage();
  let silent = false;
  const { client } = stage.ctx.store;
  const line = new Proxy(client, {
    get: (target, name) =>
      name === "execute" && silent
        ? () => new Promise(() => {})
        : (Reflect.get(target, name, target) as unknown),
  });
  const ctx = { ...stage.ctx, store: { ...stage.ctx.store, client: line, db: drizzle(line), sole: false } };
  let mine = false;
  const lease = keepLease(ctx, "test", {
    gained: async () => void (mine = true),
    lost: async () => void (mine = false),
  });
  await eventually(
    () => mine,
    (held) => held,
  );
  silent = true;
  const silentSince = performance.now();
  await eventually(
    () => {
      // however late a busy machine gives it up, nothing is done under it then
      if (performance.now() - silentSince > 12_000) expect(lease.isMine()).toBe(false);
      return mine;
    },
    (held) => !held,
  );
  expect(lease.isMine()).toBe(false);
  silent = false;
  await lease.stop();
});
