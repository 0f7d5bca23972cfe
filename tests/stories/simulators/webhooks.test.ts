import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { minute } from "@/contract/vocabulary/time";
import { newSecret, signatureHeaders } from "@/domain/webhooks/signature";
import { startWebhookSimulator, type WebhookSimulator } from "@/simulators/webhooks/simulator";

const secret = newSecret();
const event = (sequence: number) => ({
  type: "order.paid",
  timestamp: "2026-03-01T10:00:00.000Z",
  data: { order: `<b>ord_${sequence}</b>`, sequence },
});

let simulator: WebhookSimulator;
beforeEach(async () => {
  simulator = await startWebhookSimulator();
});
afterEach(() => simulator.stop());

type Sending = { secrets?: string[]; timestamp?: Date; body?: string };

async function send(id: string, one: object, { secrets = [secret], timestamp, body }: Sending = {}) {
  const text = JSON.stringify(one);
  const headers = signatureHeaders({ id, timestamp: timestamp ?? new Date(), body: text, secrets });
  const answer = await fetch(simulator.endpointUrl, { method: "POST", headers, body: body ?? text });
  await answer.text();
  return answer.status;
}

async function act(name: string, given: object): Promise<Response> {
  return fetch(`${simulator.url}/_control/${name}`, { method: "POST", body: JSON.stringify(given) });
}

const page = async () => (await fetch(simulator.url)).text();

test("says of each request whether it verified, and why not", async () => {
  await send("evt_early", event(1));
  expect((await act("secret", { secret })).status).toBe(200);
  await send("evt_good", event(2));
  await send("evt_rotating", event(3), { secrets: [newSecret(), secret] });
  await send("evt_forged", event(4), { body: JSON.stringify(event(5)) });
  await send("evt_old", event(6), { timestamp: new Date(Date.now() - 6 * minute) });
  const unsigned = await fetch(simulator.endpointUrl, { method: "POST", body: "no JSON" });
  expect(unsigned.status).toBe(401);
  const seen = simulator.received().map(({ webhookId, problem, answered }) => [webhookId, problem, answered]);
  expect(seen).toEqual([
    [null, "Missing required headers", "401"],
    ["evt_old", "Message timestamp too old", "401"],
    ["evt_forged", "No matching signature found", "401"],
    ["evt_rotating", null, "204"],
    ["evt_good", null, "204"],
    ["evt_early", "No secret is known yet", "401"],
  ]);
  const report = await (await fetch(`${simulator.url}/_control/received`)).json();
  expect(report).toEqual({ received: simulator.received() });
});

test("shows each request with type, sequence and body, and marks repeated ones", async () => {
  await act("secret", { secret });
  await send("evt_1", event(17));
  await send("evt_1", event(17));
  const shown = await page();
  expect(shown).toContain("order.paid");
  expect(shown).toContain("sequence 17");
  expect(shown).toContain("&lt;b&gt;ord_17&lt;/b&gt;");
  expect(shown).not.toContain("<b>ord_17");
  expect(shown.match(/>\s*verified/g)).toHaveLength(2);
  expect(shown.match(/sent again/g)).toHaveLength(1);
  expect(simulator.received().map(({ repeat }) => repeat)).toEqual([1, 0]);
  await act("clear", {});
  expect(simulator.received()).toEqual([]);
});

test("keeps its secrets and the newest 200 requests over a restart", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "latchkey-receiver-"));
  await simulator.stop();
  try {
    simulator = await startWebhookSimulator({ dataDir });
    await act("secret", { secret });
    for (let n = 1; n <= 201; n++) await send(`evt_${n}`, event(n));
    await simulator.stop();
    simulator = await startWebhookSimulator({ dataDir });
    expect(simulator.received()).toHaveLength(200);
    expect(simulator.received()[0]).toMatchObject({ webhookId: "evt_201", problem: null });
    await send("evt_202", event(202));
    expect(simulator.received()[0]).toMatchObject({ webhookId: "evt_202", problem: null });
    expect(simulator.received()[199]).toMatchObject({ webhookId: "evt_3" });
  } finally {
    await rm(dataDir, { recursive: true });
  }
});

test("the buttons of its page run the same actions", async () => {
  const press = async (name: string, fields: Record<string, string>) => {
    const form = new FormData();
    for (const [field, value] of Object.entries(fields)) form.append(field, value);
    return fetch(`${simulator.url}/_do/${name}`, { method: "POST", body: form, redirect: "manual" });
  };
  expect((await press("secret", { secret: ` ${secret} ` })).status).toBe(303);
  expect((await press("answer", { given: JSON.stringify({ mode: "gone" }) })).status).toBe(303);
  expect(await send("evt_1", event(1))).toBe(410);
  expect(await page()).toContain(`"&quot;gone&quot;" selected`);
  const wrong = await press("secret", { secret: "hello" });
  expect(await (await fetch(new URL(wrong.headers.get("location") ?? "", simulator.url))).text()).toContain(
    "A field is not filled in right.",
  );
});
