import { expect, test } from "bun:test";
import { operator } from "@/core/base/actor";
import { figures } from "@/domain/figures/figures";
import { rebuildFigures } from "@/domain/figures/days";
import { remindOfEndings } from "@/domain/campaigns/licence-endings";
import { remindOfRenewals } from "@/domain/payments/subscriptions/remind";
import { checkDueSubscriptions } from "@/domain/payments/subscriptions/due-checks";
import { utcDay } from "@/contract/vocabulary/dates";
import { day } from "@/contract/vocabulary/time";
import { eventually, type Stage } from "../../support/shop/stage";
import {
  by,
  dayOf,
  openSubscriptionShop,
  pass,
  paymentsOf,
  seenBy,
  stripeOf,
  subscriber,
} from "./subscriber";
import { unproven } from "../accounts/people";

test("each renewal is a payment of its own, and moves the licence's end", async () => {
  await using stage = await openSubscriptionShop();
  const { ada } = await subscriber(stage);
  const before = await seenBy(ada);
  await pass(stage, 32);
  const after = await seenBy(ada);
  expect(Date.parse(after.renews_at)).toBeGreaterThan(Date.parse(before.renews_at) + 27 * day);
  expect(after).toMatchObject({
    status: "active",
    graceDays: 3,
    licence: { key: before.license_key, active: true },
  });
  expect(await paymentsOf(ada)).toMatchObject([{ status: "succeeded" }, { status: "succeeded" }]);
  // a renewal is no order
  const sold = { gross: 600, payments: 2, orders: 1, checkouts: 1, conversion: 1 };
  const range = { from: dayOf(stage, -40), to: dayOf(stage, 0) };
  expect((await figures(stage.ctx, operator, range)).totals).toMatchObject(sold);
  await rebuildFigures(stage.ctx, by);
  expect((await figures(stage.ctx, operator, range)).totals).toMatchObject(sold);
});

test("an account has one subscription at a time, and none beside a lifetime", async () => {
  await using stage = await openSubscriptionShop();
  const { ada } = await subscriber(stage);
  const wanted = { currency: "usd", offer: "month" };
  const again = await ada.post("/api/stripe/create-checkout-session", wanted);
  expect(again.body).toMatchObject({ status: 409, code: "already_subscribed" });
  const bob = await unproven(stage, "bob");
  const beside = await bob.post("/api/stripe/create-checkout-session", wanted);
  expect(beside.body).toMatchObject({ status: 409, code: "lifetime_held" });
  const several = await stage
    .person()
    .post("/api/stripe/create-checkout-session", { ...wanted, quantity: 2 });
  expect(several.body).toMatchObject({ status: 400, field: "quantity" });
});

test("while a subscription runs, a timed key stays unspent, also after it was cancelled", async () => {
  await using stage = await openSubscriptionShop();
  const { ada, subscription } = await subscriber(stage);
  const key = await stage.handOut(30);
  const refused = { status: 409, code: "subscription_running" };
  expect((await ada.post("/api/licenses/redeem", { key, timezone: "UTC" })).body).toMatchObject(refused);
  await stage.stripeTells("subscription/cancel", { subscription, at: "period_end" });
  expect((await ada.post("/api/licenses/redeem", { key, timezone: "UTC" })).body).toMatchObject(refused);
  await pass(stage, 32);
  expect(await seenBy(ada)).toMatchObject({ status: "ended" });
  expect((await ada.post("/api/licenses/redeem", { key, timezone: "UTC" })).status).toBe(200);
});

/** The emails that an address got, newest first, besides the one that asks who registers to confirm it. */
const mailsTo = (stage: Stage, address: string) =>
  stage.mail.messages(address).filter(({ subject }) => subject !== "Confirm your email address");

/** The subjects of the emails that an address got, oldest first. */
async function subjectsTo(stage: Stage, address: string, count: number): Promise<string[]> {
  const mails = await eventually(
    () => mailsTo(stage, address),
    (all) => all.length >= count,
  );
  return mails.map(({ subject }) => subject).toReversed();
}

test("each renewal has a receipt, a failed one a page to pay at, and the end an email; nothing is mailed twice", async () => {
  await using stage = await openSubscriptionShop();
  const { subscription } = await subscriber(stage);
  // emails that wait together are sent together, in no order, so each is awaited before time passes
  await subjectsTo(stage, "ada@example.com", 1);
  await pass(stage, 32);
  await subjectsTo(stage, "ada@example.com", 2);
  await stage.atStripe("card/mood", { subscription, mood: "declines" });
  await pass(stage, 31);
  await subjectsTo(stage, "ada@example.com", 3);
  await pass(stage, 20);
  await remindOfRenewals(stage.ctx);
  await remindOfEndings(stage.ctx);
  const subjects = await subjectsTo(stage, "ada@example.com", 4);
  expect(subjects.filter((subject) => subject.includes("A month"))).toEqual([
    "Your A month license key and receipt",
    "Your receipt for A month",
    "Your payment for A month failed",
    "Your subscription to A month has ended",
  ]);
  const [failed] = stage.mail.messages("ada@example.com").filter(({ subject }) => subject.includes("failed"));
  expect(failed?.text).toContain(stage.stripe.url);
});

test("a trial's end is announced once, and a cancellation says until when the license lasts", async () => {
  await using stage = await openSubscriptionShop(14);
  const { subscription } = await subscriber(stage);
  await remindOfRenewals(stage.ctx);
  expect(await subjectsTo(stage, "ada@example.com", 1)).toHaveLength(1);
  await pass(stage, 8);
  await remindOfRenewals(stage.ctx);
  await remindOfRenewals(stage.ctx);
  expect((await subjectsTo(stage, "ada@example.com", 2)).at(-1)).toBe("Your trial of A month ends soon");
  await stage.stripeTells("subscription/cancel", { subscription, at: "period_end" });
  expect((await subjectsTo(stage, "ada@example.com", 3)).at(-1)).toBe(
    "Your subscription to A month is canceled",
  );
  await remindOfRenewals(stage.ctx);
  expect(mailsTo(stage, "ada@example.com")).toHaveLength(3);
});

test("a customer who cancels and resumes is told once that the subscription continues, and what is charged next", async () => {
  await using stage = await openSubscriptionShop();
  const { ada, subscription } = await subscriber(stage);
  // emails that wait together are sent together, in no order
  await subjectsTo(stage, "ada@example.com", 1);
  await stage.stripeTells("subscription/cancel", { subscription, at: "period_end" });
  expect((await subjectsTo(stage, "ada@example.com", 2)).at(-1)).toBe(
    "Your subscription to A month is canceled",
  );
  await stripeOf(stage).subscriptions.update(subscription, { cancel_at_period_end: false });
  await stage.stripe.flush();
  expect((await subjectsTo(stage, "ada@example.com", 3)).at(-1)).toBe(
    "Your subscription to A month continues",
  );
  const { renews_at: renewsAt } = await seenBy(ada);
  const [mail] = mailsTo(stage, "ada@example.com");
  expect(mail?.text).toContain(`The next charge is USD 3.00, on ${utcDay(new Date(renewsAt))}.`);
  stage.advance(day + 1);
  await checkDueSubscriptions(stage.ctx, stage.shop.checkout);
  await stage.shop.worker.drain();
  expect(mailsTo(stage, "ada@example.com")).toHaveLength(3);
});
