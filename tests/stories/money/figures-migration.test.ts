import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "bun:test";
import { type Client, createClient } from "@libsql/client";
import { day } from "@/contract/time";
import { operator } from "@/core/actor";
import type { Ctx } from "@/core/context";
import { openStore } from "@/core/database";
import { figures } from "@/domain/figures/figures";
import { rebuildFigures } from "@/domain/figures/rebuild";
import { subscriptionFigures } from "@/domain/figures/subscriptions";
import { disputes, stripeRefunds } from "@/domain/schema/money-back";
import { figuresByRows, readFacts } from "../../support/checks/figures-by-rows";

const drizzle = new URL("../../../drizzle/", import.meta.url).pathname;
const start = Date.UTC(2026, 4, 1);
const at = (days: number) => start + days * day;

/** A database as it was before a migration. */
async function oldDatabase(migration: string, fill: (client: Client) => Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-sums-"));
  const url = `file:${join(folder, "shop.db")}`;
  const client = createClient({ url });
  const { entries } = JSON.parse(await readFile(join(drizzle, "meta/_journal.json"), "utf8")) as {
    entries: { tag: string; when: number }[];
  };
  const before = entries.slice(
    0,
    entries.findIndex(({ tag }) => tag.endsWith(migration)),
  );
  const files = await Promise.all(before.map(({ tag }) => readFile(join(drizzle, `${tag}.sql`), "utf8")));
  await client.execute("PRAGMA journal_mode = WAL");
  for (const file of files) await client.batch(file.split("--> statement-breakpoint"), "write");
  await client.batch(
    [
      "CREATE TABLE __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)",
      `INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('', ${before.at(-1)?.when})`,
    ],
    "write",
  );
  await fill(client);
  client.close();
  await Bun.write(join(folder, ".created"), "");
  return { folder, url };
}

const byText = (one: unknown[], other: unknown[]) => String(one).localeCompare(String(other));

test("refunds and disputes from before count when the log first names them, else on payday", async () => {
  const { folder, url } = await oldDatabase("_sums", async (client) => {
    let entries = 0;
    const run = (sql: string, ...args: (string | number | null)[]) => client.execute({ sql, args });
    const log = (subject: string, action: string, when: number, detail: object) =>
      run(
        "INSERT INTO audit_log (id, at, actor, action, subject, detail) VALUES (?, ?, 'shop', ?, ?, ?)",
        `audit-${(entries += 1)}`,
        at(when),
        `payment.${action}`,
        subject,
        JSON.stringify(detail),
      );
    const sell = (id: string, more: { refunded?: number; dispute?: string; paid?: number | null } = {}) =>
      run(
        `INSERT INTO payments (id, session_id, state, amount, paid_amount, currency, livemode, created_at, paid_at, sold_at, refunded_amount, dispute_status, dispute_amount)
         VALUES (?1, ?1, 'succeeded', 500, 500, 'usd', 0, ?2, ?3, ?2, ?4, ?5, ?6)`,
        id,
        at(0),
        more.paid === undefined ? at(0) : more.paid,
        more.refunded ?? 0,
        more.dispute ?? null,
        more.dispute ? 450 : null,
      );
    await sell("plain", { paid: null });
    // 200, then 100 that failed, then 250 more
    await sell("parts", { refunded: 450 });
    await log("parts", "succeeded", 2, { dispute: null, refunded: 200 });
    await log("parts", "succeeded", 3, { dispute: null, refunded: 300 });
    await log("parts", "succeeded", 4, { dispute: null, refunded: 200 });
    await log("parts", "succeeded", 5, { dispute: null, refunded: 450 });
    await sell("unlogged", { refunded: 120 });
    await sell("lost", { dispute: "lost" });
    await log("lost", "disputed", 6, { dispute: "needs_response", refunded: 0 });
    await log("lost", "disputed", 8, { dispute: "lost", refunded: 0 });
    await sell("won", { dispute: "won" });
    await log("won", "disputed", 6, { dispute: "needs_response", refunded: 0 });
    await log("won", "succeeded", 9, { dispute: "won", refunded: 0 });
    await log("won", "succeeded", 11, { dispute: "won", refunded: 10 });
    await sell("asked", { dispute: "warning_closed" });
    await run(
      `INSERT INTO licences (id, key_hash, key_sealed, type, payment_id, livemode, redeemed_at, created_at)
       VALUES ('l', 'l', '', 'Premium', 'plain', 0, ?, ?)`,
      at(1),
      at(0),
    );
  });
  const store = await openStore({ url });
  try {
    const now = () => new Date(at(20));
    const ctx = { store, now, livemode: false, currency: "usd", timeZone: "UTC" } as Ctx;
    const shown = async () =>
      (await store.db.select().from(stripeRefunds)).map(({ paymentId, amount, at: when }) => [
        paymentId,
        amount,
        (when.getTime() - start) / day,
      ]);
    expect((await shown()).toSorted(byText)).toEqual([
      ["parts", 200, 2],
      ["parts", 250, 5],
      ["unlogged", 120, 0],
    ]);
    const taken = (await store.db.select().from(disputes)).map(
      ({ paymentId, amount, takenAt, returnedAt }) => [
        paymentId,
        amount,
        (takenAt.getTime() - start) / day,
        returnedAt && (returnedAt.getTime() - start) / day,
      ],
    );
    expect(taken.toSorted(byText)).toEqual([
      ["lost", 450, 6, null],
      ["won", 450, 6, 9],
    ]);
    const asked = { from: "2026-05-01", to: "2026-05-20", tz: "UTC", currency: "usd" };
    const { series, totals } = await figures(ctx, operator, asked);
    expect(totals).toMatchObject({
      gross: 3000,
      refunded: 570,
      disputed: 450,
      orders: 6,
      active_licences: 1,
    });
    const facts = await readFacts(ctx);
    for (const { date, ...row } of series) {
      expect(row).toEqual(figuresByRows(ctx, facts, { ...asked, from: date, to: date }));
    }
    const premium = { ...asked, offer: "premium" };
    expect((await figures(ctx, operator, premium)).totals).toEqual(figuresByRows(ctx, facts, premium));
    expect(await rebuildFigures(ctx, { actor: operator, reason: "a test" })).toMatchObject({ wrong: 0 });
  } finally {
    store.close();
    await rm(folder, { recursive: true, force: true });
  }
});

test("subscriptions from before their figures were kept are counted by their runs and payments", async () => {
  const { folder, url } = await oldDatabase("_subscriptions_counted", async (client) => {
    const run = (sql: string, ...args: (string | number | null)[]) => client.execute({ sql, args });
    await run(
      "INSERT INTO offers (id, name, amount, currency, every, created_at) VALUES ('month', 'A month', 300, 'usd', 'month', ?)",
      at(0),
    );
    // one goes on, one ended, and one is a trial that was never paid
    for (const [nth, until] of [null, at(6), null].entries()) {
      const trialDays = nth === 2 ? 14 : null;
      await run(
        `INSERT INTO payments (id, session_id, state, amount, paid_amount, currency, livemode, created_at, paid_at, sold_at, trial_days, subscription)
         VALUES (?1, ?1, 'succeeded', 300, ?2, 'usd', 0, ?3, ?3, ?3, ?4, ?1)`,
        `s${nth}`,
        trialDays === null ? 300 : 0,
        at(1),
        trialDays,
      );
      await run(
        `INSERT INTO subscriptions (id, stripe_id, customer_id, status, offer, amount, currency, every, livemode, started_at, looked_at, ended_at)
         VALUES (?1, ?1, ?1, 'trialing', 'month', 300, 'usd', 'month', 0, ?2, ?2, ?3)`,
        `s${nth}`,
        at(1),
        until,
      );
      if (trialDays !== null) continue;
      await run(
        `INSERT INTO subscription_runs (subscription_id, livemode, currency, offer, yearly, "from", until) VALUES (?, 0, 'usd', 'month', 3600, ?, ?)`,
        `s${nth}`,
        at(1),
        until,
      );
    }
  });
  const store = await openStore({ url });
  try {
    const now = () => new Date(at(20));
    const ctx = { store, now, livemode: false, currency: "usd", timeZone: "UTC" } as Ctx;
    const shown = (from: string, to: string) => subscriptionFigures(ctx, operator, { from, to });
    expect(await shown("2026-05-01", "2026-05-04")).toMatchObject({
      running: { start: 0, end: 2 },
      started: 2,
      trials: { begun: 1, paid: 0, running: 1 },
    });
    expect(await shown("2026-05-05", "2026-05-20")).toMatchObject({
      running: { start: 2, end: 1 },
      started: 0,
      ended: 1,
    });
    expect(await rebuildFigures(ctx, { actor: operator, reason: "a test" })).toMatchObject({ wrong: 0 });
  } finally {
    store.close();
    await rm(folder, { recursive: true, force: true });
  }
});
