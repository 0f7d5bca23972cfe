import { expect, spyOn, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inSeconds, objectOf, startBilling } from "../../support/stripe/billing";

test("with the setting `unpaid`, a subscription stays after its last retry, and its next invoices stay drafts", async () => {
  await using billing = await startBilling();
  const { stripe } = billing;
  const { subscription: id } = await billing.bought();
  await billing.control("retries", { outcome: "unpaid" });
  await billing.control("card/mood", { subscription: id, mood: "declines" });
  billing.pass(28 + 15);
  expect((await billing.subscription(id)).status).toBe("unpaid");
  billing.pass(31);
  const [next] = await billing.invoices(id);
  expect(next).toMatchObject({ status: "draft", auto_advance: false, attempt_count: 0 });
  await billing.control("card/mood", { subscription: id, mood: "works" });
  expect((await stripe.invoices.pay(next!.id)).status as string).toBe("paid");
  expect((await billing.subscription(id)).status).toBe("active");
});

test("a first invoice unpaid for 23 hours ends the subscription", async () => {
  await using billing = await startBilling();
  const { subscription: id } = await billing.bought({}, { outcome: "processing" });
  await billing.control("alter/subscription", { subscription: id, status: "incomplete" });
  billing.pass(22 / 24);
  expect((await billing.subscription(id)).status).toBe("incomplete");
  billing.pass(1 / 24);
  const over = await billing.subscription(id);
  expect(over.status).toBe("incomplete_expired");
  expect(String(objectOf(over.latest_invoice).status)).toBe("void");
});

test("a simulator with a data folder catches up after a restart with what fell due while it was stopped", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "stripe-billing-"));
  const first = await startBilling({ dataDir });
  const { subscription: id } = await first.bought();
  await first.control("card/mood", { subscription: id, mood: "no_funds" });
  await first.simulator.stop();
  await using billing = await startBilling({ dataDir, at: Date.UTC(2026, 2, 1, 12) });
  const due = await billing.subscription(id);
  expect(due.status).toBe("past_due");
  expect(objectOf(due.latest_invoice)).toMatchObject({ status: "open", created: inSeconds("2026-02-28") });
  rmSync(dataDir, { recursive: true });
});

test("an error in one subscription is logged, and the API still answers", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "stripe-billing-"));
  const first = await startBilling({ dataDir });
  await first.bought();
  await first.simulator.stop();
  const journal = join(dataDir, "ledger.jsonl");
  writeFileSync(journal, readFileSync(journal, "utf8").replaceAll('"month"', '"fortnight"'));
  const logged = spyOn(console, "error").mockImplementation(() => {});
  await using billing = await startBilling({ dataDir, at: Date.UTC(2026, 2, 1, 12) });
  expect((await billing.stripe.prices.list()).data).toHaveLength(2);
  expect(String(logged.mock.calls)).toContain("fortnight");
  logged.mockRestore();
  rmSync(dataDir, { recursive: true });
});

test("the control page shows each subscription with what can happen to it", async () => {
  await using billing = await startBilling();
  const { subscription } = await billing.bought();
  const show = async () => (await fetch(billing.simulator.url)).text();
  expect(await show()).toContain("<button>Advance</button>");
  const press = (name: string, given: object) => {
    const body = new URLSearchParams({ given: JSON.stringify({ subscription, ...given }) });
    return fetch(`${billing.simulator.url}/_do/${name}`, { method: "POST", redirect: "manual", body });
  };
  await press("card/mood", { mood: "declines" });
  expect((await press("advance", { months: 1 })).status).toBe(303);
  await press("advance", { days: 1 });
  expect(await show()).toContain("past due");
  expect(await show()).toContain("Open the invoice");
});

test("a cancellation in the dashboard says why and gives up a planned change, and the page shows the year", async () => {
  await using billing = await startBilling();
  const { subscription } = await billing.bought();
  await billing.control("advance", { subscription, months: 12 });
  await billing.control("subscription/cancel", { subscription, at: "period_end" });
  expect(await billing.subscription(subscription)).toMatchObject({
    cancel_at: inSeconds("2027-02-28"),
    cancel_at_period_end: true,
    canceled_at: inSeconds("2027-01-31"),
    cancellation_details: { reason: "cancellation_requested" },
  });
  expect(await (await fetch(billing.simulator.url)).text()).toContain("ends 2027-02-28 12:00:00");
});
