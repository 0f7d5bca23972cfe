import { expect, test } from "bun:test";
import { day } from "@/contract/vocabulary/time";
import { followEvents } from "@/domain/payments/reconcile/follow-events";
import { checkDueSubscriptions } from "@/domain/payments/subscriptions/due-checks";
import { operateWith, settingsOf } from "../../support/operator/run-operator";
import { openStage, type Stage } from "../../support/shop/stage";
import { subscriptions } from "@/domain/schema/subscriptions";
import { happens, openSubscriptionShop, subscriberInArrears, seenBy, subscriber } from "./subscriber";

/** What the doctor says of Stripe's endpoint and key. */
async function runDoctor(stage: Stage, env: Record<string, string> = {}): Promise<string> {
  const { out } = await operateWith({ ...settingsOf(stage), ...env }, "doctor", "--json");
  const findings: { what: string; sentence: string }[] = JSON.parse(out);
  return findings
    .filter(({ what }) => what === "webhooks" || what === "Stripe")
    .map(({ sentence }) => sentence)
    .join("\n");
}

test("a change of a subscription that no event reported is found within a day, also behind one that can't be read", async () => {
  await using stage = await openSubscriptionShop();
  const { ada, subscription } = await subscriber(stage);
  const { db } = stage.ctx.store;
  const [row] = await db.select().from(subscriptions);
  if (!row) throw new Error("nothing was bought");
  const gone = { ...row, id: "gone", stripeId: "sub_gone", accountId: null, checkedAt: new Date(0) };
  await db.insert(subscriptions).values(gone);
  await stage.atStripe("alter/subscription", { subscription, cancel_at_period_end: true });
  await checkDueSubscriptions(stage.ctx, stage.shop.checkout);
  expect(await seenBy(ada)).toMatchObject({ status: "active" });
  stage.advance(day + 1);
  await checkDueSubscriptions(stage.ctx, stage.shop.checkout);
  expect(await seenBy(ada)).toMatchObject({ status: "ending" });
});

test("a renewal that was given up and paid after all is found although every event was lost, also one paid elsewhere", async () => {
  for (const way of ["invoice/pay", "invoice/outside"]) {
    await using stage = await openSubscriptionShop();
    const { ada, invoice } = await subscriberInArrears(stage);
    await happens(stage, "invoice/uncollectible", { invoice });
    stage.advance(4 * day);
    expect(await seenBy(ada)).toMatchObject({ status: "past_due", licence: { active: false } });
    stage.stripe.setWebhookUrl(null);
    await stage.atStripe(way, { invoice, ...(way === "invoice/pay" && { card: "4242" }) });
    stage.advance(day + 1);
    await checkDueSubscriptions(stage.ctx, stage.shop.checkout);
    expect([way, await seenBy(ada)]).toMatchObject([way, { status: "active", licence: { active: true } }]);
  }
});

test("a subscription's event whose webhook was lost is found among Stripe's events", async () => {
  await using stage = await openSubscriptionShop();
  const { ada, subscription } = await subscriber(stage);
  stage.advance(60_000);
  await followEvents(stage.ctx, stage.shop.checkout);
  stage.stripe.setWebhookUrl(null);
  await stage.atStripe("subscription/cancel", { subscription, at: "period_end" });
  await followEvents(stage.ctx, stage.shop.checkout);
  expect(await seenBy(ada)).toMatchObject({ status: "ending" });
});

test("the doctor asks for events and permissions of subscriptions only in a shop that sells some", async () => {
  await using none = await openStage();
  const lacks = ["subscription_read", "plan_write", "webhook_write"];
  await none.atStripe("keys", { key: "rk_test_of_the_shop", lacks });
  const key = { STRIPE_SECRET_KEY: "rk_test_of_the_shop" };
  const sent = ["checkout.session.completed"];
  const endpoint = (stage: Stage) => ({
    endpoints: [{ url: `${stage.url.origin}/api/stripe/webhook`, enabled_events: sent }],
  });
  await none.atStripe("webhooks/endpoints", endpoint(none));
  const without = await runDoctor(none, key);
  expect(without).toContain("does not send");
  expect(without).not.toMatch(/invoice|subscription|plan/);
  await using some = await openSubscriptionShop();
  await some.atStripe("keys", { key: "rk_test_of_the_shop", lacks });
  await some.atStripe("webhooks/endpoints", endpoint(some));
  const told = await runDoctor(some, key);
  expect(told).toContain("customer.subscription.updated");
  expect(told).not.toContain("invoice.created");
  expect(told).toContain("rak_subscription_read");
});
