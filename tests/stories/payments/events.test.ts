import { expect, test } from "bun:test";
import pLimit from "p-limit";
import { day, minute } from "@/contract/vocabulary/time";
import { jobOf } from "@/core/jobs/outbox";
import { stuckAfterFailures } from "@/core/database/schema";
import { shopTopics } from "@/domain/outbox-topics";
import { followEvents } from "@/domain/payments/reconcile/follow-events";
import { openCheckout } from "@/domain/payments/checkout/order";
import { reconcilePayments } from "@/domain/payments/reconcile/reconcile-payments";
import { eventCursor, noReport, sinceLastReconcile } from "@/domain/payments/reconcile/progress";
import { eventually, openStage, type Stage } from "../../support/shop/stage";

/** Checkouts that the shop opened, by their sessions. */
async function opened(stage: Stage, orders: number): Promise<string[]> {
  const few = pLimit(8);
  return few.map(Array.from({ length: orders }), async () => {
    const buyer = { accountId: null, email: null, browserHash: "" };
    const wanted = { currency: "usd", publicUrl: stage.url, buyer };
    return (await openCheckout(stage.ctx, stage.shop.checkout, wanted)).id;
  });
}

/** Pays them without a webhook reaching the shop. */
async function pay(stage: Stage, sessions: string[]): Promise<void> {
  await pLimit(8).map(sessions, (session) => stage.atStripe("pay", { session, email: "buyer@example.com" }));
}

/** A shop without webhooks that has read everything so far, and follows the events. */
async function following(): Promise<Stage> {
  const stage = await openStage({ webhooks: false });
  await pay(stage, await opened(stage, 1));
  stage.advance(minute);
  await reconcilePayments(stage.ctx, stage.shop.checkout);
  expect(await eventCursor(stage.ctx)).not.toBeNull();
  expect(await stage.count("licences")).toBe(1);
  return stage;
}

/** One turn of following the events, as the shop takes one each minute. */
async function turn(stage: Stage) {
  const report = noReport(stage.ctx.now());
  const outcome = await followEvents(stage.ctx, stage.shop.checkout, { report, seen: new Set() });
  return { ...report, outcome };
}

test("payments that no webhook reported are settled once from Stripe's events, however many pages these fill", async () => {
  await using stage = await following();
  const sessions = await opened(stage, 250);
  await pay(stage, sessions);
  expect(await turn(stage)).toMatchObject({ outcome: "followed", asked: 250, changed: 250, pages: 3 });
  expect(await stage.count("licences")).toBe(251);
  // while the cursor stays behind young events, and after it has caught up
  for (const ahead of [0, minute, minute]) {
    stage.advance(ahead);
    expect(await turn(stage)).toMatchObject({ outcome: "followed", asked: 0 });
  }
  for (const session of sessions.slice(0, 3)) await stage.atStripe("refund", { session });
  expect(await turn(stage)).toMatchObject({ asked: 3, changed: 3 });
});

test("an interrupted run continues with the page it was on", async () => {
  await using stage = await following();
  await pay(stage, await opened(stage, 300));
  stage.advance(minute);
  await stage.atStripe("faults", { api: { latencyMs: 2 } });
  const outcome = turn(stage).then(
    () => "over",
    () => "cut",
  );
  await eventually(async () => (await stage.count("licences")) > 120);
  await stage.atStripe("faults", { api: { away: true, latencyMs: 0 } });
  expect(await outcome).toBe("cut");
  const before = await stage.count("licences");
  await stage.atStripe("faults", { api: { away: false } });
  const rest = await turn(stage);
  expect(await stage.count("licences")).toBe(301);
  expect(rest.asked).toBe(301 - before);
  expect(rest.pages).toBeLessThan(4);
});

test("an event that Stripe lists only after later ones is not missed", async () => {
  await using stage = await following();
  const [late, early] = await opened(stage, 2);
  if (!late || !early) throw new Error("no checkouts");
  await stage.atStripe("events/withhold", { count: 100 });
  await pay(stage, [late]);
  await stage.atStripe("events/withhold", { count: 0 });
  stage.advance(2_000);
  await pay(stage, [early]);
  await turn(stage);
  expect(await stage.count("licences")).toBe(2);
  stage.advance(20_000);
  await turn(stage);
  await stage.atStripe("events/release", {});
  await turn(stage);
  expect(await stage.count("licences")).toBe(3);
});

test("after a month without a check, when Stripe no longer knows the cursor, the lists show what happened", async () => {
  await using stage = await following();
  const [session, open] = await opened(stage, 2);
  if (!session || !open) throw new Error("no checkouts");
  await pay(stage, [session]);
  stage.advance(35 * day);
  const [fresh] = await opened(stage, 1);
  await pay(stage, [fresh ?? ""]);
  stage.advance(minute);
  expect(await reconcilePayments(stage.ctx, stage.shop.checkout)).toMatchObject({
    finished: true,
    failed: 0,
  });
  expect(await stage.count("licences")).toBe(3);
  const known = await eventCursor(stage.ctx);
  await stage.atStripe("refund", { session });
  stage.advance(minute);
  expect(await turn(stage)).toMatchObject({ outcome: "followed" });
  expect(await stage.count("payments WHERE state = 'refunded'")).toBe(1);
  expect(await eventCursor(stage.ctx)).not.toEqual(known);
});

test("if the key may not read events, staff are notified once, and what happened meanwhile is found once it may", async () => {
  await using stage = await following();
  const restricted = "rk_test_without_events";
  await stage.atStripe("keys", { key: restricted, lacks: ["event_read"] });
  await stage.restart({ stripeKey: restricted });
  const [refunded, sold] = await opened(stage, 2);
  if (!refunded || !sold) throw new Error("no checkouts");
  await pay(stage, [refunded]);
  for (const _ of [1, 2]) await stage.shop.periodicJobs.run();
  await pay(stage, [sold]);
  await stage.atStripe("refund", { session: refunded });
  expect(reconcilePayments(stage.ctx, stage.shop.checkout)).rejects.toThrow("rak_event_read");
  const lines = await eventually(
    () => stage.lines.filter((line) => line.includes("staff notice") && line.includes("Events: Read")),
    (lines) => lines.length > 0,
  );
  expect(lines).toHaveLength(1);
  await stage.atStripe("keys", { key: restricted, lacks: [] });
  stage.advance(minute);
  expect(await turn(stage)).toMatchObject({ outcome: "followed" });
  expect(await stage.count("licences")).toBe(3);
  expect(await stage.count("payments WHERE state = 'refunded'")).toBe(1);
});

test("a payment that can't be settled holds up no other; it is retried on its own, and staff are notified", async () => {
  await using stage = await following();
  const [cursed, ...others] = await opened(stage, 5);
  if (!cursed) throw new Error("no checkouts");
  await stage.atStripe("faults", {
    api: { next: [{ fail: 402, count: 1_000, path: `/v1/checkout/sessions/${cursed}`, method: "GET" }] },
  });
  await pay(stage, [cursed, ...others]);
  stage.advance(day);
  const before = await eventCursor(stage.ctx);
  expect(await reconcilePayments(stage.ctx, stage.shop.checkout)).toMatchObject({
    finished: true,
    failed: 1,
  });
  expect(await stage.count("licences")).toBe(5);
  expect((await eventCursor(stage.ctx))?.after).not.toBe(before?.after ?? "");
  expect(await sinceLastReconcile(stage.ctx)).toBeLessThan(minute);
  await eventually(async () => {
    stage.advance(15 * minute);
    stage.shop.worker.wake();
    return ((await jobOf(stage.ctx, shopTopics.settleAgain, cursed))?.attempts ?? 0) >= stuckAfterFailures;
  });
  await stage.shop.periodicJobs.run();
  await eventually(
    () => stage.lines.filter((line) => line.includes("staff notice") && line.includes("stuck")).length === 1,
  );
  await stage.atStripe("faults", { api: { next: [] } });
  await eventually(async () => {
    stage.advance(15 * minute);
    stage.shop.worker.wake();
    return (await stage.count("licences")) === 6;
  });
});

test("an event whose payment Stripe doesn't return is answered 200, and checked later without another event", async () => {
  await using stage = await openStage();
  const [session = ""] = await opened(stage, 1);
  await stage.atStripe("refuse", { path: `/v1/checkout/sessions/${session}`, as: "permission" });
  await pay(stage, [session]);
  await stage.stripe.flush();
  expect([await stage.count("licences"), await jobOf(stage.ctx, shopTopics.settleAgain, session)]).toEqual([
    0,
    expect.objectContaining({}),
  ]);
  stage.stripe.setWebhookUrl(null);
  await stage.atStripe("refuse", { path: `/v1/checkout/sessions/${session}`, as: null });
  stage.advance(minute);
  await stage.shop.worker.drain();
  expect(await stage.count("licences")).toBe(1);
});
