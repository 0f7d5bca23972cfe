import { expect, spyOn, test } from "bun:test";
import type { Client } from "@libsql/client";
import { eq, sql } from "drizzle-orm";
import Database from "libsql";
import { day, hour, minute, second } from "@/contract/vocabulary/time";
import { eraseAsStaff } from "@/domain/privacy/erase";
import { accountNamed } from "@/domain/customers/find";
import { extendLicence } from "@/domain/licences/changes/change";
import { licenceNamed } from "@/domain/licences/keys/find";
import { handOutMany } from "@/domain/licences/keys/hand-out";
import { webhookBody, type WebhookType } from "@/contract/wire/webhooks";
import { operator } from "@/core/base/actor";
import { auditLog } from "@/core/database/schema";
import { createDeliverer } from "@/domain/webhooks/deliver";
import { enableEndpoint } from "@/domain/webhooks/change-endpoint";
import { readLog } from "@/domain/webhooks/read-log";
import type { WebhookRequest } from "@/domain/webhooks/sender";
import { createWebhookSender } from "@/gateways/webhooks/sender";
import { webhookDeliveries, webhookEndpoints, webhookEvents } from "@/domain/schema/webhooks";
import { webhookBodyContext } from "@/domain/webhooks/sealing";
import { deliverAll, startEndpoint } from "../../support/network/hooked";
import { eventually, openStage } from "../../support/shop/stage";
import { confirmation, prove } from "../accounts/people";

const env = { WEBHOOKS_ALLOW_PRIVATE: "true" };
const by = { actor: operator, reason: "a story" };

test("a purchase, its redemption and its refund are sent in order, each once, without a key in them", async () => {
  await using stage = await openStage({ env });
  await using shop = await startEndpoint(stage);
  const { key, sessionId } = await stage.buy("ada@example.com");
  await deliverAll(stage);
  expect(shop.types()).toEqual(["order.paid", "license.issued"]);
  const ada = stage.person();
  await ada.register(key, "ada");
  await deliverAll(stage);
  expect(shop.types().slice(2).toSorted()).toEqual(["account.created", "license.redeemed"]);
  const { token } = await confirmation(stage, "ada@example.com");
  expect((await ada.post("/api/user/email/confirm", { token })).status).toBe(200);
  await stage.atStripe("refund", { session: sessionId });
  await eventually(async () => (await deliverAll(stage).then(() => shop.types().slice(4))).length >= 2);
  expect(shop.types().slice(4)).toEqual(["order.refunded", "license.ended"]);
  await deliverAll(stage);
  expect(shop.arrived).toHaveLength(6);
  const sequences = shop.arrived.map(({ data }) => data.sequence);
  expect(sequences).toEqual(sequences.toSorted((one, other) => one - other));
  for (const { body, type, id } of shop.arrived) {
    webhookBody(type).strict().parse(JSON.parse(body));
    expect(body).not.toContain(key);
    expect(id).toMatch(/^evt_[0-9a-f]{32}$/);
  }
  expect(shop.arrived.at(-1)?.data).toMatchObject({
    state: "refunded",
    cause: "refunded",
    email: "ada@example.com",
    email_confirmed: true,
    account: (await accountNamed(stage.ctx, "ada")).id,
  });
  // a guest's, and one that was typed at the registration; the confirmation itself sends nothing
  const confirmed = shop.arrived.map(({ data }) => data["email_confirmed"]);
  expect(confirmed).toEqual([false, false, false, false, false, true]);
});

test("an endpoint receives the types it subscribed to, and nothing from before it was added", async () => {
  await using stage = await openStage({ env });
  await stage.buy();
  await using orders = await startEndpoint(stage, ["order.paid"]);
  stage.advance(minute);
  await stage.buy();
  await deliverAll(stage);
  expect(orders.types()).toEqual(["order.paid"]);
  stage.advance(minute);
  await using all = await startEndpoint(stage);
  await deliverAll(stage);
  expect(all.types()).toEqual([]);
});

test("a delivery that fails is tried at the planned times with the same id and body, and is given up after ten tries", async () => {
  await using stage = await openStage({ env });
  await using shop = await startEndpoint(stage, ["order.paid"]);
  shop.answer(new Response("not now", { status: 500 }));
  await stage.buy();
  await deliverAll(stage);
  const pauses = [5 * second, 5 * minute, 30 * minute, ...[2, 5, 10, 14, 20].map((hours) => hours * hour)];
  for (const [at, pause] of pauses.entries()) {
    expect(shop.arrived).toHaveLength(at + 1);
    stage.advance(pause * 0.75);
    await deliverAll(stage);
    expect(shop.arrived).toHaveLength(at + 1);
    stage.advance(pause * 0.5);
    await deliverAll(stage);
  }
  expect(shop.arrived).toHaveLength(9);
  expect(new Set(shop.arrived.map(({ id, body }) => id + body)).size).toBe(1);
  const [delivery] = await stage.ctx.store.db.select().from(webhookDeliveries);
  expect(delivery).toMatchObject({ state: "waiting", attempts: 9, status: 500, failure: "status" });
  const [endpoint] = await stage.ctx.store.db.select().from(webhookEndpoints);
  expect(endpoint?.disabledAt).toBeNull();
});

test("Retry-After lengthens a pause, to a day at most, and never shortens one", async () => {
  await using stage = await openStage({ env });
  await using shop = await startEndpoint(stage, ["order.paid"]);
  shop.answer(new Response(null, { status: 429, headers: { "retry-after": "600" } }));
  await stage.buy();
  await deliverAll(stage);
  stage.advance(9 * minute);
  await deliverAll(stage);
  expect(shop.arrived).toHaveLength(1);
  shop.answer(new Response(null, { status: 503, headers: { "retry-after": "99999999" } }));
  stage.advance(2 * minute);
  await deliverAll(stage);
  expect(shop.arrived).toHaveLength(2);
  shop.answer(new Response(null, { status: 200 }));
  stage.advance(day - minute);
  await deliverAll(stage);
  expect(shop.arrived).toHaveLength(2);
  stage.advance(2 * minute);
  await deliverAll(stage);
  expect(shop.arrived).toHaveLength(3);
});

test("an endpoint that answers 410 is disabled at once, staff are notified, and waiting deliveries are cancelled", async () => {
  await using stage = await openStage({ env });
  await using gone = await startEndpoint(stage);
  await using fine = await startEndpoint(stage);
  gone.answer(new Response(null, { status: 410 }));
  await stage.buy();
  await deliverAll(stage);
  await deliverAll(stage);
  await stage.buy();
  await deliverAll(stage);
  expect(fine.arrived).toHaveLength(4);
  expect(gone.arrived.length).toBeLessThanOrEqual(2);
  const states = await stage.ctx.store.db
    .select({ state: webhookDeliveries.state })
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.endpointId, gone.id));
  expect(new Set(states.map(({ state }) => state))).toEqual(new Set(["cancelled"]));
  expect(stage.lines.filter((line) => line.includes("its receiver answered 410 Gone"))).toHaveLength(1);
});

test("an endpoint whose tries have failed for three days is disabled, and one that succeeds in between is not", async () => {
  await using stage = await openStage({ env });
  await using shop = await startEndpoint(stage, ["order.paid"]);
  const disabled = async () => (await stage.ctx.store.db.select().from(webhookEndpoints))[0]?.disabledAt;
  shop.answer(new Response(null, { status: 302, headers: { location: "http://127.0.0.1:1/" } }));
  await stage.buy();
  await deliverAll(stage);
  stage.advance(40 * hour);
  shop.answer(new Response(null, { status: 200 }));
  await deliverAll(stage);
  expect(shop.arrived).toHaveLength(2);
  shop.answer(new Response(null, { status: 500 }));
  await stage.buy();
  await deliverAll(stage);
  stage.advance(71 * hour);
  await deliverAll(stage);
  expect(await disabled()).toBeNull();
  stage.advance(2 * hour);
  await deliverAll(stage);
  expect(await disabled()).not.toBeNull();
});

test("tries that fail together disable their endpoint once, and not one that staff changed meanwhile", async () => {
  await using stage = await openStage({ env });
  await using shop = await startEndpoint(stage, ["license.issued"]);
  const { db } = stage.ctx.store;
  const disabled = async () =>
    (await db.select().from(auditLog)).filter(({ action }) => action === "webhook.disabled").length;
  const issue = async (count: number) => {
    for await (const _ of handOutMany(stage.ctx, { count, days: 1 }, by));
    await deliverAll(stage);
  };
  shop.answer(new Response(null, { status: 500 }));
  await issue(10);
  stage.advance(73 * hour);
  await deliverAll(stage);
  expect(await disabled()).toBe(1);
  await deliverAll(stage);
  await enableEndpoint(stage.ctx, shop.id, by);
  shop.answer(async () => {
    await db.update(webhookEndpoints).set({ version: sql`version + 1` });
    return new Response(null, { status: 410 });
  });
  await issue(1);
  expect(await disabled()).toBe(1);
  expect((await db.select().from(webhookEndpoints))[0]?.disabledAt).toBeNull();
});

test("an endpoint that hangs gets four tries at a time, sixteen after successes, and delays no other", async () => {
  await using stage = await openStage({ env });
  await using slow = await startEndpoint(stage);
  await using quick = await startEndpoint(stage);
  const held: (() => void)[] = [];
  const hang = () => slow.answer(() => new Promise((done) => held.push(() => done(new Response(null)))));
  hang();
  for await (const _ of handOutMany(stage.ctx, { count: 20, days: 1 }, by));
  await stage.shop.webhooksOut?.run();
  await stage.shop.webhooksOut?.run();
  await eventually(() => quick.arrived.length === 20);
  expect(held).toHaveLength(4);
  slow.answer(new Response(null));
  for (const release of held.splice(0)) release();
  await stage.shop.webhooksOut?.idle();
  expect(slow.arrived).toHaveLength(20);
  hang();
  for await (const _ of handOutMany(stage.ctx, { count: 20, days: 1 }, by));
  await stage.shop.webhooksOut?.run();
  await eventually(() => quick.arrived.length === 40);
  await eventually(() => held.length === 16);
  await stage.shop.webhooksOut?.run();
  expect(held).toHaveLength(16);
  for (let released = 0; released < 20; released += 1) {
    await eventually(() => held.length > released);
    held[released]?.();
  }
  await stage.shop.webhooksOut?.idle();
  expect(slow.arrived).toHaveLength(40);
});

test("an erased account's personal data is neither sent in webhooks nor kept in deliveries", async () => {
  await using stage = await openStage({ env });
  await using shop = await startEndpoint(stage);
  shop.answer(new Response("ada@example.com", { status: 500 }));
  const { key } = await stage.buy("ada@example.com");
  await stage.person().register(key, "ada");
  await prove(stage, "ada");
  await deliverAll(stage);
  expect(shop.arrived.some(({ body }) => body.includes("ada@example.com"))).toBe(true);
  expect(shop.arrived.some(({ data }) => data["email_confirmed"])).toBe(true);
  await eraseAsStaff(stage.ctx, async () => stage.shop.checkout, await accountNamed(stage.ctx, "ada"), by);
  const before = shop.arrived.length;
  stage.advance(minute);
  await deliverAll(stage);
  // four at a time to an endpoint that fails
  await deliverAll(stage);
  expect(shop.arrived.length).toBeGreaterThan(before);
  const later = shop.arrived.slice(before).map(({ body }) => body);
  expect(later.filter(isPersonal)).toEqual([]);
  expect(shop.types()).toContain("account.deleted");
  await stage.shop.periodicJobs.run();
  const rows = await stage.ctx.store.db.select().from(webhookEvents);
  expect(rows.filter(({ emailKey, mustEmpty }) => emailKey || mustEmpty)).toEqual([]);
  stage.advance(hour);
  shop.answer(new Response(null));
  const last = shop.arrived.length;
  await deliverAll(stage);
  expect(shop.arrived.length).toBeGreaterThan(last);
  expect(shop.arrived.slice(last).filter(({ body }) => isPersonal(body))).toEqual([]);
});

const isPersonal = (body: string) => body.includes("ada@") || body.includes('"email_confirmed":true');

test("a licence's expiry is sent within a minute, and again at its new end if it is extended after that", async () => {
  await using stage = await openStage({ env });
  await stage.shop.periodicJobs.run();
  await using shop = await startEndpoint(stage, ["license.ended", "license.changed"] satisfies WebhookType[]);
  const key = await stage.handOut(30);
  const ada = stage.person();
  await ada.register(key, "ada");
  stage.advance(30 * day - minute);
  await stage.shop.periodicJobs.run();
  await deliverAll(stage);
  expect(shop.types()).toEqual([]);
  stage.advance(2 * minute);
  await stage.shop.periodicJobs.run();
  await stage.shop.periodicJobs.run();
  await deliverAll(stage);
  expect(shop.arrived.map(({ data }) => [data["cause"], data["state"]])).toEqual([["expired", "expired"]]);
  await extendLicence(stage.ctx, await licenceNamed(stage.ctx, key), 5, by);
  await deliverAll(stage);
  stage.advance(6 * day);
  await stage.shop.periodicJobs.run();
  await deliverAll(stage);
  expect(shop.arrived.slice(1).map(({ data }) => [data["cause"], data["state"]])).toEqual([
    ["extended", "active"],
    ["expired", "expired"],
  ]);
});

test("a quick receiver gets each webhook once; what ends together is stored in one commit, and the next are read by one query", async () => {
  await using stage = await openStage({ env });
  const { ctx } = stage;
  await stage.shop.webhooksOut?.stop();
  await using _ = await startEndpoint(stage, ["license.issued"]);
  const count = 200;
  for await (const _ of handOutMany(ctx, { count, days: 1 }, by));
  while (await readLog(ctx));
  const sent: string[] = [];
  const answered = { kind: "answered", status: 204, body: "", retryAfter: null, milliseconds: 1 } as const;
  const send = async ({ headers }: WebhookRequest) => {
    sent.push(headers["webhook-id"] ?? "");
    return answered;
  };
  const deliverer = createDeliverer(ctx, { send }, { observe() {} });
  const driver: Client = Object.getPrototypeOf(ctx.store.client);
  using execute = spyOn(driver, "execute");
  using exec = spyOn(Database.prototype, "exec");
  await deliverer.run(new AbortController().signal);
  await deliverer.idle();
  expect(new Set(sent).size).toBe(count);
  expect(sent).toHaveLength(count);
  expect(await ctx.store.db.$count(webhookDeliveries, eq(webhookDeliveries.state, "delivered"))).toBe(count);
  const reads = execute.mock.calls.filter(([read]) => JSON.stringify(read).includes("webhook_deliveries"));
  const commits = exec.mock.calls.filter(([sql]) => sql === "COMMIT");
  for (const { length } of [reads, commits]) {
    expect(length).toBeGreaterThan(count / 17);
    expect(length).toBeLessThan(count / 4);
  }
});

test("endpoints that fail share ten tries a run in turn, however much waits for them", async () => {
  await using stage = await openStage({ env });
  const { ctx } = stage;
  // the shop's own job would run in between
  await stage.shop.webhooksOut?.stop();
  const sender = createWebhookSender({ allowPrivate: true, now: ctx.now });
  const deliverer = createDeliverer(ctx, sender, { observe() {} });
  const run = async () => {
    while (await readLog(ctx));
    await deliverer.run(new AbortController().signal);
    await deliverer.idle();
  };
  const failing = await Promise.all(Array.from({ length: 15 }, () => startEndpoint(stage)));
  for (const endpoint of failing) endpoint.answer(new Response(null, { status: 500 }));
  await using fine = await startEndpoint(stage);
  const tried = () => failing.map(({ arrived }) => arrived.length);
  for await (const _ of handOutMany(ctx, { count: 2, days: 1 }, by));
  await run();
  expect(tried()).toEqual(failing.map(() => 2));
  for await (const _ of handOutMany(ctx, { count: 6, days: 1 }, by));
  await run();
  expect(tried().filter((count) => count === 3)).toHaveLength(10);
  await run();
  expect(Math.min(...tried())).toBe(3);
  expect(tried().reduce((sum, count) => sum + count)).toBe(30 + 20);
  expect(fine.arrived).toHaveLength(8);
  for (const endpoint of failing) await endpoint[Symbol.asyncDispose]();
});

test("the webhooks of an account that is erased are emptied in small commits, however many they are", async () => {
  await using stage = await openStage({ env });
  await using shop = await startEndpoint(stage);
  const { key } = await stage.buy("ada@example.com");
  await stage.person().register(key, "ada");
  await prove(stage, "ada");
  await deliverAll(stage);
  expect(shop.arrived).toHaveLength(4);
  const { store, secrets } = stage.ctx;
  const ada = await accountNamed(stage.ctx, "ada");
  const [event] = await store.db.select().from(webhookEvents);
  const many = Array.from({ length: 300 }, (_, at) => {
    const id = `evt_${at}`;
    const body = JSON.stringify({ type: "account.created", data: { email: "ada@example.com" } });
    return { ...event!, id, accountId: ada.id, bodySealed: secrets.seal(body, webhookBodyContext(id)) };
  });
  await store.db.insert(webhookEvents).values(many);
  const rowsOf: number[] = [];
  const { client } = store;
  const batch = async (...args: Parameters<typeof client.batch>) => {
    const results = await client.batch(...args);
    rowsOf.push(results.reduce((sum, { rowsAffected }) => sum + rowsAffected, 0));
    return results;
  };
  // the shop's own client reads its methods only once
  store.client = new Proxy(client, {
    get: (target, name) => (name === "batch" ? batch : (Reflect.get(target, name, target) as unknown)),
  });
  await eraseAsStaff(stage.ctx, async () => stage.shop.checkout, ada, by);
  expect(rowsOf.length).toBeGreaterThan(3);
  expect(Math.max(...rowsOf)).toBeLessThan(100);
  const rows = await store.db.select().from(webhookEvents);
  expect(rows.filter(({ accountId, emailKey, mustEmpty }) => accountId || emailKey || mustEmpty)).toEqual([]);
  for (const { id, bodySealed } of rows)
    expect(secrets.open(bodySealed, webhookBodyContext(id))).not.toContain("ada@");
});
