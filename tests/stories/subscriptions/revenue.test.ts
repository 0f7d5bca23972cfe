import { expect, test } from "bun:test";
import { operator } from "@/core/base/actor";
import { figures } from "@/domain/figures/figures";
import { rebuildFigures } from "@/domain/figures/days";
import { addOffer } from "@/domain/offers/change";
import { by, dayOf, openSubscriptionShop, pass, subscriber } from "./subscriber";

test("the monthly recurring revenue counts what runs, without trials, until a failed renewal's grace ends", async () => {
  await using stage = await openSubscriptionShop();
  const year = { id: "year", name: "A year", amount: 2_401, days: null, every: "year" as const };
  await addOffer(stage.ctx, year, by);
  const asked = async (offer?: string) => {
    const range = { from: dayOf(stage, 0), to: dayOf(stage, 0), ...(offer && { offer }) };
    const { mrr } = (await figures(stage.ctx, operator, range)).totals;
    await rebuildFigures(stage.ctx, by);
    expect((await figures(stage.ctx, operator, range)).totals.mrr).toBe(mrr);
    return mrr;
  };
  expect(await asked()).toBe(0);
  const { subscription } = await subscriber(stage);
  const bob = stage.person();
  const opened = await bob.post("/api/stripe/create-checkout-session", { currency: "usd", offer: "year" });
  await stage.stripeTells("pay", { session: opened.body.data.id, email: "bob@example.com" });
  // 300 a month, and 2,401 a year
  expect([await asked(), await asked("month"), await asked("year")]).toEqual([500, 300, 200]);
  const bought = stage.ctx.now();
  await stage.atStripe("card/mood", { subscription, mood: "declines" });
  await pass(stage, 32);
  expect([await asked(), await asked("month")]).toEqual([500, 300]);
  await pass(stage, 3);
  expect([await asked(), await asked("month")]).toEqual([200, 0]);
  await stage.atStripe("card/mood", { subscription, mood: "works" });
  await pass(stage, 7);
  expect(await asked()).toBe(500);
  const days = { from: bought.toISOString().slice(0, 10), to: dayOf(stage, 0) };
  const { series } = await figures(stage.ctx, operator, days);
  expect(new Set(series.map(({ mrr }) => mrr))).toEqual(new Set([500, 200]));
});
