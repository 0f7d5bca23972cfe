import { expect, test } from "bun:test";
import { operator } from "@/core/base/actor";
import { keyOf } from "@/domain/licences/keys/issue";
import { syncSubscriptions } from "@/domain/payments/subscriptions/by-staff";
import { licences } from "@/domain/schema/licences";
import { operate, operated } from "../../support/operator/run-operator";
import type { Stage } from "../../support/shop/stage";
import { openSubscriptionShop, pass, seenBy, subscriber } from "./subscriber";

const why = ["--reason", "a story"];
const by = { actor: operator, reason: "a story" };

test("the operator lists subscriptions, shows one, and cancels it at its end or at once", async () => {
  await using stage = await openSubscriptionShop();
  const { ada, subscription } = await subscriber(stage);
  const [listed] = await operated(stage, "subscriptions", "list");
  expect(listed).toMatchObject({
    stripe: subscription,
    status: "active",
    offer: "month",
    amount: 300,
    interval: "month",
    customer: { username: "ada" },
    ends_at: null,
  });
  const shown = await operated(stage, "subscriptions", "show", subscription);
  expect(shown).toMatchObject({ id: listed.id, payments: [{ state: "succeeded", bill: { paid: 300 } }] });
  const { license_key: key } = await seenBy(ada);
  expect(JSON.stringify(shown)).not.toContain(key);
  expect((await operate(stage, "subscriptions", "show", "sub_none")).code).toBe(1);
  expect(await operated(stage, "subscriptions", "cancel", listed.id, ...why)).toMatchObject({
    status: "ending",
    ends_at: listed.renews_at,
  });
  expect(await operated(stage, "subscriptions", "cancel", subscription, "--now", ...why)).toMatchObject({
    status: "ended",
  });
  // what was paid stays paid
  expect(await seenBy(ada)).toMatchObject({ status: "ended", licence: { active: true } });
  const { rows } = await stage.ctx.store.client.execute(
    "SELECT detail, reason FROM audit_log WHERE action = 'subscription.cancelled' ORDER BY at",
  );
  expect(rows.map((row) => [JSON.parse(row["detail"] as string), row["reason"]])).toEqual([
    [{ when: "period_end" }, "a story"],
    [{ when: "now" }, "a story"],
  ]);
});

test("sync finds what Stripe changed without an event, in one subscription or in all", async () => {
  await using stage = await openSubscriptionShop();
  const { subscription } = await subscriber(stage);
  await stage.atStripe("alter/subscription", { subscription, cancel_at_period_end: true });
  expect(await operated(stage, "subscriptions", "sync", subscription, ...why)).toMatchObject({
    from: "active",
    to: "ending",
  });
  await stage.atStripe("alter/subscription", { subscription, cancel_at_period_end: false });
  expect(await operated(stage, "subscriptions", "sync", ...why)).toEqual({
    asked: 1,
    taken: 0,
    changed: 1,
    failed: 0,
    differ: 0,
    waits: false,
  });
});

/** What a shop holds of what was sold by subscription, without what each database has of its own. */
async function sold({ ctx }: Stage) {
  const read = async (sql: string) => (await ctx.store.client.execute(sql)).rows.map((row) => ({ ...row }));
  return {
    subscriptions: await read("SELECT id, stripe_id, status, offer, amount, ended_at FROM subscriptions"),
    payments: await read(
      "SELECT session_id, state, paid_amount, period_ends_at, subscription FROM payments WHERE sold_at IS NOT NULL ORDER BY 1",
    ),
    licences: await read(
      "SELECT payment_id, paid_until, payment_standing FROM licences WHERE payment_id IS NOT NULL",
    ),
  };
}

test("a lost database has the same licences, periods and payments again once all subscriptions were synced", async () => {
  await using stage = await openSubscriptionShop();
  const { ada, subscription } = await subscriber(stage);
  await pass(stage, 32);
  await pass(stage, 31);
  await stage.stripeTells("subscription/cancel", { subscription, at: "now" });
  const before = await sold(stage);
  expect(before.payments).toHaveLength(3);
  const { license_key: key } = await seenBy(ada);
  for (const table of ["subscriptions", "licences", "payments"])
    await stage.ctx.store.client.execute(`DELETE FROM ${table}`);
  const report = await syncSubscriptions(stage.ctx, stage.shop.checkout, { by });
  expect(report).toEqual({ asked: 1, taken: 1, changed: 0, failed: 0, differ: 0, waits: false });
  expect(await sold(stage)).toEqual(before);
  const [licence] = await stage.ctx.store.db.select().from(licences);
  expect(licence && keyOf(stage.ctx, licence)).toBe(key);
});
