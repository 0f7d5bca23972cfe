import { expect, test } from "bun:test";
import { paymentDetails, subscriptionDetails } from "@/contract/wire/desk/details";
import { atDesk } from "../../support/people/desk";
import {
  checkout,
  openSubscriptionShop,
  subscriberInArrears,
  pass,
  settleAll,
  subscriber,
} from "./subscriber";

const reason = "asked by mail";

test("the desk lists subscriptions, shows one with its payments and history, and an owner cancels it", async () => {
  await using stage = await openSubscriptionShop();
  const { ada, subscription } = await subscriber(stage);
  const { id: customer } = (await ada.get("/api/user/me")).body.data;
  const olga = await atDesk(stage, "olga", "owner");
  const [row] = (await olga.get(`subscriptions?customer=${customer}&status=active&offer=month`)).body.data
    .rows;
  expect(row).toMatchObject({
    status: "active",
    customer: { username: "ada" },
    amount: 300,
    interval: "month",
    ends_at: null,
  });
  const shown = (await olga.get(`subscriptions/${row.id}`)).body.data;
  expect(subscriptionDetails.strict().parse(shown)).toMatchObject({
    stripe_id: subscription,
    card: { last4: "4242" },
    licences: [{ status: "active" }],
    payments: [{ status: "succeeded" }],
  });
  expect(shown.timeline.map(({ action }: { action: string }) => action)).toContain("subscription.active");
  expect((await olga.get(`customers/${customer}`)).body.data.subscriptions).toEqual([row]);
  expect((await olga.get("subscriptions/none")).status).toBe(404);
  const cancelled = await olga.post(`subscriptions/${row.id}/cancel`, { reason });
  expect(cancelled.body.data).toMatchObject({ status: "ending", renews_at: null, ends_at: row.renews_at });
  const ended = await olga.post(`subscriptions/${row.id}/cancel`, { reason, now: true });
  expect(ended.body.data).toMatchObject({ status: "ended" });
});

test("a guest's subscription shows the buyer's address, and is found by its beginning", async () => {
  await using stage = await openSubscriptionShop();
  const session = await checkout(stage.person());
  await stage.stripeTells("pay", { session, email: "guest@example.com" });
  const olga = await atDesk(stage, "olga", "owner");
  const [row] = (await olga.get("subscriptions")).body.data.rows;
  expect(row).toMatchObject({ email: "guest@example.com", customer: null });
  for (const q of ["gue", "guest@exa"]) {
    const found = (await olga.post("search", { q })).body.data;
    expect(found).toMatchObject({ customers: [], payments: [{ email: row.email }], subscriptions: [row] });
  }
});

test("a subscription past due needs attention until it is paid or ends", async () => {
  await using stage = await openSubscriptionShop();
  const { subscription } = await subscriberInArrears(stage);
  const olga = await atDesk(stage, "olga", "owner");
  const needing = async () =>
    (await olga.get("attention")).body.data.filter(
      ({ kind }: { kind: string }) => kind === "past_due_subscriptions",
    );
  expect(await needing()).toMatchObject([{ count: 1, link: "/desk/subscriptions?status=past_due" }]);
  await stage.shop.checkout.cancelSubscription(subscription, "now");
  await stage.stripe.flush();
  expect(await needing()).toEqual([]);
});

test("a payment on the desk has its subscription and license, and says whether a full refund ends them", async () => {
  await using stage = await openSubscriptionShop();
  const { session } = await subscriber(stage);
  await pass(stage, 32);
  const olga = await atDesk(stage, "olga", "owner");
  const [renewal, former] = (await olga.get("payments")).body.data.rows;
  expect(former.session_id).toBe(session);
  const shown = (await olga.get(`payments/${renewal.id}`)).body.data;
  expect(paymentDetails.strict().parse(shown)).toMatchObject({
    licences: [],
    subscription: {
      id: former.id,
      status: "active",
      customer: { username: "ada" },
      licence: { status: "active", payment: former.id },
      ends_if_refunded: true,
    },
  });
  const older = (await olga.get(`payments/${former.id}`)).body.data;
  expect(older.subscription).toMatchObject({ id: former.id, ends_if_refunded: false });
  expect((await olga.post(`payments/${renewal.id}/refund`, { reason })).body.data.state).toBe("made");
  await settleAll(stage);
  expect((await olga.get(`payments/${renewal.id}`)).body.data.subscription).toMatchObject({
    status: "ended",
    licence: { status: "refunded" },
    ends_if_refunded: false,
  });
});
