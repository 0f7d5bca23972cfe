import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { brand } from "@/brand/brand";
import { commit } from "@/core/database/commit";
import { factOf, keepFact } from "@/core/database/key-values";
import { randomKey } from "@/domain/licences/keys/keys";
import { expectFixed } from "@/domain/offers/fixed";
import { settle } from "@/domain/payments/settlement/settle";
import { operateWith, operated, settingsOf } from "../../support/operator/run-operator";
import { runProcess } from "../../support/operator/run-process";
import { checkout, verify } from "../../support/people/buyer";
import { openStage, type Stage } from "../../support/shop/stage";

const inEuros = ({ ctx }: Stage) => expectFixed({ ...ctx, currency: "eur" });
const prefixOf = ({ ctx }: Stage) => factOf(ctx, "key_prefix");

async function importOwn(stage: Stage) {
  const path = join(stage.dataDir, "keys.csv");
  await Bun.write(path, `key,days\n${randomKey()},30\n`);
  expect(await operated(stage, "import", "keys", path, "--reason", "a story")).toMatchObject({ made: 1 });
}

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
    ["imported", importOwn],
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

test("while another process makes keys with another prefix, no key is made in any way", async () => {
  await using stage = await openStage();
  const session = await checkout(stage.person());
  await commit(stage.ctx.store, [keepFact(stage.ctx, "key_prefix", "OLD")]);
  expect(stage.handOut()).rejects.toMatchObject({ code: "other_key_prefix" });
  await stage.atStripe("pay", { session, email: "buyer@example.com" });
  expect(settle(stage.ctx, stage.shop.checkout, session)).rejects.toMatchObject({ code: "other_key_prefix" });
  expect(await stage.count("licences")).toBe(0);
  await commit(stage.ctx.store, [keepFact(stage.ctx, "key_prefix", brand.keyPrefix)]);
  expect((await verify(stage.person(), session)).body.data.license_key).toStartWith(brand.keyPrefix);
});

test("a brand that is missing once keys were made, or another currency, stops the start", async () => {
  await using stage = await openStage();
  await commit(stage.ctx.store, [keepFact(stage.ctx, "key_prefix", "OLD")]);
  const { PUBLIC_URL: _, ...settings } = settingsOf(stage);
  const start = (env: Record<string, string> = {}) =>
    runProcess([process.execPath, "src/main.ts"], { env: { ...settings, PORT: "0", ...env } });
  await stage.restart({
    meanwhile: async () => {
      expect(await start()).toMatchObject({
        code: 1,
        err: `This shop's keys begin with OLD, and its brand is missing: put your copy into ${stage.dataDir}/brand, or run shop brand import.\n`,
      });
      using database = new Database(join(stage.dataDir, "shop.db"));
      database.run(
        "UPDATE installation SET name = 'orders_currency', value = 'usd' WHERE name = 'key_prefix'",
      );
      expect(await start({ CURRENCY: "eur" })).toMatchObject({
        code: 1,
        err: "The setting CURRENCY is eur, but this shop has orders in usd: set CURRENCY=usd, or begin another shop with a database of its own.\n",
      });
    },
  });
});
