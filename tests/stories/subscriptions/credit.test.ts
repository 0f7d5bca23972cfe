import { expect, test } from "bun:test";
import { addOffer } from "@/domain/offers/change";
import { eventually } from "../../support/shop/stage";
import {
  by,
  openSubscriptionShop,
  pass,
  paymentsOf,
  seenBy,
  settleAll,
  stripeOf,
  subscriber,
  switchTo,
} from "./subscriber";

type Bill = { asked: number; off: number; tax: number; credit: number; paid: number };

const small = { id: "small", name: "A small one", amount: 100, days: null, every: "month" } as const;

test("credit that a cheaper offer leaves pays what comes next, in part or wholly, and bills add up", async () => {
  await using stage = await openSubscriptionShop();
  await addOffer(stage.ctx, small, by);
  const { ada, subscription } = await subscriber(stage);
  await pass(stage, 10);
  await switchTo(stage, subscription, small);
  for (let month = 0; month < 2; month += 1) {
    await pass(stage, 31);
    await settleAll(stage);
    expect(await seenBy(ada)).toMatchObject({ offer: "small", status: "active", licence: { active: true } });
  }
  const bills: Bill[] = (await paymentsOf(ada)).map(({ bill }: { bill: Bill }) => bill);
  for (const { asked, off, tax, credit, paid } of bills) expect(paid).toBe(asked - off + tax - credit);
  const [second, first, switched, bought] = bills;
  expect(bought).toMatchObject({ asked: 300, credit: 0, paid: 300 });
  expect(switched?.paid).toBe(0);
  const kept = -(switched?.credit ?? 0);
  expect([kept > 100, kept < 150]).toEqual([true, true]);
  expect(first).toMatchObject({ asked: 100, credit: 100, paid: 0 });
  expect(second).toMatchObject({ asked: 100, credit: kept - 100, paid: 200 - kept });
  // what the shop counts is what Stripe collected
  const charges = await stripeOf(stage).charges.list({ limit: 100 });
  const collected = charges.data.reduce((sum, { amount_captured: amount }) => sum + amount, 0);
  expect(bills.reduce((sum, { paid }) => sum + paid, 0)).toBe(collected);
  const wholly = await eventually(
    () => stage.mail.messages("ada@example.com").find(({ text }) => text?.includes("Amount: USD 0.00")),
    (mail) => mail !== undefined,
  );
  expect(wholly?.text).toContain("Price: USD 1.00\nApplied balance: −USD 1.00\n");
});

test("with tax, credit is what the whole difference comes to", async () => {
  await using stage = await openSubscriptionShop(null, { TAX: "stripe" });
  await stage.atStripe("tax", { percent: 19, within: false });
  await addOffer(stage.ctx, small, by);
  const { ada, subscription } = await subscriber(stage);
  await pass(stage, 10);
  await switchTo(stage, subscription, small);
  await pass(stage, 31);
  await seenBy(ada);
  const bills: Bill[] = (await paymentsOf(ada)).map(({ bill }: { bill: Bill }) => bill);
  for (const { asked, off, tax, credit, paid } of bills) expect(paid).toBe(asked - off + tax - credit);
  const [renewal, switched] = bills;
  expect(switched).toMatchObject({ off: 0, paid: 0 });
  expect(switched?.tax).toBeLessThan(0);
  expect(renewal).toMatchObject({ asked: 100, tax: 19, credit: 119, paid: 0 });
});
