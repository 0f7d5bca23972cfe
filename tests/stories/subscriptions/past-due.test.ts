/** A renewal fails: what its customer is told, wherever they are in the dashboard. */
import { expect, test } from "bun:test";
import { utcDay } from "@/contract/vocabulary/dates";
import { eventually } from "../../support/shop/stage";
import {
  happens,
  openSubscriptionShop,
  subscriberInArrears,
  pass,
  password,
  paymentsOf,
  seenBy,
  subscriber,
} from "./subscriber";

const me = async (person: Awaited<ReturnType<typeof subscriber>>["ada"]) => {
  await person.post("/api/auth/login", { username: "ada", password });
  return (await person.get("/api/user/me")).body.data;
};

test("a customer who cancels while a renewal is unpaid is told until when the licence lasts, and is no longer asked to pay", async () => {
  await using stage = await openSubscriptionShop();
  const { ada, subscription } = await subscriberInArrears(stage);
  expect((await me(ada)).past_due).not.toBeNull();
  await happens(stage, "subscription/cancel", { subscription, at: "period_end" });
  const { licence, ...seen } = await seenBy(ada);
  expect(seen).toMatchObject({ status: "past_due", ends_at: expect.any(String), renews_at: null });
  expect((await me(ada)).past_due).toBeNull();
  const told = await eventually(
    () =>
      stage.mail
        .messages("ada@example.com")
        .find(({ subject }) => subject === "Your subscription to A month is canceled"),
    (mail) => mail !== undefined,
  );
  expect(told?.text?.replaceAll(/\s+/g, " ")).toContain(
    `It won't renew. Its last payment failed, so your license stays active only until ${utcDay(new Date(licence.expiry_date))}.`,
  );
});

test("Stripe's page leads back to whichever page of the dashboard it was opened on, and to none elsewhere", async () => {
  await using stage = await openSubscriptionShop();
  const { ada } = await subscriber(stage);
  const { id } = await seenBy(ada);
  const open = async (returnTo: string) =>
    ada.post("/api/subscriptions/portal", { id, flow: "card", return_to: returnTo });
  for (const path of [
    "/dashboard",
    "/dashboard/ticket?id=12",
    "/dashboard/transaction?payment_intent=pi_1",
  ]) {
    const { body } = await open(path);
    const page = await (await fetch(body.data.url)).text();
    expect(page.replaceAll("&amp;", "&")).toContain(`${stage.url.origin}${path}`);
  }
  for (const path of [
    "/desk",
    "//elsewhere.test",
    "/dashboard/../desk",
    "/dashboard?x=https://elsewhere.test",
  ]) {
    expect((await open(path)).status).toBe(400);
  }
});

test("a renewal is listed as one from the day it is due, and its page says what became of it", async () => {
  await using stage = await openSubscriptionShop();
  const { ada, subscription } = await subscriber(stage);
  await pass(stage, 32);
  await stage.atStripe("card/mood", { subscription, mood: "declines" });
  await pass(stage, 31);
  const { id } = await seenBy(ada);
  const listed = await paymentsOf(ada);
  expect(listed).toMatchObject([
    { status: "failed", renewal: true, subscription: id, offer_name: "A month" },
    { status: "succeeded", renewal: true, subscription: id },
    { status: "succeeded", renewal: false, subscription: id },
  ]);
  const pageOf = async ({ payment_id: name }: { payment_id: string }) =>
    (await ada.get(`/api/stripe/verify-payment?payment_intent=${name}`)).body;
  const [failed, renewed, first] = await Promise.all(listed.map(pageOf));
  expect(failed).toMatchObject({
    status_message: "Payment Failed",
    data: {
      message: "The renewal couldn't be charged. Update your card to keep your license.",
      renewal: true,
      subscription: id,
      order_again: null,
      checkout_url: null,
    },
  });
  expect(renewed).toMatchObject({
    status_message: "Payment Verified",
    data: {
      message: "Thank you! Your subscription was paid, and your license continues with the same key.",
      renewal: true,
    },
  });
  expect(first.data).toMatchObject({ renewal: false, subscription: id });
});
