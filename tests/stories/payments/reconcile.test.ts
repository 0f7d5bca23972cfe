import { expect, test } from "bun:test";
import pLimit from "p-limit";
import { day, hour } from "@/contract/vocabulary/time";
import { reconcilePayments } from "@/domain/payments/reconcile/reconcile-payments";
import { openStage, type Stage } from "../../support/shop/stage";

/** This many orders paid at Stripe that the shop doesn't know of. */
async function untoldOrders(stage: Stage, orders: number): Promise<string[]> {
  const { openCheckout } = await import("@/domain/payments/checkout/order");
  const few = pLimit(8);
  return Promise.all(
    Array.from({ length: orders }, (_, at) =>
      few(async () => {
        const buyer = { accountId: null, email: null, browserHash: "" };
        const wanted = { currency: "usd", publicUrl: stage.url, buyer };
        const { id } = await openCheckout(stage.ctx, stage.shop.checkout, wanted);
        await stage.atStripe("pay", { session: id, email: `untold${at}@example.com` });
        return id;
      }),
    ),
  );
}

test("an interrupted sweep continues where it stopped, and three hundred orders have their licences", async () => {
  await using stage = await openStage({ webhooks: false });
  await stage.shop.worker.stop();
  await untoldOrders(stage, 300);
  // orders missing from a restored backup come from Stripe's list, the rest from the shop's own
  await stage.ctx.store.client.execute("DELETE FROM payments WHERE rowid % 2 = 0");
  await stage.atStripe("faults", { api: { latencyMs: 2 } });
  const cut = reconcilePayments(stage.ctx, stage.shop.checkout);
  while ((await stage.count("licences")) < 100) await Bun.sleep(5);
  await stage.atStripe("faults", { api: { away: true, latencyMs: 0 } });
  await cut.then(
    () => expect.unreachable("the sweep did not notice that Stripe is away"),
    () => {},
  );
  const before = await stage.count("licences");
  expect(before).toBeLessThan(300);
  await stage.atStripe("faults", { api: { away: false } });
  const report = await reconcilePayments(stage.ctx, stage.shop.checkout);
  expect(report).toMatchObject({ finished: true, failed: 0 });
  expect(await stage.count("licences")).toBe(300);
  expect(await stage.count("installation WHERE name = 'sweep'")).toBe(0);
  expect(report.found[0]).toMatchObject({ to: "succeeded" });
  // the next one asks nothing about what is already known
  expect(await reconcilePayments(stage.ctx, stage.shop.checkout)).toMatchObject({ asked: 0, changed: 0 });
});

test("an order that was paid after a backup is found when that is restored days later", async () => {
  await using stage = await openStage({ webhooks: false });
  await reconcilePayments(stage.ctx, stage.shop.checkout);
  stage.advance(2 * hour);
  const opened = await stage.person().post("/api/stripe/create-checkout-session", { currency: "usd" });
  await reconcilePayments(stage.ctx, stage.shop.checkout);
  stage.advance(3 * hour);
  await stage.atStripe("pay", { session: opened.body.data.id, email: "restored@example.com" });
  stage.advance(3 * day);
  await reconcilePayments(stage.ctx, stage.shop.checkout);
  expect(await stage.count("licences")).toBe(1);
});
