import { expect, test } from "bun:test";
import { operator } from "@/core/base/actor";
import { shopStatistics } from "@/domain/customers/statistics";
import { rebuildFigures } from "@/domain/figures/days";
import { subscriptionFigures } from "@/domain/figures/subscriptions";
import { addOffer } from "@/domain/offers/change";
import { operate } from "../../support/operator/run-operator";
import { atDesk } from "../../support/people/desk";
import { openStage, type Stage } from "../../support/shop/stage";
import { buy, by, dayOf, openSubscriptionShop, pass, settleAll, switchTo } from "./subscriber";

const team = { id: "team", name: "A team", amount: 900, days: null, every: "month" } as const;
const tried = {
  id: "tried",
  name: "A trial",
  amount: 500,
  days: null,
  every: "month",
  trialDays: 14,
} as const;

/** Somebody buys by subscription; resolves to Stripe's id of it. */
async function buys(stage: Stage, offer: "month" | "tried", card?: string): Promise<string> {
  const email = `${crypto.randomUUID()}@example.com`;
  const session = await buy(stage, stage.person(), { offer, email, ...(card && { card }) });
  const { rows } = await stage.ctx.store.client.execute({
    sql: "SELECT subscription FROM payments WHERE session_id = ?",
    args: [session],
  });
  return rows[0]?.["subscription"] as string;
}

async function live(stage: Stage, days: number) {
  await pass(stage, days);
  await settleAll(stage);
}

test("subscriptions' figures tell what ran, began and ended, and what became of trials and of failed renewals", async () => {
  await using stage = await openSubscriptionShop();
  await addOffer(stage.ctx, team, by);
  await addOffer(stage.ctx, tried, by);
  const beginning = dayOf(stage, 0);
  const mood = (subscription: string, mood: "declines" | "works") =>
    stage.atStripe("card/mood", { subscription, mood });
  const cancel = (subscription: string) => stage.atStripe("subscription/cancel", { subscription, at: "now" });

  const recovers = await buys(stage, "month");
  const fails = await buys(stage, "month");
  const leaves = await buys(stage, "month");
  const grows = await buys(stage, "month");
  await buys(stage, "tried", "1111");
  const triedOnly = await buys(stage, "tried", "2222");
  const neverPays = await buys(stage, "tried", "3333");
  expect((await operate(stage, "stats")).out).toMatch(/trials .*0 of 3 became paid, 3 still run\n/);
  await live(stage, 3);
  await cancel(leaves);
  await cancel(triedOnly);
  await switchTo(stage, grows, team);
  await mood(neverPays, "declines");
  await live(stage, 12);
  await live(stage, 8);
  const between = dayOf(stage, 0);
  await live(stage, 5);
  await mood(recovers, "declines");
  await mood(fails, "declines");
  await live(stage, 5);
  await mood(recovers, "works");
  await live(stage, 40);
  await buys(stage, "tried", "4444");

  const vera = await atDesk(stage, "vera", "viewer");
  const asked = async (query: string) => (await vera.get(`figures/subscriptions?${query}`)).body.data;
  const all = await asked(`from=${beginning}`);
  expect(all).toEqual({
    from: beginning,
    to: dayOf(stage, 0),
    tz: "UTC",
    currency: "usd",
    running: { start: 0, end: 3 },
    started: 5,
    ended: 2,
    churn: null,
    trials: { begun: 4, paid: 1, running: 1 },
    payments: { failed: 3, recovered: 1 },
    more: false,
  });
  expect(await asked(`from=${between}`)).toMatchObject({
    running: { start: 4, end: 3 },
    started: 0,
    ended: 1,
    churn: 1 / 4,
    trials: { begun: 1, paid: 0, running: 1 },
    payments: { failed: 2, recovered: 1 },
  });
  expect(await asked(`from=${between}&to=${between}`)).toMatchObject({
    running: { start: 4, end: 4 },
    trials: { begun: 0, paid: 0, running: 0 },
    payments: { failed: 0, recovered: 0 },
  });
  expect(await asked(`from=${beginning}&offer=team`)).toMatchObject({
    running: { start: 0, end: 1 },
    started: 1,
    ended: 0,
  });
  expect(await asked(`from=${beginning}&offer=month`)).toMatchObject({ running: { end: 1 }, started: 3 });

  expect((await shopStatistics(stage.ctx, 100)).subscriptions).toEqual({ ...all, from: dayOf(stage, -99) });

  await stage.ctx.store.client.execute("UPDATE figure_sums SET running = 7");
  await rebuildFigures(stage.ctx, by);
  expect(await subscriptionFigures(stage.ctx, operator, { from: beginning })).toEqual(all);
});

test("a query that the figures of subscriptions can't answer is refused, and a shop without subscriptions has no figures of them", async () => {
  await using stage = await openStage();
  const vera = await atDesk(stage, "vera", "viewer");
  expect((await vera.get("figures/subscriptions")).body).toEqual({ status: 200, data: null });
  for (const [query, field] of [
    ["from=2026-02-01&to=2026-01-31", "from"],
    ["offer=none", "offer"],
    ["currency=xau", "currency"],
  ]) {
    const { status, body } = await vera.get(`figures/subscriptions?${query}`);
    expect([query, status, body.field]).toEqual([query, 400, field]);
  }
  expect((await vera.get("figures/subscriptions?bucket=day")).status).toBe(400);
  expect((await shopStatistics(stage.ctx, 30)).subscriptions).toBeNull();
});
