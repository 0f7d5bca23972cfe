import { afterAll, beforeAll, expect, spyOn, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "@libsql/client";
import { and, eq, isNull } from "drizzle-orm";
import * as fc from "fast-check";
import { day, hour, minute } from "@/contract/vocabulary/time";
import { operator } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { openStore, type Store } from "@/core/database/database";
import { beginSelling } from "@/domain/offers/first-offer";
import { auditLog } from "@/core/database/schema";
import { figures, figuresByCode, figuresByOffer } from "@/domain/figures/figures";
import { updateFigures, rebuildFigures } from "@/domain/figures/days";
import { subscriptionFigures } from "@/domain/figures/subscriptions";
import { accounts } from "@/domain/schema/accounts";
import { deletedCounts, figureDays, figureSums } from "@/domain/schema/figures";
import { licences } from "@/domain/schema/licences";
import { disputes, stripeRefunds } from "@/domain/schema/money-back";
import { offers } from "@/domain/schema/offers";
import { payments } from "@/domain/schema/payments";
import { subscriptionRuns, subscriptions } from "@/domain/schema/subscriptions";
import { addLevels } from "../support/shop/levels";
import { figuresByRows, readFacts, subscriptionFiguresByRows } from "../support/checks/figures-by-rows";

const seed = Number(process.env["MODEL_SEED"] ?? 28);
const beginning = Date.UTC(2026, 2, 20);
const now = new Date(beginning + 60 * day);
const folder = mkdtempSync(join(tmpdir(), "sums-"));
let store: Store;
let ctx: Ctx;

beforeAll(async () => {
  store = await openStore({ url: `file:${join(folder, "shop.db")}` });
  ctx = { store, now: () => now, livemode: false, currency: "usd", timeZone: "UTC" } as Ctx;
  const month = { id: "month", name: "A month", amount: 300, currency: "usd", every: "month" } as const;
  await beginSelling(ctx);
  await addLevels({ ctx }, { id: "pro" });
  // without sales it is no row of the offers' figures
  await store.db.insert(offers).values({ ...month, level: "premium", createdAt: now, retiredAt: now });
});
afterAll(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

const upTo = (days: number) =>
  fc.integer({ min: 0, max: days * 24 * 60 }).map((passed) => new Date(beginning + passed * minute));
const at = upTo(60);
/** Also in the future, as the end of a licence may be. */
const end = upTo(80);
const amount = fc.integer({ min: 1, max: 900 });
const currency = fc.constantFrom("usd", "usd", "usd", "eur");
const number = fc.nat({ max: 3 });
const offer = fc.constantFrom("premium", "month");
const level = fc.constantFrom("premium", "pro");

/** A write to a table by its row's number; each may come at any time, several times and in any order. */
const step = fc.oneof(
  fc.record({
    does: fc.constant("pay"),
    number,
    paid: fc.option(at),
    amount: fc.option(amount),
    offer,
    level,
    code: fc.constantFrom(null, "SPRING"),
    off: fc.nat(50),
    currency,
    livemode: fc.boolean(),
  }),
  fc.record({ does: fc.constant("open"), number, at, offer, currency, livemode: fc.boolean() }),
  fc.record({
    does: fc.constant("refund"),
    number,
    of: number,
    amount,
    currency,
    at,
    status: fc.constantFrom("succeeded", "succeeded", "pending", "failed"),
  }),
  fc.record({ does: fc.constant("dispute"), number, of: number, amount, currency, at, back: fc.option(at) }),
  fc.record({ does: fc.constant("forget"), number, what: fc.constantFrom("refund", "dispute") }),
  fc.record({ does: fc.constant("join"), number, at }),
  fc.record({ does: fc.constant("delete"), number, gone: fc.constantFrom("account", "checkout") }),
  fc.record({
    does: fc.constant("hold"),
    number,
    of: fc.option(number),
    offer: fc.constantFrom(null, "premium", "month"),
    level,
    redeemed: fc.option(end),
    ends: fc.option(end),
    fell: fc.option(end),
    suspended: fc.option(end),
    revoked: fc.option(end, { freq: 2 }),
    livemode: fc.constantFrom(null, true, false),
  }),
);

/** A few moments, so that runs and entries of the log also meet. */
const moment = fc.nat(15).map((nth) => new Date(beginning + nth * 5 * day + nth * 67 * minute));
const terms = {
  offer: fc.constantFrom("premium", "month", "month"),
  level,
  currency,
  livemode: fc.constantFrom(false, false, false, true),
};
const subscriptionStep = fc.oneof(
  fc.record({ does: fc.constant("forget"), number, what: fc.constant("runs") }),
  fc.record({
    does: fc.constant("subscribe"),
    number,
    startedAt: moment,
    trial: fc.boolean(),
    firstPaidAt: fc.option(moment),
    endedAt: fc.option(moment),
    current: fc.constantFrom("trialing" as const, "active" as const, "past_due" as const),
    ...terms,
  }),
  fc.record({
    does: fc.constant("run"),
    number,
    from: moment,
    minutes: fc.option(fc.nat(20 * 24 * 60)),
    yearly: fc.constantFrom(0, 1_201, 3_000),
    ...terms,
  }),
  fc.record({
    does: fc.constant("log"),
    number,
    at: moment,
    action: fc.constantFrom("subscription.past_due", "subscription.active", "subscription.ending"),
    before: fc.constantFrom(null, "past_due", "active"),
  }),
);
type Step = typeof step | typeof subscriptionStep extends fc.Arbitrary<infer S> ? S : never;

async function take(one: Step): Promise<void> {
  const { db } = store;
  const name = (number: number) => `n${number}`;
  const id = name(one.number);
  if ("paid" in one) {
    const sold = { paidAt: one.paid, soldAt: one.paid && now, paidAmount: one.amount, offAmount: one.off };
    const what = {
      offer: one.offer,
      level: one.level,
      promotionCode: one.code,
      currency: one.currency,
      livemode: one.livemode,
    };
    await db
      .update(payments)
      .set({ ...sold, ...what })
      .where(eq(payments.id, id));
  } else if ("at" in one && "offer" in one) {
    const { at: createdAt, offer: sells, currency: money, livemode } = one;
    const set = { createdAt, offer: sells, currency: money };
    await db
      .insert(payments)
      .values({ id, sessionId: id, state: "open", unitAmount: 500, livemode, ...set })
      .onConflictDoUpdate({ target: payments.id, set });
  } else if ("startedAt" in one) {
    const { startedAt, trial, firstPaidAt, endedAt, offer: sells, currency: money, livemode } = one;
    const terms = { offer: sells, currency: money, livemode };
    const set = { startedAt, trial, firstPaidAt, endedAt, status: one.current, ...terms };
    const row = {
      id,
      stripeId: `sub_${id}`,
      customerId: id,
      amount: 300,
      price: "price_month",
      level: "premium",
      every: "month",
      checkedAt: now,
    } as const;
    await db
      .insert(subscriptions)
      .values({ ...row, ...set })
      .onConflictDoUpdate({ target: subscriptions.id, set });
  } else if ("yearly" in one) {
    const { from, minutes, yearly, offer: sells, level: sold, currency: money, livemode } = one;
    const until = minutes === null ? null : new Date(from.getTime() + minutes * minute);
    const set = { until, yearly, offer: sells, level: sold, currency: money, livemode };
    await db
      .insert(subscriptionRuns)
      .values({ subscriptionId: id, from, ...set })
      .onConflictDoUpdate({ target: [subscriptionRuns.subscriptionId, subscriptionRuns.from], set });
  } else if ("before" in one) {
    const { at: when, action, before } = one;
    const by = { actor: "shop", actorKind: "shop" } as const;
    const entry = { id: `${id}-${when.getTime()}-${action}`, at: when, ...by, action, subject: id };
    await db
      .insert(auditLog)
      .values({ ...entry, detail: { before } })
      .onConflictDoNothing();
  } else if ("status" in one) {
    const set = { paymentId: name(one.of), amount: one.amount, currency: one.currency, at: one.at };
    const values = { id, ...set, status: one.status as "failed" };
    await db
      .insert(stripeRefunds)
      .values(values)
      .onConflictDoUpdate({ target: stripeRefunds.id, set: values });
  } else if ("back" in one) {
    const set = { paymentId: name(one.of), amount: one.amount, currency: one.currency, status: "lost" };
    const values = { id, taking: 0, ...set, takenAt: one.at, returnedAt: one.back };
    await db
      .insert(disputes)
      .values(values)
      .onConflictDoUpdate({ target: [disputes.id, disputes.taking], set: values });
  } else if ("what" in one) {
    if (one.what === "refund") await db.delete(stripeRefunds).where(eq(stripeRefunds.id, id));
    else if (one.what === "runs")
      await db.delete(subscriptionRuns).where(eq(subscriptionRuns.subscriptionId, id));
    else await db.delete(disputes).where(eq(disputes.id, id));
  } else if ("gone" in one) {
    if (one.gone === "account") {
      const gone = await db.delete(accounts).where(eq(accounts.id, id)).returning();
      lost.accounts.push(...gone.map(({ createdAt }) => createdAt));
    } else {
      const isUnpaid = and(eq(payments.id, id), isNull(payments.soldAt));
      const gone = await db.delete(payments).where(isUnpaid).returning();
      for (const { createdAt, offer: sold, currency: money, livemode } of gone)
        if (money === "usd" && !livemode) lost.checkouts.push({ at: createdAt, offer: sold ?? "premium" });
    }
  } else if ("redeemed" in one) {
    const values = {
      primaryPaymentId: one.of === null ? null : name(one.of),
      offer: one.offer,
      level: one.level,
      redeemedAt: one.redeemed,
      expiresAt: one.ends,
      paymentStatus: one.fell ? ("refunded" as const) : ("good" as const),
      paymentFellAt: one.fell,
      suspendedAt: one.suspended,
      revokedAt: one.revoked,
      livemode: one.livemode,
    };
    const row = {
      id,
      keyHash: id,
      keySealed: "",
      chain: "premium",
      createdAt: new Date(beginning),
    };
    await db
      .insert(licences)
      .values({ ...row, ...values })
      .onConflictDoUpdate({ target: licences.id, set: values });
  } else {
    const row = {
      id,
      username: id,
      usernameKey: id,
      email: id,
      emailKey: id,
      passwordHash: "",
      timezone: "UTC",
    };
    await db
      .insert(accounts)
      .values({ ...row, createdAt: one.at })
      .onConflictDoNothing();
  }
}

const clear = async () => {
  for (const table of facts) await store.db.delete(table);
  for (const table of sums) await store.db.delete(table);
  lost.checkouts = [];
  lost.accounts = [];
};
const facts = [
  stripeRefunds,
  disputes,
  licences,
  payments,
  accounts,
  subscriptionRuns,
  subscriptions,
  auditLog,
];
const sums = [figureDays, figureSums, deletedCounts];
/** What was deleted since the shop was empty. */
const lost: { checkouts: { at: Date; offer: string }[]; accounts: Date[] } = { checkouts: [], accounts: [] };

const allSums = async () =>
  (await store.db.select().from(figureSums)).map((row) => JSON.stringify(row)).toSorted();

const zones = [
  "UTC",
  "Asia/Kolkata",
  "America/St_Johns",
  "Australia/Lord_Howe",
  "Europe/Berlin",
  "Pacific/Kiritimati",
];

test(`figures are those of the rows, whatever was written in any order; MODEL_SEED=${seed}`, async () => {
  const range = fc.record({
    from: fc.nat(80),
    days: fc.nat(40),
    zone: fc.constantFrom(...zones),
    earlier: fc.constantFrom(...zones),
    asks: fc.integer({ min: 12, max: 60 }),
    offer,
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 20, maxLength: 90, size: "max" }),
      range,
      async (steps, asked) => {
        await clear();
        const wanted = { from: dayOf(asked.from), to: dayOf(asked.from + asked.days), currency: "usd" };
        const filter = asked.offer === "premium" ? { offer: asked.offer } : {};
        for (const [index, one] of steps.entries()) {
          const timeZone = index < 10 ? asked.earlier : asked.zone;
          ctx = { ...ctx, timeZone, now: () => new Date(now.getTime() - Math.max(0, 15 - index) * 5 * hour) };
          // days that are known by then must notice what is written later
          if (index % asked.asks === 0) await figures(ctx, operator, wanted);
          await take(one).catch(unlessMissing);
        }
        const tz = asked.zone;
        const rows = await readFacts(ctx);
        const shown = await figures(ctx, operator, { ...wanted, ...filter });
        expect(shown.totals).toEqual(figuresByRows(ctx, rows, { tz, ...wanted, ...filter }, lost));
        for (const { date, ...row } of shown.series.filter((_, index) => index % 5 === 0)) {
          const itself = { ...wanted, from: date, to: date };
          expect(row).toEqual(figuresByRows(ctx, rows, { tz, ...itself, ...filter }, lost));
        }
        const { by_level: levels } = await figures(ctx, operator, wanted);
        expect(levels?.map(({ level: { id } }) => id)).toEqual(["premium", "pro"]);
        for (const {
          level: { id },
          ...row
        } of levels ?? [])
          expect(figuresByRows(ctx, rows, { tz, ...wanted, level: id })).toMatchObject(row);
        await expectNothingWrong();
      },
    ),
    { seed, numRuns: Number(process.env["MODEL_RUNS"] ?? 25) },
  );
});

const dayOf = (move: number) => new Date(beginning + move * day).toISOString().slice(0, 10);

async function expectNothingWrong(): Promise<void> {
  const before = await allSums();
  const by = { actor: operator, reason: "checking" };
  expect(await rebuildFigures(ctx, by)).toMatchObject({ wrong: 0 });
  for (const table of [figureDays, figureSums]) await store.db.delete(table);
  await updateFigures(ctx);
  expect(await allSums()).toEqual(before);
}

test(`subscriptions' figures are those of the rows, whatever was written in any order; MODEL_SEED=${seed}`, async () => {
  const range = fc.record({
    from: fc.nat(60),
    days: fc.nat(60),
    zone: fc.constantFrom(...zones),
    asks: fc.integer({ min: 12, max: 60 }),
    offer: fc.constantFrom(undefined, undefined, "month"),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(subscriptionStep, { minLength: 20, maxLength: 70, size: "max" }),
      range,
      async (steps, { from, days, zone, asks, offer: one }) => {
        await clear();
        ctx = { ...ctx, timeZone: zone };
        const wanted = { from: dayOf(from), to: dayOf(from + days), currency: "usd", offer: one };
        const shown = async () => ({
          mrr: (await figures(ctx, operator, wanted)).totals.mrr,
          subscriptions: await subscriptionFigures(ctx, operator, wanted),
        });
        for (const [index, step] of steps.entries()) {
          if (index % asks === 0) await shown();
          await take(step).catch(unlessMissing);
        }
        const rows = await readFacts(ctx);
        const due = {
          mrr: figuresByRows(ctx, rows, { tz: zone, ...wanted }).mrr,
          subscriptions: subscriptionFiguresByRows(ctx, rows, { tz: zone, ...wanted }),
        };
        expect(await shown()).toEqual(due);
        await expectNothingWrong();
        expect(await shown()).toEqual(due);
      },
    ),
    { seed, numRuns: Number(process.env["MODEL_RUNS"] ?? 15) },
  );
});

test("offers and codes over all years that can be asked for are read in a few statements, every sale among them", async () => {
  await clear();
  const sale = { does: "pay", amount: 400, offer: "premium", code: "SPRING", off: 100, currency: "usd" };
  const sales = [beginning, beginning + 50 * day].map(
    (paid, number) => ({ ...sale, number, paid: new Date(paid), livemode: false }) as Step,
  );
  for (const [number, one] of sales.entries()) {
    const opened = { does: "open", number, at: new Date(beginning), offer: "premium" };
    await take({ ...opened, currency: "usd", livemode: false } as Step);
    await take(one);
  }
  ctx = { ...ctx, timeZone: "America/St_Johns" };
  await updateFigures(ctx);
  using execute = spyOn(Object.getPrototypeOf(store.client) as Client, "execute");
  const ever = { from: "0000-01-01", to: "9999-12-31" };
  const ofOffers = await figuresByOffer(ctx, operator, ever);
  expect(ofOffers.rows).toMatchObject([{ offer: "premium", gross: 800, orders: 2 }]);
  const ofCodes = await figuresByCode(ctx, operator, ever);
  expect(ofCodes.rows).toMatchObject([{ code: "SPRING", gross: 800, off: 200, orders: 2 }]);
  const before = { ...ever, to: "1970-12-31" };
  expect((await figuresByCode(ctx, operator, before)).rows).toEqual([]);
  expect(execute.mock.calls.length).toBeLessThan(30);
});

/** A refund or dispute of a payment that isn't there. */
function unlessMissing(error: unknown): void {
  if (!(error instanceof Error) || !/constraint/i.test(`${error.message} ${String(error.cause)}`))
    throw error;
}
