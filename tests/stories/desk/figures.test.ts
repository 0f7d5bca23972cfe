import { expect, test } from "bun:test";
import * as fc from "fast-check";
import { day, hour, minute } from "@/contract/vocabulary/time";
import { operator } from "@/core/base/actor";
import { shopStatistics } from "@/domain/customers/statistics";
import { figures } from "@/domain/figures/figures";
import { rebuildFigures } from "@/domain/figures/days";
import { addOffer } from "@/domain/offers/change";
import { settle } from "@/domain/payments/settlement/settle";
import { operate } from "../../support/operator/run-operator";
import { figuresByRows, readFacts } from "../../support/checks/figures-by-rows";
import { atDesk } from "../../support/people/desk";
import { openStage, type Stage } from "../../support/shop/stage";

const seed = Number(process.env["MODEL_SEED"] ?? 28);
const by = { actor: operator, reason: "a story" };

/** Opens a checkout; resolves to Stripe's id of the session. */
async function checkout(stage: Stage, order: object = {}): Promise<string> {
  const opened = await stage
    .person()
    .post("/api/stripe/create-checkout-session", { currency: "usd", ...order });
  if (opened.status !== 200) throw new Error(JSON.stringify(opened.body));
  return opened.body.data.id;
}

const settled = (stage: Stage, sessionId: string) => settle(stage.ctx, stage.shop.checkout, sessionId);
const today = (stage: Stage, tz = "UTC") =>
  new Intl.DateTimeFormat("en-CA", { timeZone: tz, dateStyle: "short" }).format(stage.ctx.now());

test("refunds and disputes count at their own time, failed ones nowhere, and won ones come back", async () => {
  await using stage = await openStage({ webhooks: false });
  const viewer = await atDesk(stage, "vera", "viewer");
  const days = [today(stage)];
  const session = await checkout(stage, { quantity: 4 });
  await stage.atStripe("pay", { session });
  await settled(stage, session);
  const later = async (action: string, body: object) => {
    stage.advance(day);
    days.push(today(stage));
    const made = await stage.atStripe(action, { session, ...body });
    await settled(stage, session);
    return made;
  };
  await later("refund", { amount: 300 });
  const refund = await later("refund", { amount: 200 });
  await later("refund/move", { refund: refund.id, status: "failed" });
  await later("dispute", {});
  await later("dispute", { status: "under_review" });
  await later("dispute", { status: "won" });
  const asked = await figures(stage.ctx, operator, { from: days[0], to: days.at(-1) });
  const moved = asked.series.map(({ gross, refunded, disputed }) => [gross, refunded, disputed]);
  // of 2,000, when 300 were refunded, the bank can take 1,700
  expect(moved).toEqual([
    [2000, 0, 0],
    [0, 300, 0],
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 1700],
    [0, 0, 0],
    [0, 0, -1700],
  ]);
  expect(asked.totals).toMatchObject({ gross: 2000, refunded: 300, disputed: 0, net: 1700, orders: 1 });
  // the desk closed itself after half an hour without a call
  expect((await viewer.get("figures")).status).toBe(401);
});

test("a pending refund counts when it succeeds, at the time it was made", async () => {
  await using stage = await openStage({ webhooks: false });
  const session = await checkout(stage);
  await stage.atStripe("pay", { session });
  await settled(stage, session);
  const refund = await stage.atStripe("refund", { session, amount: 100, status: "pending" });
  await settled(stage, session);
  const refunded = async () => (await figures(stage.ctx, operator, {})).totals.refunded;
  expect(await refunded()).toBe(0);
  await stage.atStripe("refund/move", { refund: refund.id, status: "succeeded" });
  await settled(stage, session);
  expect(await refunded()).toBe(100);
});

test("the desk answers figures as the contract says, in the shop's time zone", async () => {
  await using stage = await openStage({ env: { TIME_ZONE: "Asia/Kolkata" } });
  await addOffer(stage.ctx, { id: "month", name: "A month", amount: 200, days: 30 }, by);
  await stage.buy();
  const viewer = await atDesk(stage, "vera", "viewer");
  const { status, body } = await viewer.get("figures");
  expect(status).toBe(200);
  expect(body.data).toMatchObject({
    bucket: "day",
    tz: "Asia/Kolkata",
    currency: "usd",
    currencies: ["usd"],
  });
  expect(body.data.series).toHaveLength(30);
  expect(body.data.to).toBe(today(stage, "Asia/Kolkata"));
  expect(body.data.totals).toMatchObject({ gross: 500, payments: 1, average: 500, conversion: 1, mrr: null });
  expect(body.data.totals.new_accounts).toBe(1);
  const month = (await viewer.get("figures?offer=month")).body.data.totals;
  expect(month).toMatchObject({ gross: 0, average: null, conversion: null, new_accounts: null });
  const { rows } = (await viewer.get("figures/offers")).body.data;
  expect(rows.map(({ offer, orders }: { offer: string; orders: number }) => [offer, orders])).toEqual([
    ["premium", 1],
    ["month", 0],
  ]);
  const weeks = (await viewer.get("figures?from=2026-01-01&to=2026-01-20&bucket=week")).body.data;
  expect(weeks.series.map(({ date }: { date: string }) => date)).toEqual([
    "2026-01-01",
    "2026-01-05",
    "2026-01-12",
    "2026-01-19",
  ]);
  const months = (await viewer.get("figures?from=2026-01-31&to=2026-03-01&bucket=month")).body.data;
  expect(months.series.map(({ date }: { date: string }) => date)).toEqual([
    "2026-01-31",
    "2026-02-01",
    "2026-03-01",
  ]);
});

test("questions that figures can't answer are refused, and name the field", async () => {
  await using stage = await openStage();
  const viewer = await atDesk(stage, "vera", "viewer");
  const wrong: [string, string][] = [
    ["from=2026-02-01&to=2026-01-31", "from"],
    ["from=2024-01-01&to=2026-01-01", "from"],
    ["from=2026-02-30", "from"],
    ["bucket=hour", "bucket"],
    ["offer=none", "offer"],
    ["currency=xau", "currency"],
    ["currency=USD", "currency"],
  ];
  for (const [query, field] of wrong) {
    const { status, body } = await viewer.get(`figures?${query}`);
    expect([query, status, body.field]).toEqual([query, 400, field]);
  }
  expect((await viewer.get("figures?tz=UTC")).status).toBe(400);
  expect((await viewer.get("figures/codes?offer=premium")).status).toBe(400);
});

test("codes that were used have their own figures", async () => {
  await using stage = await openStage({ webhooks: false });
  await operate(stage, "codes", "create", "SPRING", "--percent", "20", "--reason", "a story");
  const [session, other] = [await checkout(stage, { code: "SPRING" }), await checkout(stage)];
  await stage.atStripe("pay", { session });
  await stage.atStripe("pay", { session: other });
  await Promise.all([settled(stage, session), settled(stage, other)]);
  await stage.atStripe("refund", { session });
  await settled(stage, session);
  const viewer = await atDesk(stage, "vera", "viewer");
  const { rows } = (await viewer.get("figures/codes")).body.data;
  expect(rows).toEqual([
    expect.objectContaining({ code: "SPRING", orders: 1, gross: 400, off: 100, refunded: 400, net: 0 }),
  ]);
});

test("checkouts and accounts that were deleted since stay counted, and a rebuild leaves them", async () => {
  await using stage = await openStage({ webhooks: false });
  await checkout(stage);
  await stage.ctx.store.client.execute("DELETE FROM payments");
  stage.advance(40 * day);
  expect(await rebuildFigures(stage.ctx, by)).toEqual({ days: 40, wrong: 0 });
  const range = { from: today(stage), to: today(stage) };
  const at = new Date(stage.ctx.now().getTime() - 40 * day).toISOString().slice(0, 10);
  expect((await figures(stage.ctx, operator, { ...range, from: at })).totals.checkouts).toBe(1);
  await stage.buy();
  stage.advance(day);
  await figures(stage.ctx, operator, range);
  await stage.ctx.store.client.execute("UPDATE figure_sums SET gross = gross + 7, orders = 0");
  expect(await rebuildFigures(stage.ctx, by)).toEqual({ days: 41, wrong: 2 });
  expect((await figures(stage.ctx, operator, range)).totals).toMatchObject({ gross: 500, orders: 1 });
});

const which = fc.nat({ max: 5 });
const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant("buy" as const), quantity: fc.constantFrom(1, 1, 3) }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("gift" as const) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("free" as const) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant("leave" as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant("refund" as const),
      which,
      amount: fc.integer({ min: 1, max: 300 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ does: fc.constant("fail" as const) }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant("dispute" as const), which }) },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant("wait" as const),
      minutes: fc.integer({ min: 7, max: 3 * 24 * 60 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constant("tell" as const), times: fc.integer({ min: 1, max: 3 }) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const zones = [
  "UTC",
  "Asia/Kolkata",
  "America/St_Johns",
  "Australia/Lord_Howe",
  "Europe/Berlin",
  "Asia/Kathmandu",
];

test(`desk, stats and a recomputation agree after any history; MODEL_SEED=${seed}`, async () => {
  await using stage = await openStage({ webhooks: false });
  await operate(stage, "codes", "create", "GRATIS", "--percent", "100", "--reason", "a story");
  await operate(stage, "codes", "create", "SOME", "--percent", "30", "--reason", "a story");
  const sessions: string[] = [];
  const refunds: string[] = [];
  const beginning = stage.ctx.now();
  const take = async (one: Step) => {
    const session = "which" in one ? sessions.at(-1 - one.which) : undefined;
    const pay = async (order: object) => {
      const id = await checkout(stage, order);
      sessions.push(id);
      await stage.atStripe("pay", { session: id });
    };
    if (one.does === "buy")
      await pay({ quantity: one.quantity, ...(one.quantity === 1 && { code: "SOME" }) });
    else if (one.does === "gift") await pay({ gift: { email: "friend@example.com" } });
    else if (one.does === "free") await pay({ code: "GRATIS" });
    else if (one.does === "leave") await checkout(stage);
    else if (one.does === "wait") stage.advance(one.minutes * minute);
    else if (one.does === "tell") {
      for (const id of sessions) for (let time = 0; time < one.times; time += 1) await settled(stage, id);
    } else if (one.does === "refund" && session) {
      const made = await stage.atStripe("refund", { session, amount: one.amount }).catch(ignored);
      if (made) refunds.push(made.id);
    } else if (one.does === "fail") {
      const refund = refunds.pop();
      if (refund) await stage.atStripe("refund/move", { refund, status: "failed" }).catch(ignored);
    } else if (one.does === "dispute" && session) {
      const statuses = ["won", "lost", "under_review", "needs_response", "warning_needs_response"];
      for (const status of fc.sample(fc.shuffledSubarray(statuses), {
        numRuns: 1,
        seed: sessions.length,
      })[0] ?? [])
        await stage.atStripe("dispute", { session, status }).catch(ignored);
    }
  };
  const histories = fc.sample(fc.array(step, { minLength: 12, maxLength: 12 }), { seed, numRuns: 6 });
  for (const [round, history] of histories.entries()) {
    for (const one of history) await take(one);
    stage.advance(hour);
    for (const id of sessions) await settled(stage, id);
    const facts = await readFacts(stage.ctx);
    const tz = zones[round % zones.length] ?? "UTC";
    const from = new Date(beginning.getTime() - day).toISOString().slice(0, 10);
    const ctx = { ...stage.ctx, timeZone: tz };
    const days = { from, to: today(stage, tz), currency: "usd" };
    const wanted = { tz, ...days };
    const asked = await figures(ctx, operator, days);
    expect(asked.totals).toEqual(figuresByRows(stage.ctx, facts, wanted));
    for (const { date, ...row } of asked.series) {
      expect(row).toEqual(figuresByRows(stage.ctx, facts, { ...wanted, from: date, to: date }));
    }
    const { sales } = await shopStatistics(ctx, asked.series.length);
    const sum = (name: "amount" | "refunded" | "disputed" | "sold") =>
      sales.reduce((all, one) => all + one[name], 0);
    const { gross, refunded, disputed, payments } = asked.totals;
    expect([sum("amount"), sum("refunded"), sum("disputed"), sum("sold")]).toEqual([
      gross,
      refunded,
      disputed,
      payments,
    ]);
    // the rows themselves say what Stripe's charges say
    const given = new Map(facts.sold.filter(({ soldAt }) => soldAt).map((one) => [one.id, one]));
    for (const { id, refundedAmount } of given.values()) {
      const rows = facts.refunded.filter((one) => one.paymentId === id && one.status === "succeeded");
      expect(rows.reduce((all, { amount }) => all + amount, 0)).toBe(refundedAmount);
    }
  }
  const rebuilt = await operate(stage, "stats", "rebuild", "--reason", "a story", "--json");
  expect(JSON.parse(rebuilt.out)).toMatchObject({ wrong: 0 });
});

/** An action that Stripe refuses in this state. */
const ignored = () => null;
