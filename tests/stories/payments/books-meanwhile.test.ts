import { expect, test } from "bun:test";
import { day } from "@/contract/vocabulary/time";
import { readBooks } from "@/domain/payments/books/read-books";
import { addUpSales } from "@/domain/staff-queries/sales";
import { openStage } from "../../support/shop/stage";
import { by, pass } from "../subscriptions/subscriber";
import { allRows, monthOf, read } from "./books";

test("a clock that was a month ahead for a moment leaves no hole in the books", async () => {
  await using stage = await openStage();
  await stage.buy("first@example.com");
  const ahead = stage.ctx.now().getTime() + 30 * day;
  await readBooks({ ...stage.ctx, now: () => new Date(ahead) }, stage.shop.checkout);
  await stage.buy("second@example.com");
  await pass(stage, 32);
  await stage.buy("third@example.com");
  await read(stage);
  expect(await stage.count("balance_movements")).toBe(3);
});

test("a payout that came back paid nothing out; the next one did, also if both were read late", async () => {
  const begun = new Date();
  for (const inTime of [true, false]) {
    await using stage = await openStage();
    await stage.buy("buyer@example.com");
    const first = await stage.atStripe("payout", {});
    const told = async () => {
      if (inTime) await read(stage);
    };
    const payouts = async () => (await allRows(stage, begun)).map(({ payout }) => payout);
    await told();
    if (inTime) expect(await payouts()).toEqual([first.id]);
    stage.advance(3 * day);
    await stage.atStripe("payout/fail", { payout: first.id });
    await told();
    if (inTime) expect(await payouts()).toEqual([""]);
    stage.advance(day);
    const second = await stage.atStripe("payout", {});
    await stage.atStripe("payout/fail", { payout: second.id });
    const third = await stage.atStripe("payout", {});
    await read(stage);
    expect(await payouts()).toEqual([third.id]);
  }
});

test("what a payout paid out is read once Stripe has reconciled it", async () => {
  await using stage = await openStage();
  const begun = stage.ctx.now();
  await stage.buy("buyer@example.com");
  const { id: payout } = await stage.atStripe("payout", { reconciled: false });
  const payouts = async () => {
    await read(stage);
    return (await allRows(stage, begun)).map((row) => row["payout"]);
  };
  const notes = async () => (await addUpSales(stage.ctx, monthOf(stage.ctx.now()), by)).notes;
  expect(await payouts()).toEqual([""]);
  expect((await notes()).at(-1)).toContain("Not all payouts are read yet");
  await stage.atStripe("payout/reconcile", { payout });
  expect(await payouts()).toEqual([payout]);
  expect(await notes()).toEqual(["The month isn't over."]);
});

test("a month says which permission its rows lack, until the key has it", async () => {
  await using stage = await openStage();
  await stage.buy("buyer@example.com");
  await stage.atStripe("refuse", { path: "/v1/balance_transactions", as: "permission" });
  await read(stage);
  const month = monthOf(stage.ctx.now());
  const notes = async () => (await addUpSales(stage.ctx, month, by)).notes;
  expect((await notes()).at(-1)).toContain("Balance: Read");
  await stage.atStripe("refuse", { path: "/v1/balance_transactions", as: null });
  await read(stage);
  expect(await notes()).toEqual(["The month isn't over."]);
});

test("hundreds of rows are read by pages, and again by a database that was restored", async () => {
  await using stage = await openStage();
  const { client } = stage.ctx.store;
  await stage.buy("buyer@example.com");
  await read(stage);
  const facts = await client.execute("SELECT name, value FROM installation WHERE name LIKE 'stripe_books_%'");
  for (let nth = 0; nth < 230; nth += 1) await stage.atStripe("fee", { amount: 1, description: "Radar" });
  const payout = await stage.atStripe("payout", {});
  await stage.buy("later@example.com");
  const whole = async () => [
    await stage.count("balance_movements"),
    await stage.count(`balance_movements WHERE payout_id = '${payout.id}'`),
  ];
  await read(stage);
  expect(await whole()).toEqual([233, 232]);
  await client.execute(
    "DELETE FROM balance_movements WHERE id NOT IN (SELECT min(id) FROM balance_movements)",
  );
  await client.execute("UPDATE balance_movements SET payout_id = NULL, payout_at = NULL");
  for (const { name, value } of facts.rows)
    await client.execute({
      sql: "UPDATE installation SET value = ? WHERE name = ?",
      args: [value ?? null, name ?? null],
    });
  await read(stage);
  expect(await whole()).toEqual([233, 232]);
});
