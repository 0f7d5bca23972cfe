import { expect, test } from "bun:test";
import { hour } from "@/contract/vocabulary/time";
import { checkoutOfCopy } from "@/domain/payments/port/checkout-of-copy";
import { settleSubject } from "@/domain/payments/settlement/settle";
import type { Stage } from "../../support/shop/stage";
import {
  atStripeNow,
  happens,
  openSubscriptionShop,
  subscriberInArrears,
  pass,
  paymentsOf,
  seenBy,
  settleAll,
  stripeOf,
} from "./subscriber";

async function newDefault(stage: Stage, card: string) {
  const [one] = await atStripeNow(stage);
  await happens(stage, "card/new", { customer: one?.customer, card });
}

test("a card that a customer makes the default at Stripe pays what is owed and every renewal", async () => {
  await using stage = await openSubscriptionShop();
  const { ada } = await subscriberInArrears(stage);
  expect(await seenBy(ada)).toMatchObject({ status: "past_due", card: { last4: "4242" } });
  await newDefault(stage, "4444");
  expect(await seenBy(ada)).toMatchObject({
    status: "active",
    card: { last4: "4444" },
    licence: { active: true },
  });
  expect(await paymentsOf(ada)).toHaveLength(2);
  await pass(stage, 31);
  expect(await seenBy(ada)).toMatchObject({ status: "active", licence: { active: true } });
  expect(await paymentsOf(ada)).toHaveLength(3);
});

test("a restored copy sees a new default card, and neither charges it nor makes it the subscription's", async () => {
  await using stage = await openSubscriptionShop();
  const { subscription } = await subscriberInArrears(stage);
  stage.stripe.setWebhookUrl(null);
  await newDefault(stage, "4444");
  await settleSubject(stage.ctx, checkoutOfCopy(stage.shop.checkout), { subscription });
  expect(await atStripeNow(stage)).toMatchObject([{ status: "past_due" }]);
  await settleSubject(stage.ctx, stage.shop.checkout, { subscription });
  expect(await atStripeNow(stage)).toMatchObject([{ status: "active" }]);
});

test("a new card that is declined as well leaves what is owed, and is tried once by the shop", async () => {
  await using stage = await openSubscriptionShop();
  const { ada, subscription } = await subscriberInArrears(stage);
  await newDefault(stage, "0341");
  await settleAll(stage);
  expect(await seenBy(ada)).toMatchObject({ status: "past_due", card: { last4: "0341" } });
  const { data } = await stripeOf(stage).invoices.list({ subscription, status: "open" });
  expect(data.map(({ attempt_count: attempts }) => attempts)).toEqual([2]);
});

test("a new card pays what is owed although Stripe fails at the first try", async () => {
  await using stage = await openSubscriptionShop();
  const { ada, invoice } = await subscriberInArrears(stage);
  const path = `/v1/invoices/${invoice}/pay`;
  await stage.atStripe("faults", { api: { next: [{ fail: 500, count: 2, path }] } });
  await newDefault(stage, "4444");
  stage.advance(hour);
  for (let time = 0; time < 3; time += 1) await settleAll(stage);
  expect(await seenBy(ada)).toMatchObject({ status: "active", card: { last4: "4444" } });
});
