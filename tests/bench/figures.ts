/**
 * `bun run bench figures [PAYMENTS=1000000] [FOLDER]`: the desk's figures in a shop that sold this many payments in a
 * year, of five offers. Prints how long each question takes the shop's process, and the longest time in which it served
 * nobody meanwhile; fails above 50 ms and 10 ms. Then how long a rebuild takes. FOLDER keeps the database.
 */
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import Database from "libsql";
import { day, minute } from "@/contract/vocabulary/time";
import { operator } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { openStore } from "@/core/database/database";
import { figuresByCode, figuresByOffer } from "@/domain/figures/by-offer-and-code";
import { figures, type Question } from "@/domain/figures/figures";
import { bringFiguresUpToDate, rebuildFigures } from "@/domain/figures/days";
import { median } from "../support/checks/percentile";

const payments = Number(process.argv[3] ?? 1_000_000);
const kept = process.argv[4];
const folder = kept ? resolve(kept) : await mkdtemp(join(tmpdir(), "latchkey-figures-"));
const file = join(folder, "shop.db");
const goals = { answer: 50, turn: 10 };
const rounds = 9;
const now = Date.UTC(2026, 10, 20, 13, 37);
const since = now - 364 * day;

/** What the thread that serves has used of a processor, as Linux counts it (in nanoseconds). */
const usedMilliseconds = () =>
  Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, "latin1").split(" ")[0]) / 1e6;

try {
  const isNew = !(await Bun.file(file).exists());
  const store = await openStore({ url: `file:${file}` }, { sole: true });
  if (isNew) fill();
  const { rows } = await store.client.execute(
    "SELECT (SELECT count(*) FROM payments), (SELECT count(*) FROM figure_sums)",
  );
  console.log(
    `${Number(rows[0]?.[0])} payments, ${Number(rows[0]?.[1])} sums, ${(Bun.file(file).size / 1e6).toFixed(0)} MB`,
  );
  const ctx = {
    store,
    livemode: false,
    currency: "usd",
    timeZone: "Asia/Kolkata",
    now: () => new Date(now),
    log: console,
  } as unknown as Ctx;
  const [from, to] = [since, now].map((at) => new Date(at).toISOString().slice(0, 10));
  const year = { from, to };
  const ask = (what: string, question: Question) => measure(what, () => figures(ctx, operator, question));
  const first = await turns(() => bringFiguresUpToDate(ctx));
  console.log(`all days for the first time: at most ${first.longest.toFixed(1)} ms without serving anybody`);
  await ask("a year by day", year);
  await ask("a year by day of an offer", { ...year, offer: "o3" });
  await ask("a year by week", { ...year, bucket: "week" });
  await ask("a year by month", { ...year, bucket: "month" });
  await ask("the last thirty days", {});
  await measure("a year of offers", () => figuresByOffer(ctx, operator, year));
  await measure("a year of codes", () => figuresByCode(ctx, operator, year));
  const began = performance.now();
  const done = await turns(() =>
    rebuildFigures({ ...ctx, now: () => new Date(now) }, { actor: operator, reason: "the benchmark" }),
  );
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(
    `rebuild: ${JSON.stringify(done.result)} in ${seconds} s, at most ${done.longest.toFixed(1)} ms without serving anybody`,
  );
  store.close();
} finally {
  if (!kept) await rm(folder, { recursive: true, force: true });
}
process.exit(process.exitCode ?? 0);

/** Through the triggers, as a shop writes. */
function fill(): void {
  const database = new Database(file);
  database.exec("PRAGMA synchronous = OFF");
  database.exec("PRAGMA foreign_keys = OFF");
  database.exec("PRAGMA cache_size = -1000000");
  const began = performance.now();
  const numbers = (from: number, until: number) =>
    `WITH RECURSIVE n (i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${until})`;
  const at = `(${since} + i * ${Math.floor((364 * day) / payments)})`;
  for (let offer = 1; offer < 6; offer += 1)
    database.exec(
      `INSERT INTO offers (id, name, amount, currency, created_at) VALUES ('o${offer}', 'Offer ${offer}', 500, 'usd', ${since})`,
    );
  const most = 50_000;
  for (let from = 0; from < payments; from += most) {
    const some = numbers(from, Math.min(from + most, payments));
    database.exec("BEGIN");
    database.exec(`INSERT INTO payments (id, session_id, state, offer, promotion_code, amount, paid_amount, currency, livemode, created_at, paid_at, sold_at)
      ${some} SELECT 'p' || i, 's' || i, 'succeeded', 'o' || (1 + i % 5), CASE WHEN i % 10 = 0 THEN 'CODE' || (i % 500) END, 500, 500, 'usd', 0, ${at}, ${at} + ${minute}, ${at} + ${minute} FROM n`);
    database.exec(`INSERT INTO licences (id, key_hash, key_sealed, type, payment_id, livemode, offer, redeemed_at, expires_at, created_at)
      ${some} SELECT 'l' || i, 'h' || i, '', 'Premium', 'p' || i, 0, 'o' || (1 + i % 5), ${at}, CASE WHEN i % 3 > 0 THEN ${at} + ${30 * day} END, ${at} FROM n`);
    database.exec(`INSERT INTO stripe_refunds (id, payment_id, amount, currency, status, at)
      ${some} SELECT 're_' || i, 'p' || i, 100, 'usd', 'succeeded', ${at} + ${day} FROM n WHERE i % 50 = 1`);
    database.exec(`INSERT INTO disputes (id, taking, payment_id, amount, currency, status, taken_at)
      ${some} SELECT 'du_' || i, 0, 'p' || i, 500, 'usd', 'lost', ${at} + ${day} FROM n WHERE i % 500 = 7`);
    database.exec("COMMIT");
  }
  database.close();
  const seconds = (performance.now() - began) / 1000;
  console.log(
    `filled in ${seconds.toFixed(0)} s: ${((seconds / payments) * 1e6).toFixed(0)} µs a sale with its sums`,
  );
}

/**
 * Prints the median time, and the longest in which nobody else was served; both of the processor, because a busy machine
 * lengthens the clock's.
 */
async function measure(what: string, read: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  const turn: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const began = usedMilliseconds();
    turn.push((await turns(read)).longest);
    times.push(usedMilliseconds() - began);
  }
  const [answer, longest] = [median(times), median(turn)];
  const isSlow = answer > goals.answer || longest > goals.turn;
  if (isSlow) process.exitCode = 1;
  console.log(
    `${isSlow ? "SLOW " : ""}${what}: ${answer.toFixed(1)} ms, at most ${longest.toFixed(1)} ms at a time`,
  );
}

/** Runs something, and measures the longest time between two turns of others. */
async function turns<T>(run: () => Promise<T>): Promise<{ result: T; longest: number }> {
  let [longest, last, isOver] = [0, usedMilliseconds(), false];
  const tick = () => {
    const used = usedMilliseconds();
    longest = Math.max(longest, used - last);
    last = used;
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  const result = await run();
  isOver = true;
  return { result, longest: Math.max(longest, usedMilliseconds() - last) };
}
