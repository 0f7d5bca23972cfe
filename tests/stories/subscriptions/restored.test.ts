import { expect, test } from "bun:test";
import { day } from "@/contract/vocabulary/time";
import { commit } from "@/core/database/commit";
import { keepFact } from "@/core/database/key-values";
import { copyFact } from "@/core/database/restored-copy";
import { syncSubscriptions } from "@/domain/payments/subscriptions/by-staff";
import { changesPausedUntil, pauseChanges } from "@/domain/payments/settlement/paused-changes";
import { checkDueSubscriptions } from "@/domain/payments/subscriptions/due-checks";
import { operated } from "../../support/operator/run-operator";
import type { Stage } from "../../support/shop/stage";
import {
  atStripeNow,
  buy,
  by,
  checkout,
  happens,
  openSubscriptionShop,
  password,
  settleAll,
  subscriber,
} from "./subscriber";

/** A subscriber whose lifetime the restored database knows, though Stripe was not told of it. */
async function besideLifetime(stage: Stage) {
  const bought = await subscriber(stage);
  await commit(stage.ctx.store, [pauseChanges(stage.ctx, "sync")]);
  await bought.ada.post("/api/auth/login", { username: "ada", password });
  await bought.ada.post("/api/licenses/redeem", { key: await stage.handOut(), timezone: "UTC" });
  await settleAll(stage);
  return bought;
}

const ends = async (stage: Stage) => (await atStripeNow(stage))[0]?.cancel_at ?? null;

test("after a restore nothing is changed at Stripe until the shop has checked all subscriptions, which it does by itself", async () => {
  await using stage = await openSubscriptionShop();
  await besideLifetime(stage);
  expect(await ends(stage)).toBeNull();
  await checkDueSubscriptions(stage.ctx, stage.shop.checkout);
  await settleAll(stage);
  expect(await ends(stage)).not.toBeNull();
});

test("if anything is to be refunded after a restore, changes wait for the operator", async () => {
  await using stage = await openSubscriptionShop();
  await besideLifetime(stage);
  // a renewal that came although the licence had been revoked
  await stage.ctx.store.client.execute("UPDATE licences SET revoked_at = 1 WHERE paid_until IS NOT NULL");
  stage.advance(32 * day);
  await settleAll(stage);
  const synced = await operated(stage, "subscriptions", "sync", "--reason", "a story");
  expect(synced).toMatchObject({ differ: 1, waits: true });
  await settleAll(stage);
  expect((await atStripeNow(stage))[0]?.status).toBe("active");
  expect(await operated(stage, "subscriptions", "agree", "--reason", "a story")).toMatchObject({
    waits: false,
  });
  await settleAll(stage);
  await settleAll(stage);
  const [one] = await atStripeNow(stage);
  expect(one?.status).toBe("canceled");
  expect(one?.invoices.map(({ refunded }) => refunded).toSorted()).toEqual([0, 300]);
});

test("a subscription that Stripe refuses to return holds up no other after a restore", async () => {
  await using stage = await openSubscriptionShop();
  const { subscription } = await besideLifetime(stage);
  const guest = stage.person();
  await buy(stage, guest, { email: "bob@example.com" });
  const other = (await atStripeNow(stage)).find((one) => one.subscription !== subscription);
  await stage.atStripe("refuse", { path: `/v1/subscriptions/${other?.subscription}`, as: "permission" });
  await checkDueSubscriptions(stage.ctx, stage.shop.checkout);
  await settleAll(stage);
  const own = (await atStripeNow(stage)).find((one) => one.subscription === subscription);
  expect(own?.cancel_at).toEqual(expect.any(Number));
});

test("subscriptions that Stripe refuses to return may differ too: if they are many, changes wait for the operator", async () => {
  await using stage = await openSubscriptionShop();
  for (let nth = 0; nth < 11; nth += 1)
    await happens(stage, "pay", { session: await checkout(stage.person()), email: `b${nth}@example.com` });
  await commit(stage.ctx.store, [pauseChanges(stage.ctx, "sync")]);
  await stage.atStripe("refuse", { path: "/v1/subscriptions/", as: "permission" });
  await checkDueSubscriptions(stage.ctx, stage.shop.checkout);
  expect(await changesPausedUntil(stage.ctx)).toBe("agree");
});

test("a restored copy never resumes changes at Stripe", async () => {
  await using stage = await openSubscriptionShop();
  await subscriber(stage);
  const copy = JSON.stringify({ made: "2026-01-01T00:00:00Z", at: "2026-01-01T00:00:00Z" });
  await commit(stage.ctx.store, [pauseChanges(stage.ctx, "sync"), keepFact(stage.ctx, copyFact, copy)]);
  const checks = syncSubscriptions(stage.ctx, stage.shop.checkout, { by, agreed: true });
  expect(await checks.catch((error: unknown) => error)).toMatchObject({ code: "copy" });
  expect(await changesPausedUntil(stage.ctx)).toBe("sync");
});
