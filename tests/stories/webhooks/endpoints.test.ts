import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { hour, minute } from "@/contract/vocabulary/time";
import type { WebhookType } from "@/contract/wire/webhooks";
import { operator } from "@/core/base/actor";
import { auditTrail } from "@/core/database/audit";
import { commit } from "@/core/database/commit";
import { newId } from "@/core/database/context";
import { copyFact } from "@/core/database/restored-copy";
import { keyValues } from "@/core/database/schema";
import {
  type DeliveryState,
  webhookDeliveries,
  webhookEndpoints,
  webhookEvents,
} from "@/domain/schema/webhooks";
import { addEndpoint, enableEndpoint, removeEndpoint, rotateSecret } from "@/domain/webhooks/change-endpoint";
import { listEndpoints } from "@/domain/webhooks/endpoints";
import { replay, replaySince } from "@/domain/webhooks/replay";
import { webhookBodyContext, webhookSecretContext } from "@/domain/webhooks/sealing";
import { operate, operated } from "../../support/operator/run-operator";
import { openStage, type Stage } from "../../support/shop/stage";

const why = ["--reason", "a story"];
const by = { actor: operator, reason: "a story" };
const url = "https://receiver.example.com/hooks/token-of-the-path";
const webhooks = (stage: Stage, ...args: string[]) => operated(stage, "webhooks", ...args);
const refusalOf = async (stage: Stage, ...args: string[]) => {
  const { out, err, code } = await operate(stage, "webhooks", ...args, ...why, "--json");
  expect({ code, out }).toEqual({ code: 1, out: "" });
  return JSON.parse(err).error as { code: string; sentence: string };
};
const row = async ({ ctx }: Stage, id: string) => {
  const [found] = await ctx.store.db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, id));
  if (!found) throw new Error("no such endpoint");
  return found;
};
const add = async ({ ctx }: Stage, at = url, types: string[] | null = null) =>
  (await addEndpoint(ctx, { url: at, types, allowPrivate: false }, by)).endpoint.id;

/** As the reader of the log makes them. */
async function keepEvent({ ctx }: Stage, at: Date, type: WebhookType = "order.paid") {
  const id = `evt_${newId()}`;
  const bodySealed = ctx.secrets.seal(JSON.stringify({ type, data: { order: id } }), webhookBodyContext(id));
  await commit(ctx.store, [
    ctx.store.db.insert(webhookEvents).values({ id, sequence: at.getTime(), type, at, bodySealed }),
  ]);
  return id;
}
async function keepDelivery(
  { ctx }: Stage,
  { event, endpoint, state }: { event: string; endpoint: string; state: DeliveryState },
) {
  const id = `dlv_${newId()}`;
  const now = ctx.now();
  const row = { id, eventId: event, endpointId: endpoint, state, createdAt: now, dueAt: now };
  await commit(ctx.store, [ctx.store.db.insert(webhookDeliveries).values(row)]);
  return id;
}
const deliveriesTo = ({ ctx }: Stage, endpoint: string) =>
  ctx.store.db.select().from(webhookDeliveries).where(eq(webhookDeliveries.endpointId, endpoint));
const disable = ({ ctx }: Stage, id: string) =>
  ctx.store.db
    .update(webhookEndpoints)
    .set({ disabledAt: ctx.now(), disabledWhy: "its receiver answered 410 Gone", failingSince: ctx.now() })
    .where(eq(webhookEndpoints.id, id));
const logged = async ({ ctx }: Stage) =>
  (await auditTrail(ctx, { action: "webhook", limit: 100 })).map(({ action, detail }) => [action, detail]);

test("an endpoint is added with its types, and its secret is shown once and stored sealed", async () => {
  await using stage = await openStage();
  const added = await webhooks(stage, "add", url, "--events", "license.ended,order.paid,order.paid", ...why);
  expect(added).toMatchObject({ url, types: ["order.paid", "license.ended"], disabledAt: null });
  expect(added.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const stored = await row(stage, added.id);
  expect(JSON.stringify(stored)).not.toContain(added.secret);
  expect(stage.ctx.secrets.open(stored.secretSealed, webhookSecretContext(added.id))).toBe(added.secret);
  const shown = [
    await operate(stage, "webhooks", "list"),
    await operate(stage, "webhooks", "list", "--json"),
    await operate(stage, "webhooks", "show", added.id),
    await operate(stage, "webhooks", "show", added.id, "--json"),
  ];
  for (const { out, code } of shown) {
    expect(code).toBe(0);
    expect(out).toContain(url);
    expect(out).not.toContain("whsec_");
    expect(out).not.toContain(stored.secretSealed);
  }
  const detail = { origin: "https://receiver.example.com", types: ["order.paid", "license.ended"] };
  expect(await logged(stage)).toEqual([["webhook.added", detail]]);
});

test("for people, add and rotate print the secret with a word that it is not shown again", async () => {
  await using stage = await openStage();
  const { out } = await operate(stage, "webhooks", "add", url, ...why);
  expect(out).toContain(`${url} hears of everything`);
  expect(out).toMatch(/not shown again: whsec_/);
  const [one] = await webhooks(stage, "list");
  expect((await operate(stage, "webhooks", "rotate", one.id, ...why)).out).toMatch(
    /whsec_.+=\nThe former one signs as well until .+ UTC\.$/m,
  );
  expect((await operate(stage, "webhooks", "rotate", one.id, ...why)).out).toMatch(
    /^The one before that, which would have signed until .+ UTC, signs no longer\.$/m,
  );
  const now = await operate(stage, "webhooks", "rotate", one.id, "--now", ...why);
  expect(now.out).toContain("The former one signs no longer.");
});

test("a URL that webhooks aren't sent to is refused with a sentence", async () => {
  await using stage = await openStage();
  const id = await add(stage);
  for (const [typed, sentence] of [
    ["http://receiver.example.com/", "must begin with https://"],
    ["https://0x7f.1/", "not on the public internet"],
    ["https://user:secret@receiver.example.com/", "can't contain"],
    ["receiver", "not a URL"],
  ] as const) {
    const refusal = await refusalOf(stage, "add", typed);
    expect([typed, refusal]).toMatchObject([typed, { code: "webhook_url_refused" }]);
    expect(refusal.sentence).toContain(sentence);
    expect((await refusalOf(stage, "change", id, "--url", typed)).code).toBe("webhook_url_refused");
  }
  expect((await row(stage, id)).url).toBe(url);
});

test("types that don't exist are refused by name, and so is the type of a test", async () => {
  await using stage = await openStage();
  for (const [typed, named] of [
    ["order.paid,order.payed", "no event order.payed to"],
    ["webhook.test", "no event webhook.test to"],
    ["", "no event  to"],
  ] as const) {
    const refusal = await refusalOf(stage, "add", url, "--events", typed);
    expect(refusal.code).toBe("webhook_type_unknown");
    expect(refusal.sentence).toContain(named);
    expect(refusal.sentence).toContain("order.paid, order.refunded");
  }
  expect(await webhooks(stage, "list")).toEqual([]);
});

test("a URL has one endpoint, however it is spelled, until that is removed", async () => {
  await using stage = await openStage();
  const id = await add(stage, "https://Receiver.example.com:443/a");
  expect((await refusalOf(stage, "add", "https://receiver.EXAMPLE.com/a")).code).toBe("webhook_exists");
  const other = await add(stage, "https://receiver.example.com/b");
  expect((await refusalOf(stage, "change", other, "--url", "https://receiver.example.com/a")).code).toBe(
    "webhook_exists",
  );
  await webhooks(stage, "remove", id, ...why);
  await add(stage, "https://receiver.example.com/a");
});

test("there are at most fifty endpoints, however many are added at once", async () => {
  await using stage = await openStage();
  const added = await Promise.allSettled(
    Array.from({ length: 70 }, (_, at) => add(stage, `https://receiver.example.com/${at}`)),
  );
  const failed = added.flatMap((one) => (one.status === "rejected" ? [one.reason.code] : []));
  expect(failed).toEqual(Array.from({ length: 20 }, () => "webhook_limit"));
  const all = await listEndpoints(stage.ctx, operator);
  expect(all).toHaveLength(50);
  expect((await refusalOf(stage, "add", url)).code).toBe("webhook_limit");
  // a removed one makes room at once
  await removeEndpoint(stage.ctx, all[0]?.id ?? "", by);
  await add(stage);
});

test("the same URL added twice at once is added once", async () => {
  await using stage = await openStage();
  const added = await Promise.allSettled([add(stage), add(stage), add(stage)]);
  expect(added.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("an endpoint's URL and types are changed separately, and the log has both values, URLs without the path", async () => {
  await using stage = await openStage();
  const id = await add(stage, url, ["order.paid"]);
  const before = await row(stage, id);
  await webhooks(stage, "change", id, "--events", "all", ...why);
  expect(await row(stage, id)).toEqual({ ...before, types: null, version: 1 });
  const elsewhere = "https://receiver.example.com/another-token";
  expect(await webhooks(stage, "change", id, "--url", elsewhere, ...why)).toMatchObject({ url: elsewhere });
  expect(await row(stage, id)).toEqual({ ...before, types: null, url: elsewhere, version: 2 });
  const origin = "https://receiver.example.com";
  const [second, first] = await logged(stage);
  expect(first).toEqual([
    "webhook.changed",
    { before: { origin, types: ["order.paid"] }, after: { origin, types: null }, url_changed: false },
  ]);
  expect(second?.[1]).toMatchObject({ url_changed: true });
  expect(JSON.stringify(await logged(stage))).not.toContain("token");
  const { code, err } = await operate(stage, "webhooks", "change", id, ...why);
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining("give --url or --events") });
});

test("a new URL resets the failures of an endpoint, and new types don't", async () => {
  await using stage = await openStage();
  const id = await add(stage);
  const since = new Date(stage.ctx.now().getTime() - 71 * hour);
  await stage.ctx.store.db.update(webhookEndpoints).set({ failingSince: since });
  await webhooks(stage, "change", id, "--events", "order.paid", ...why);
  await webhooks(stage, "change", id, "--url", url, ...why);
  expect((await row(stage, id)).failingSince).toEqual(since);
  await webhooks(stage, "change", id, "--url", "https://right.example.com/", ...why);
  expect((await row(stage, id)).failingSince).toBeNull();
});

test("commands about an endpoint that is not there, or was removed, refuse", async () => {
  await using stage = await openStage();
  const id = await add(stage);
  await webhooks(stage, "remove", id, ...why);
  for (const gone of [id, newId()]) {
    for (const args of [
      ["change", gone, "--events", "all"],
      ["enable", gone],
      ["test", gone],
      ["rotate", gone],
      ["remove", gone],
      ["replay", "--since", "2026-01-01", "--endpoint", gone],
    ]) {
      expect([args[0], (await refusalOf(stage, ...args)).code]).toEqual([args[0], "webhook_unknown"]);
    }
    expect(await operate(stage, "webhooks", "show", gone)).toMatchObject({ code: 1 });
    expect(await operate(stage, "webhooks", "deliveries", gone)).toMatchObject({ code: 1 });
  }
  expect(await webhooks(stage, "list")).toEqual([]);
});

test("after a rotation both secrets sign for 24 hours, after another one still two, and with --now one", async () => {
  await using stage = await openStage();
  const first = await webhooks(stage, "add", url, ...why);
  const open = (sealed: string | null) =>
    sealed && stage.ctx.secrets.open(sealed, webhookSecretContext(first.id));
  const held = async () => {
    const { secretSealed, formerSecretSealed, formerSecretUntil } = await row(stage, first.id);
    const hours = formerSecretUntil && (formerSecretUntil.getTime() - Date.now()) / 3_600_000;
    return [open(secretSealed), open(formerSecretSealed), hours && Math.round(hours)];
  };
  const second = await webhooks(stage, "rotate", first.id, ...why);
  expect(await held()).toEqual([second.secret, first.secret, 24]);
  expect(second.ended).toBeNull();
  const { formerSecretUntil } = await row(stage, first.id);
  const third = await webhooks(stage, "rotate", first.id, ...why);
  expect(third.ended).toBe(formerSecretUntil?.toISOString());
  expect(await held()).toEqual([third.secret, second.secret, 24]);
  const fourth = await webhooks(stage, "rotate", first.id, "--now", ...why);
  expect(await held()).toEqual([fourth.secret, null, null]);
  expect(new Set([first, second, third, fourth].map(({ secret }) => secret)).size).toBe(4);
  expect(JSON.stringify(await logged(stage))).not.toContain("whsec");
});

test("of simultaneous rotations one is stored, and only its secret is shown", async () => {
  await using stage = await openStage();
  const { endpoint, secret: first } = await addEndpoint(
    stage.ctx,
    { url, types: null, allowPrivate: false },
    by,
  );
  const { id } = endpoint;
  const all = await Promise.allSettled(
    Array.from({ length: 10 }, () => rotateSecret(stage.ctx, { id, atOnce: false }, by)),
  );
  const done = all.flatMap((one) => (one.status === "fulfilled" ? [one.value.secret] : []));
  expect(done).toHaveLength(1);
  const { secretSealed, formerSecretSealed } = await row(stage, id);
  const opened = [secretSealed, formerSecretSealed ?? ""].map((sealed) =>
    stage.ctx.secrets.open(sealed, webhookSecretContext(id)),
  );
  expect(opened).toEqual([done[0] ?? "", first]);
});

test("enabling cancels waiting deliveries a page at a time, and resets the time of the first failure", async () => {
  await using stage = await openStage();
  const id = await add(stage);
  expect((await refusalOf(stage, "enable", id)).code).toBe("webhook_enabled");
  for (let at = 0; at < 450; at += 1) {
    const event = await keepEvent(stage, stage.ctx.now());
    await keepDelivery(stage, { event, endpoint: id, state: "waiting" });
  }
  const event = await keepEvent(stage, stage.ctx.now());
  const sent = await keepDelivery(stage, { event, endpoint: id, state: "delivered" });
  await disable(stage, id);
  const shown = (await operate(stage, "webhooks", "list")).out;
  expect(shown).toContain("its receiver answered 410 Gone");
  expect(await webhooks(stage, "enable", id, ...why)).toMatchObject({ disabledAt: null, failingSince: null });
  const states = (await deliveriesTo(stage, id)).map((one) => [one.id === sent, one.state].join(" "));
  expect(states.filter((one) => one === "false cancelled")).toHaveLength(450);
  expect(states.filter((one) => one === "true delivered")).toHaveLength(1);
  expect((await logged(stage))[0]?.[0]).toBe("webhook.enabled");
});

test("an endpoint that is removed while it is being enabled, or enabled twice at once, ends in one of these states", async () => {
  await using stage = await openStage();
  const id = await add(stage);
  await disable(stage, id);
  const twice = await Promise.allSettled([
    enableEndpoint(stage.ctx, id, by),
    enableEndpoint(stage.ctx, id, by),
  ]);
  expect(twice.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await disable(stage, id);
  await Promise.allSettled([enableEndpoint(stage.ctx, id, by), removeEndpoint(stage.ctx, id, by)]);
  const { removedAt } = await row(stage, id);
  const actions = (await logged(stage)).map(([action]) => action);
  expect(actions.includes("webhook.removed")).toBe(removedAt !== null);
});

test("a test is an entry of the log; a disabled endpoint is not tested", async () => {
  await using stage = await openStage();
  const id = await add(stage, url, ["order.paid"]);
  await webhooks(stage, "test", id, ...why);
  const [entry] = await auditTrail(stage.ctx, { action: "webhook.tested", limit: 1 });
  expect(entry).toMatchObject({ subject: id, actorKind: "operator", reason: "a story" });
  await disable(stage, id);
  expect((await refusalOf(stage, "test", id)).code).toBe("webhook_disabled");
});

test("deliveries are listed newest first, by endpoint and state, however many of another state lie between", async () => {
  await using stage = await openStage();
  const [one, two] = [await add(stage), await add(stage, "https://other.example.com/")];
  const event = await keepEvent(stage, stage.ctx.now());
  const old = await keepDelivery(stage, { event, endpoint: one, state: "failed" });
  const others = [];
  for (let at = 0; at < 1_100; at += 1)
    others.push(await keepDelivery(stage, { event, endpoint: at < 3 ? two : one, state: "delivered" }));
  const ids = async (...args: string[]) =>
    (await webhooks(stage, "deliveries", ...args)).map(({ id }: { id: string }) => id);
  expect(await ids()).toEqual(others.toReversed().slice(0, 50));
  expect(await ids(two)).toEqual(others.slice(0, 3).toReversed());
  expect(await ids("--state", "failed")).toEqual([old]);
  expect(await ids(one, "--state", "failed")).toEqual([old]);
  expect(await ids(two, "--state", "failed")).toEqual([]);
  expect(await ids("--limit", "1101")).toEqual([...others.toReversed(), old]);
  const [row] = await webhooks(stage, "deliveries", "--limit", "1");
  expect(row).toMatchObject({ type: "order.paid", eventId: event, state: "delivered", attempts: 0 });
  expect(JSON.stringify(row)).not.toContain("ealed");
  const shown = await webhooks(stage, "show", one);
  expect(shown.recent).toEqual({ counted: 500, waiting: 0, delivered: 500, failed: 0, cancelled: 0 });
});

test("a delivery is shown with its body and answer, which no list has", async () => {
  await using stage = await openStage();
  const id = await add(stage);
  const event = await keepEvent(stage, stage.ctx.now());
  const delivery = await keepDelivery(stage, { event, endpoint: id, state: "failed" });
  const { db } = stage.ctx.store;
  const answerSealed = stage.ctx.secrets.seal("no such order", `webhook-answer:${delivery}`);
  await db
    .update(webhookDeliveries)
    .set({ status: 404, failure: "status", milliseconds: 12, answerSealed })
    .where(eq(webhookDeliveries.id, delivery));
  expect(await webhooks(stage, "show", delivery)).toMatchObject({
    body: JSON.stringify({ type: "order.paid", data: { order: event } }),
    answer: "no such order",
    status: 404,
  });
  const { out } = await operate(stage, "webhooks", "show", delivery);
  expect(out).toContain("404 in 12 ms");
  expect(out).toContain("no such order");
  const listed = await operate(stage, "webhooks", "deliveries");
  expect(listed.out).toContain("404 in 12 ms");
  expect(listed.out).not.toContain("no such order");
  expect((await operate(stage, "webhooks", "show", `dlv_${newId()}`)).code).toBe(1);
});

test("a delivery is replayed to its endpoint, and an event to all that subscribe to it, as the same event", async () => {
  await using stage = await openStage();
  const all = await add(stage);
  const paid = await add(stage, "https://paid.example.com/", ["order.paid"]);
  const tickets = await add(stage, "https://tickets.example.com/", ["ticket.opened"]);
  const event = await keepEvent(stage, stage.ctx.now());
  // the types of an endpoint may have changed since
  const delivery = await keepDelivery(stage, { event, endpoint: tickets, state: "failed" });
  expect(await webhooks(stage, "replay", delivery, ...why)).toEqual({
    events: 1,
    deliveries: 1,
    alreadyWaiting: 0,
    disabled: [],
  });
  expect((await deliveriesTo(stage, tickets)).map(({ state }) => state).toSorted()).toEqual([
    "failed",
    "waiting",
  ]);
  // what waits is sent once
  expect(await webhooks(stage, "replay", delivery, ...why)).toMatchObject({
    deliveries: 0,
    alreadyWaiting: 1,
  });
  expect(await webhooks(stage, "replay", event, ...why)).toMatchObject({ deliveries: 2 });
  for (const id of [all, paid]) {
    expect(await deliveriesTo(stage, id)).toEqual([
      expect.objectContaining({ eventId: event, state: "waiting" }),
    ]);
  }
  const entries = await auditTrail(stage.ctx, { about: event, limit: 5 });
  expect(entries.map(({ detail }) => detail)).toEqual([
    { delivery: null, endpoint: null },
    { delivery, endpoint: tickets },
    { delivery, endpoint: tickets },
  ]);
  for (const unknown of ["dlv_nothing", "evt_nothing", "nothing"]) {
    expect((await refusalOf(stage, "replay", unknown)).code).toBe("webhook_event_unknown");
  }
});

test("a replay makes a delivery that waits for its next try due at once", async () => {
  await using stage = await openStage();
  const [one, two] = [await add(stage), await add(stage, "https://other.example.com/")];
  const event = await keepEvent(stage, stage.ctx.now());
  const later = new Date(stage.ctx.now().getTime() + 20 * hour);
  for (const endpoint of [one, two]) await keepDelivery(stage, { event, endpoint, state: "waiting" });
  await stage.ctx.store.db.update(webhookDeliveries).set({ dueAt: later, attempts: 8 });
  // as the shop writes its own times
  const args = ["replay", "--since", new Date(0).toISOString(), "--endpoint", one, ...why];
  expect(await webhooks(stage, ...args)).toMatchObject({ deliveries: 0, alreadyWaiting: 1 });
  const [hurried] = await deliveriesTo(stage, one);
  expect(hurried?.state).toBe("waiting");
  // it may have been tried since
  if (hurried?.attempts === 8) expect(hurried.dueAt.getTime()).toBeLessThan(Date.now() + minute);
  expect((await deliveriesTo(stage, two))[0]?.dueAt).toEqual(later);
});

test("a test is replayed to its own endpoint alone, and a delivery to no other", async () => {
  await using stage = await openStage();
  const [one, two] = [await add(stage), await add(stage, "https://other.example.com/")];
  const event = await keepEvent(stage, stage.ctx.now(), "webhook.test");
  const delivery = await keepDelivery(stage, { event, endpoint: one, state: "delivered" });
  await webhooks(stage, "replay", event, ...why);
  expect(await deliveriesTo(stage, one)).toHaveLength(2);
  expect((await refusalOf(stage, "replay", event, "--endpoint", two)).code).toBe("webhook_event_unknown");
  const { code, err } = await operate(stage, "webhooks", "replay", delivery, "--endpoint", two, ...why);
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining("--endpoint") });
  expect(await deliveriesTo(stage, two)).toEqual([]);
});

test("a replay leaves disabled endpoints out and names them, and refuses one that is meant alone", async () => {
  await using stage = await openStage();
  const [on, off] = [await add(stage), await add(stage, "https://off.example.com/")];
  const elsewhere = await add(stage, "https://tickets.example.com/", ["ticket.opened"]);
  const event = await keepEvent(stage, stage.ctx.now());
  const delivery = await keepDelivery(stage, { event, endpoint: off, state: "failed" });
  for (const id of [off, elsewhere]) await disable(stage, id);
  const expected = { deliveries: 1, disabled: [off] };
  expect(await webhooks(stage, "replay", event, ...why)).toMatchObject(expected);
  await stage.ctx.store.db.delete(webhookDeliveries).where(eq(webhookDeliveries.endpointId, on));
  const since = await webhooks(stage, "replay", "--since", "2020-01-01", ...why);
  expect(since).toMatchObject({ ...expected, events: 1 });
  expect((await refusalOf(stage, "replay", delivery)).code).toBe("webhook_disabled");
  expect((await refusalOf(stage, "replay", event, "--endpoint", off)).code).toBe("webhook_disabled");
});

test("a replay since a time sends each event since then to each subscribed endpoint, in small commits, and once while it waits", async () => {
  await using stage = await openStage();
  const { ctx } = stage;
  const all = await add(stage);
  const paid = await add(stage, "https://paid.example.com/", ["order.paid"]);
  const from = new Date("2026-01-31T12:00:00Z");
  const before = await keepEvent(stage, new Date(from.getTime() - 1));
  const made: string[] = [];
  // many at the same moment, as of an import
  for (let at = 0; at < 600; at += 1) {
    const when = new Date(from.getTime() + (at < 300 ? 0 : at));
    made.push(await keepEvent(stage, when, at % 2 === 0 ? "order.paid" : "ticket.opened"));
  }
  const pages: number[] = [];
  const done = await replaySince(ctx, { since: from, progress: (events) => pages.push(events) }, by);
  expect(done).toEqual({ events: 600, deliveries: 900, alreadyWaiting: 0, disabled: [] });
  expect(pages).toEqual([250, 500, 600]);
  expect((await deliveriesTo(stage, all)).map(({ eventId }) => eventId)).toEqual(made);
  expect((await deliveriesTo(stage, paid)).map(({ eventId }) => eventId)).toEqual(
    made.filter((_, at) => at % 2 === 0),
  );
  expect(made).not.toContain(before);
  const again = await webhooks(stage, "replay", "--since", "2026-01-31T12:00", ...why);
  expect(again).toEqual({ events: 600, deliveries: 0, alreadyWaiting: 900, disabled: [] });
  const [entry] = await auditTrail(ctx, { action: "webhooks.replayed", limit: 1 });
  expect(entry?.detail).toEqual({ since: from.toISOString(), endpoint: null });
  const { out } = await operate(stage, "webhooks", "replay", "--since", "2026-01-31T12:00", ...why);
  expect(out).toContain("0 deliveries of 600 events. 900 were waiting already, and are sent now.");
});

test("an endpoint that is removed, or an event that is forgotten, during a replay gets and leaves no delivery", async () => {
  await using stage = await openStage();
  const { ctx } = stage;
  const { db } = ctx.store;
  const [stays, goes] = [await add(stage), await add(stage, "https://goes.example.com/")];
  const since = ctx.now();
  const events: string[] = [];
  for (let at = 0; at < 400; at += 1) events.push(await keepEvent(stage, ctx.now()));
  let removing: Promise<void> | undefined;
  await replaySince(
    ctx,
    {
      since,
      progress: () => {
        removing ??= (async () => {
          await removeEndpoint(ctx, goes, by);
          await db.delete(webhookDeliveries).where(eq(webhookDeliveries.endpointId, goes));
          await db.delete(webhookEndpoints).where(eq(webhookEndpoints.id, goes));
          await db.delete(webhookEvents).where(eq(webhookEvents.id, events[399] ?? ""));
        })();
      },
    },
    by,
  );
  await removing;
  expect(await deliveriesTo(stage, goes)).toEqual([]);
  expect((await deliveriesTo(stage, stays)).length).toBeGreaterThanOrEqual(399);
});

test("two simultaneous replays send each event once to each endpoint", async () => {
  await using stage = await openStage();
  const id = await add(stage);
  const since = stage.ctx.now();
  const events: string[] = [];
  for (let at = 0; at < 300; at += 1) events.push(await keepEvent(stage, stage.ctx.now()));
  await Promise.all([
    replaySince(stage.ctx, { since }, by),
    replaySince(stage.ctx, { since }, by),
    ...events.slice(0, 5).map((event) => replay(stage.ctx, { id: event }, by)),
  ]);
  const sent = (await deliveriesTo(stage, id)).map(({ eventId }) => eventId);
  expect(sent.toSorted()).toEqual(events.toSorted());
});

test("a restored copy makes no secrets, which would not sign at the shop, and neither tests nor replays", async () => {
  await using stage = await openStage();
  const id = await add(stage);
  const event = await keepEvent(stage, stage.ctx.now());
  const value = JSON.stringify({ made: "2026-01-01T00:00:00Z", at: "2026-01-01T00:00:00Z" });
  await stage.ctx.store.db.insert(keyValues).values({ name: copyFact, value });
  for (const args of [
    ["add", "https://other.example.com/hook"],
    ["rotate", id],
    ["test", id],
    ["replay", event],
    ["replay", "--since", "2020-01-01"],
  ]) {
    expect((await refusalOf(stage, ...args)).code).toBe("copy");
  }
  await stage.ctx.store.db.delete(keyValues).where(eq(keyValues.name, copyFact));
});

test("the doctor names endpoints that take nothing or are disabled, and what to do", async () => {
  await using stage = await openStage();
  const doctor = async () => (await operate(stage, "doctor")).out;
  expect(await doctor()).not.toContain("webhooks out");
  await add(stage);
  expect(await doctor()).toContain("Every endpoint takes what is sent.");
  const { db } = stage.ctx.store;
  await db.update(webhookEndpoints).set({ failingSince: stage.ctx.now() });
  expect(await doctor()).toMatch(/has taken nothing since .+ UTC: run shop webhooks show ep_/);
  await db.update(webhookEndpoints).set({ disabledAt: stage.ctx.now(), disabledWhy: "a story" });
  expect(await doctor()).toMatch(/is disabled since .+ UTC: a story\. .+ shop webhooks enable ep_/);
});
