import { expect, test } from "bun:test";
import { checkout } from "../../support/people/buyer";
import { day, minute } from "@/contract/vocabulary/time";
import { noWebhookSecret } from "@/core/settings/config";
import { commit } from "@/core/database/commit";
import { enqueue } from "@/core/jobs/outbox";
import { botTopics } from "@/domain/outbox-topics";
import { deliver } from "../../crash/events";
import { operateWith, settingsOf } from "../../support/operator/run-operator";
import { eventually, openStage, type Stage } from "../../support/shop/stage";

const elevenMinutes = 11 * minute;
const nothing = { id: "evt_1", created: 1, type: "payout.paid", data: { object: { id: "po_1" } } };

/** A sale whose buyer returns, so that the result page settles it. */
async function sell(stage: Stage): Promise<void> {
  const buyer = stage.person();
  const opened = await buyer.post("/api/stripe/create-checkout-session", { currency: "usd" });
  const { id: session } = opened.body.data;
  await stage.atStripe("pay", { session, email: "ada@example.com" });
  const { body } = await buyer.get(`/api/stripe/verify-payment?session_id=${session}`);
  expect(body.status_message).toBe("Payment Verified");
}

/** Delivers an event, signed with this shop's secret or another. */
const arrives = (stage: Stage, secret: string) => deliver(nothing, stage.webhookUrl(), secret);

/** Advances the clock and has the shop check its webhooks. */
async function later(stage: Stage, milliseconds = elevenMinutes): Promise<void> {
  stage.advance(milliseconds);
  await stage.shop.periodicJobs.run();
}

/** The notices to staff about this, once none is pending. */
async function noticesOf(stage: Stage, kind: string): Promise<number> {
  stage.shop.worker.wake();
  await eventually(async () => (await stage.count("outbox WHERE topic = 'staff.notice'")) === 0);
  const lines = stage.lines.map((line): Record<string, unknown> => JSON.parse(line));
  return lines.filter(({ message, reason }) => message === "staff notice" && reason === kind).length;
}

/** The doctor's first line about webhooks. */
const doctorOf = async (stage: Stage, env: Record<string, string> = {}): Promise<string> => {
  const { out } = await operateWith({ ...settingsOf(stage), ...env }, "doctor");
  return out.split("\n").find((line) => line.includes(" webhooks: ")) ?? "";
};

test("an event signed with the word for no secret is refused", async () => {
  await using stage = await openStage({ env: { STRIPE_WEBHOOK_SECRET: noWebhookSecret } });
  expect(await arrives(stage, noWebhookSecret)).toBe(400);
});

test("a wrong signing secret is reported to staff once and by the doctor, until a webhook is accepted", async () => {
  const env = { STRIPE_WEBHOOK_SECRET: "whsec_of_another_endpoint" };
  await using stage = await openStage({ env });
  expect(await doctorOf(stage, env)).toStartWith("ok ");
  await sell(stage);
  await eventually(
    () =>
      stage.lines.filter((line) => line.includes('"/api/stripe/webhook"') && line.includes("400")).length > 0,
  );
  await stage.shop.periodicJobs.run();
  expect(await noticesOf(stage, "webhooks")).toBe(0);
  // the doctor reports the first refused one
  const refused = /^WRONG .*One was refused at \d.* UTC.*which is likely another endpoint's\.$/;
  expect(await doctorOf(stage, env)).toMatch(refused);
  expect(await doctorOf(stage)).toMatch(
    /^look at .* since\. The shop had another STRIPE_WEBHOOK_SECRET then: restart it if it still has, and wait for Stripe's next webhook\.$/,
  );
  for (const _ of [1, 2, 3]) await later(stage);
  expect(await noticesOf(stage, "webhooks")).toBe(1);
  expect(stage.lines.join("\n")).toContain('"reason":"their signature does not match"');
  expect(await doctorOf(stage, env)).toMatch(refused);
  expect(await arrives(stage, "whsec_of_another_endpoint")).toBe(200);
  // Stripe's next attempt of what was refused may come before the doctor
  await eventually(
    async () =>
      (await arrives(stage, "whsec_of_another_endpoint")) === 200 ? doctorOf(stage, env) : "refused",
    (line) => line.startsWith("ok "),
  );
  await later(stage);
  await sell(stage);
  for (const _ of [1, 2]) await later(stage);
  expect(await noticesOf(stage, "webhooks")).toBe(2);
});

test("a sale without a webhook is reported to staff, one with a webhook is not", async () => {
  await using stage = await openStage({ webhooks: false });
  await sell(stage);
  await arrives(stage, stage.stripe.webhookSecret);
  await later(stage);
  expect(await noticesOf(stage, "webhooks")).toBe(0);
  await sell(stage);
  for (const _ of [1, 2]) await later(stage);
  expect(await noticesOf(stage, "webhooks")).toBe(1);
  expect(stage.lines.join("\n")).toContain('"reason":"none came"');
});

test("sales while the shop was down are not reported", async () => {
  await using stage = await openStage({ webhooks: false });
  const session = await checkout(stage.person());
  await stage.restart({
    async meanwhile() {
      await stage.atStripe("pay", { session, email: "ada@example.com" });
      stage.advance(5_000);
    },
  });
  await later(stage);
  expect(await noticesOf(stage, "sale")).toBe(1);
  expect(await noticesOf(stage, "webhooks")).toBe(0);
});

test("forged webhooks don't bother staff while others are accepted, but refused ones alone do after a while", async () => {
  await using stage = await openStage({ webhooks: false });
  const forged = () => arrives(stage, "whsec_of_a_stranger");
  await arrives(stage, stage.stripe.webhookSecret);
  expect(await forged()).toBe(400);
  expect((await operateWith(settingsOf(stage), "doctor")).out).toMatch(
    /look at +webhooks: .*Or a stranger sent it\./,
  );
  await arrives(stage, stage.stripe.webhookSecret);
  expect((await operateWith(settingsOf(stage), "doctor")).out).not.toContain("stranger");
  for (const _ of [1, 2, 3]) {
    expect(await forged()).toBe(400);
    await later(stage);
  }
  expect(await noticesOf(stage, "webhooks")).toBe(0);
  await later(stage, day);
  await arrives(stage, stage.stripe.webhookSecret);
  await later(stage, 2 * day);
  await forged();
  await later(stage);
  expect(await noticesOf(stage, "webhooks")).toBe(0);
  await forged();
  for (const _ of [1, 2]) await later(stage);
  expect(await noticesOf(stage, "webhooks")).toBe(1);
});

test("stuck jobs are reported to staff once, even without a bot", async () => {
  await using stage = await openStage();
  await commit(stage.ctx.store, [enqueue(stage.ctx, { topic: botTopics.inspectTicket, subject: "one" })]);
  await stage.ctx.store.client.execute("UPDATE outbox SET attempts = 8 WHERE topic = 'ticket.look'");
  for (const _ of [1, 2]) await stage.shop.periodicJobs.run();
  expect(await noticesOf(stage, "stuck")).toBe(1);
  const { out } = await operateWith(settingsOf(stage), "doctor");
  expect(out).toMatch(/look at +outbox: One delivery is stuck \(ticket\.look\): /);
});
