import { expect, test } from "bun:test";
import { addOffer } from "@/domain/offers/change";
import { operator } from "@/core/base/actor";
import { deliver, eventsOf } from "../../crash/events";
import { operate, operated, operateWith, settingsOf } from "../../support/operator/run-operator";
import { openStage, type Stage } from "../../support/shop/stage";

const why = ["--reason", "a story"];
const version = "2026-10-28.endive";

type Listed = { id: string; enabled_events: string[]; api_version: string | null };
async function atStripe({ stripe: { url, secretKey } }: Stage): Promise<Listed[]> {
  const headers = { authorization: `Bearer ${secretKey}` };
  const answer = await fetch(`${url}/v1/webhook_endpoints`, { headers });
  return ((await answer.json()) as { data: Listed[] }).data;
}

async function runDoctor(stage: Stage, more: Record<string, string> = {}) {
  const { out } = await operateWith({ ...settingsOf(stage), ...more }, "doctor", "--json");
  const all: { what: string; state: string; sentence: string }[] = JSON.parse(out);
  return all.filter(({ what }) => what === "webhooks");
}

test("the doctor adds the events that the endpoint lacks, and leaves those that it has", async () => {
  await using stage = await openStage();
  const url = stage.webhookUrl();
  const endpoints = [{ url, enabled_events: ["checkout.session.completed", "payout.paid"] }];
  await stage.atStripe("webhooks/endpoints", { endpoints });
  expect(await runDoctor(stage)).toMatchObject([
    { state: "well", sentence: expect.stringMatching(/did not send .*refund\.failed.*: it does now/) },
  ]);
  const [now] = await atStripe(stage);
  expect(now?.enabled_events).toContainValues(["payout.paid", "checkout.session.completed", "refund.failed"]);
  expect(now?.enabled_events).not.toContain("invoice.paid");
  expect(await runDoctor(stage)).toMatchObject([{ state: "well", sentence: `Stripe sends them to ${url}.` }]);
  const month = { id: "month", name: "A month", amount: 300, days: null, every: "month" as const };
  await addOffer(stage.ctx, { ...month, trialDays: null }, { actor: operator, reason: "a story" });
  expect(await runDoctor(stage)).toMatchObject([
    { state: "well", sentence: expect.stringContaining("invoice.paid") },
  ]);
  expect((await atStripe(stage))[0]?.enabled_events).toContain("customer.subscription.updated");
});

test("the doctor names missing events where the key may not add them", async () => {
  await using stage = await openStage();
  const endpoints = [{ url: stage.webhookUrl(), enabled_events: ["checkout.session.completed"] }];
  await stage.atStripe("webhooks/endpoints", { endpoints });
  await stage.atStripe("keys", { key: "rk_test_narrow", lacks: ["webhook_write"] });
  expect(await runDoctor(stage, { STRIPE_SECRET_KEY: "rk_test_narrow" })).toMatchObject([
    {
      state: "warning",
      sentence: expect.stringMatching(/does not send .*refund\.failed.*rak_webhook_write/),
    },
  ]);
  expect(await atStripe(stage)).toMatchObject(endpoints);
});

test("the doctor says that an endpoint has another version, and changes nothing", async () => {
  await using stage = await openStage();
  const url = stage.webhookUrl();
  const endpoints = [{ url, api_version: "2019-05-16" }];
  await stage.atStripe("webhooks/endpoints", { endpoints });
  expect(await runDoctor(stage)).toMatchObject([
    { state: "warning", sentence: expect.stringMatching(/2019-05-16.*shop stripe endpoint --new/) },
  ]);
  expect(await atStripe(stage)).toMatchObject(endpoints);
  // the account's own version, whichever that is
  await stage.atStripe("webhooks/endpoints", { endpoints: [{ url, api_version: null }] });
  expect(await runDoctor(stage)).toMatchObject([{ state: "well" }]);
});

test("the doctor says that no webhook is taken before there is a secret", async () => {
  await using stage = await openStage({ webhooks: false });
  expect(await runDoctor(stage, { STRIPE_WEBHOOK_SECRET: "whsec_none" })).toContainEqual(
    expect.objectContaining({ state: "wrong", sentence: expect.stringContaining("run shop setup") }),
  );
});

test("a new endpoint has the shop's version and events, and both secrets are accepted from then on", async () => {
  await using stage = await openStage({ webhooks: false });
  const url = stage.webhookUrl();
  await stage.atStripe("webhooks/endpoints", { endpoints: [{ url, api_version: "2019-05-16" }] });
  await stage.atStripe("faults", { webhooks: { drop: "all" } });
  const paid = async () => {
    const opened = await stage.person().post("/api/stripe/create-checkout-session", { currency: "usd" });
    await stage.atStripe("pay", { session: opened.body.data.id, email: "buyer@example.com" });
    const events = await eventsOf(stage.stripe.url, stage.stripe.secretKey);
    return events.findLast(({ type }) => type === "checkout.session.completed")!;
  };
  expect((await operate(stage, "stripe", "endpoint", "--new")).code).toBe(2);
  const made = await operated(stage, "stripe", "endpoint", "--new", ...why);
  expect(made.secret).toMatch(/^whsec_\w{10,}$/);
  const [, own] = await atStripe(stage);
  expect(own).toMatchObject({ id: made.endpoint, api_version: version });
  expect(own?.enabled_events).toContain("refund.failed");
  for (const secret of [made.secret, stage.stripe.webhookSecret])
    expect(await deliver(await paid(), url, secret)).toBe(200);
  expect(await deliver(await paid(), url, "whsec_of_nobody")).toBe(400);
  const { rows } = await stage.ctx.store.client.execute("SELECT state FROM payments ORDER BY id");
  expect(rows.map(({ state }) => state)).toEqual(["succeeded", "succeeded", "open"]);
  const stored = await stage.ctx.store.client.execute("SELECT * FROM stripe_endpoints");
  expect(JSON.stringify(stored.rows)).not.toContain(made.secret);
  const log = await stage.ctx.store.client.execute("SELECT * FROM audit_log WHERE action LIKE 'stripe.%'");
  expect(log.rows).toMatchObject([{ action: "stripe.endpoint_made", reason: "a story" }]);
  expect(JSON.stringify(log.rows)).not.toContain(made.secret);
  expect(stage.lines.join("\n")).not.toContain(made.secret);
});

test("the command shows the endpoints of the shop's address, and forgets the secrets of those that are gone", async () => {
  await using stage = await openStage({ webhooks: false });
  const url = stage.webhookUrl();
  expect((await operate(stage, "stripe", "endpoint")).out).toContain(`no endpoint with the address ${url}`);
  const first = await operated(stage, "stripe", "endpoint", "--new", ...why);
  const listed = await operated(stage, "stripe", "endpoint");
  expect(listed).toMatchObject([{ id: first.endpoint, enabled: true, lacks: [], version }]);
  expect((await operate(stage, "stripe", "endpoint")).out).not.toContain(first.secret);
  await stage.atStripe("webhooks/endpoints", { endpoints: [] });
  const second = await operated(stage, "stripe", "endpoint", "--new", ...why);
  const { rows } = await stage.ctx.store.client.execute("SELECT id FROM stripe_endpoints");
  expect(rows).toMatchObject([{ id: second.endpoint }]);
});

test("a copy of the shop makes no endpoint", async () => {
  await using stage = await openStage({ webhooks: false });
  await stage.ctx.store.client.execute(
    `INSERT INTO installation (name, value) VALUES ('restored_copy', '{"made":"2026-01-01T00:00:00Z","at":"2026-01-01T00:00:00Z"}')`,
  );
  const refused = await operate(stage, "stripe", "endpoint", "--new", ...why);
  expect(refused.code).toBe(1);
  expect(await atStripe(stage)).toEqual([]);
});
