import { expect, test } from "bun:test";
import { figures } from "@/domain/figures/figures";
import { operator } from "@/core/actor";
import {
  atStripeNow,
  dayOf,
  openSubscriptionShop,
  pass,
  paymentsOf,
  seenBy,
  settleAll,
  subscriber,
} from "./subscriber";

test("a renewal that was paid elsewhere has a bill that adds up, a receipt that says so, and no gross", async () => {
  await using stage = await openSubscriptionShop();
  const { ada, subscription } = await subscriber(stage);
  await stage.atStripe("card/mood", { subscription, mood: "declines" });
  await pass(stage, 32);
  const gross = async () =>
    (await figures(stage.ctx, operator, { from: dayOf(stage, -60), to: dayOf(stage, 0), currency: "usd" }))
      .totals.gross;
  const before = await gross();
  const open = (await atStripeNow(stage))[0]?.invoices.find(({ status }) => status === "open");
  await stage.atStripe("invoice/outside", { invoice: open?.invoice });
  await settleAll(stage);
  expect(await seenBy(ada)).toMatchObject({ status: "active", licence: { active: true } });
  const [renewal] = await paymentsOf(ada);
  expect(renewal).toMatchObject({
    status: "succeeded",
    bill: { asked: 300, off: 0, tax: 0, credit: 0, outside: 300, paid: 0 },
  });
  expect(await gross()).toBe(before);
  const [mail] = stage.mail
    .messages("ada@example.com")
    .filter(({ subject }) => /receipt/i.test(subject ?? ""));
  expect(mail?.text).toContain("Paid elsewhere");
});
