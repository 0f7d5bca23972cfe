import { expect, test } from "bun:test";
import { brand } from "@/brand/brand";
import { commit } from "@/core/database/commit";
import { factOf, keepFact } from "@/core/database/key-values";
import { expectFixed } from "@/domain/offers/fixed";
import { operateWith, operated, settingsOf } from "../../support/operator/run-operator";
import { openStage, type Stage } from "../../support/shop/stage";

const inEuros = ({ ctx }: Stage) => expectFixed({ ...ctx, currency: "eur" });
const prefixOf = ({ ctx }: Stage) => factOf(ctx, "key_prefix");

test("a shop without an order may sell in another currency; from the first order on that stops the start", async () => {
  await using stage = await openStage();
  await stage.handOut();
  await inEuros(stage);
  const opened = await stage.person().post("/api/stripe/create-checkout-session", { currency: "usd" });
  expect(opened.status).toBe(200);
  const sentence =
    "The setting CURRENCY is eur, but this shop has orders in usd: set CURRENCY=usd, or begin another shop with a database of its own.";
  expect(inEuros(stage)).rejects.toThrow(sentence);
  const typed = await operateWith({ ...settingsOf(stage), CURRENCY: "eur" }, "offers", "list");
  expect(typed).toMatchObject({ code: 1, err: expect.stringContaining(sentence) });
  await stage.restart();
});

test("of two processes in two currencies, the second to take an order is refused", async () => {
  await using stage = await openStage();
  const { client } = stage.ctx.store;
  const order = () => stage.person().post("/api/stripe/create-checkout-session", { currency: "usd" });
  expect((await order()).status).toBe(200);
  // as if the other had been first
  await client.execute("UPDATE installation SET value = 'eur' WHERE name = 'orders_currency'");
  expect((await order()).body).toMatchObject({ code: "currency_unsupported" });
  expect(await stage.count("payments")).toBe(1);
});

test("the key prefix is the shop's from the first key on, however it was made", async () => {
  const made: [string, (stage: Stage) => Promise<unknown>][] = [
    ["sold", (stage) => stage.buy()],
    ["issued", (stage) => stage.handOut()],
    ["issued in a batch", (stage) => operated(stage, "licences", "batch", "2", "--reason", "a story")],
  ];
  for (const [how, make] of made) {
    await using stage = await openStage();
    expect([how, await prefixOf(stage)]).toEqual([how, null]);
    await make(stage);
    expect([how, await prefixOf(stage)]).toEqual([how, brand.keyPrefix]);
    await stage.restart();
  }
});

test("another key prefix than that of the shop's keys stops the start", async () => {
  await using stage = await openStage();
  const sentence = `The brand's key prefix is ${brand.keyPrefix}, but this shop made keys that begin with OLD, which it could no longer read: set the prefix to OLD.`;
  await commit(stage.ctx.store, [keepFact(stage.ctx, "key_prefix", "OLD")]);
  expect(expectFixed(stage.ctx)).rejects.toThrow(sentence);
  expect(stage.restart()).rejects.toThrow(sentence);
});
