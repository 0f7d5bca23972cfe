/** Where mail about a subscription goes. */
import { expect, test } from "bun:test";
import { correctAddress } from "@/domain/payments/corrections/corrections";
import { refundPayment } from "@/domain/payments/corrections/refund-payment";
import { eventually, type Stage } from "../../support/shop/stage";
import { login, mailsTo } from "../accounts/people";
import {
  atStripeNow,
  buy,
  by,
  happens,
  openSubscriptionShop,
  pass,
  password,
  paymentOf,
  renewalsHeld,
  seenBy,
  settleAll,
  stripeOf,
  subscriber,
} from "./subscriber";

const customerOf = async (stage: Stage) => (await atStripeNow(stage))[0]?.customer ?? "";

const billTo = async (stage: Stage, email: string) => {
  await stripeOf(stage).customers.update(await customerOf(stage), { email });
  await settleAll(stage);
};

const subjectsTo = async (stage: Stage, to: string) =>
  (await mailsTo(stage, to)).map(({ subject }) => subject).toReversed();

test("all mail about a subscription goes to the address that Stripe bills now, and its key to no such address", async () => {
  await using stage = await openSubscriptionShop();
  const { subscription } = await subscriber(stage);
  const before = await eventually(
    () => subjectsTo(stage, "ada@example.com"),
    // registering mails her too
    (all) => all.length > 1,
  );
  await billTo(stage, "office@example.com");
  await pass(stage, 32);
  await settleAll(stage);
  await stage.atStripe("card/mood", { subscription, mood: "declines" });
  await pass(stage, 31);
  await settleAll(stage);
  // the last renewal was billed to the office, and now its bookkeeper hears of everything
  await billTo(stage, "bookkeeper@example.com");
  const [, paid = ""] = await renewalsHeld(stage);
  await refundPayment(stage.ctx, stage.shop.checkout, await paymentOf(stage, paid), { amount: null, by });
  await happens(stage, "subscription/cancel", { subscription, at: "now" });
  expect(await subjectsTo(stage, "office@example.com")).toEqual([
    "Your receipt for A month",
    "Your payment for A month failed",
    "The billing address of A month was changed",
  ]);
  expect(await subjectsTo(stage, "bookkeeper@example.com")).toEqual(
    expect.arrayContaining([expect.stringContaining("refund"), "Your subscription to A month has ended"]),
  );
  expect(await subjectsTo(stage, "ada@example.com")).toEqual([
    ...before,
    "The billing address of A month was changed",
  ]);
  for (const to of ["office@example.com", "bookkeeper@example.com"])
    for (const { text, html } of await mailsTo(stage, to))
      expect(`${text}${html}`).not.toMatch(/WISP(-[0-9A-Z]{4}){4}/);
});

test("an order's corrected address is also its customer's at Stripe, where the two were equal", async () => {
  await using stage = await openSubscriptionShop();
  const session = await buy(stage, stage.person(), { email: "Typo@Example.com" });
  const emailAtStripe = async () => {
    const held = await stripeOf(stage).customers.retrieve(await customerOf(stage));
    return held.deleted ? null : held.email;
  };
  const correct = async (to: string) => {
    await correctAddress(stage.ctx, await paymentOf(stage, session), { email: to, receiver: false }, by);
    await settleAll(stage);
  };
  await correct("nora@example.com");
  expect(await emailAtStripe()).toBe("nora@example.com");
  await billTo(stage, "office@example.com");
  await correct("nora.b@example.com");
  expect(await emailAtStripe()).toBe("office@example.com");
});

test("of a customer who was deleted at Stripe, mail goes to the order's address, and there is no billing", async () => {
  await using stage = await openSubscriptionShop();
  const { ada } = await subscriber(stage);
  await billTo(stage, "office@example.com");
  const { id } = await seenBy(ada);
  await happens(stage, "customer/delete", { customer: await customerOf(stage) });
  await settleAll(stage);
  expect(await subjectsTo(stage, "office@example.com")).toEqual([]);
  expect(await subjectsTo(stage, "ada@example.com")).toContain("Your subscription to A month has ended");
  const refused = await ada.post("/api/subscriptions/portal", { id });
  expect(refused.body).toMatchObject({ status: 409, code: "no_billing" });
});

test("nothing remembers or mails the billing address of a buyer who was erased", async () => {
  await using stage = await openSubscriptionShop();
  const { ada } = await subscriber(stage);
  await billTo(stage, "office@example.com");
  await login(ada, "ada");
  // what Stripe says of the end comes after the erasure
  await stage.atStripe("faults", { webhooks: { drop: "all" } });
  expect((await ada.post("/api/user/delete", { password })).body).toMatchObject({ status: 200 });
  await stage.atStripe("faults", { webhooks: { drop: 0 } });
  await stage.shop.periodicJobs.run();
  const addresses = async () =>
    (await stage.ctx.store.client.execute("SELECT billing_email FROM subscriptions")).rows[0]?.[0];
  expect(await addresses()).toBeNull();
  await settleAll(stage);
  expect(await addresses()).toBeNull();
  expect(await subjectsTo(stage, "office@example.com")).toEqual([]);
});
