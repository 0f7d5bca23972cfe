import { expect, test } from "bun:test";
import { licenceOfKey } from "@/domain/licences/keys/find";
import { addOffer } from "@/domain/offers/change";
import { day } from "@/contract/vocabulary/time";
import { eventually, type Stage } from "../../support/shop/stage";
import type { Person } from "../../support/people/person";
import {
  by,
  customer,
  happens,
  openSubscriptionShop,
  pass,
  paymentsOf,
  seenBy,
  subscriber,
  switchOnPage,
  switchTo,
} from "./subscriber";

const team = { id: "team", name: "A team", amount: 900, days: null, every: "month", devices: 5 } as const;

test("a customer who comes back from Stripe's page sees what they changed there, before its webhook arrives", async () => {
  await using stage = await openSubscriptionShop();
  const { ada, subscription } = await subscriber(stage);
  const { id } = await seenBy(ada);
  stage.stripe.setWebhookUrl(null);
  const wanted = { id, flow: "cancel", return_to: "/dashboard/payments" };
  const { url } = (await ada.post("/api/subscriptions/portal", wanted)).body.data;
  const done = await fetch(`${url}/cancel/${subscription}`, {
    method: "POST",
    redirect: "manual",
    headers: { origin: new URL(url).origin },
  });
  const back = new URL(done.headers.get("location") ?? "");
  expect([back.pathname, back.search]).toEqual(["/dashboard/payments", `?changed=${id}`]);
  const look = (person: Person) => person.post("/api/subscriptions/look", { id });
  const statusNow = async () => (await ada.get("/api/subscriptions")).body.data[0].status;
  // somebody else's look changes nothing
  const bob = await customer(stage, "bob");
  expect((await look(bob)).status).toBe(200);
  expect((await look(stage.person())).status).toBe(401);
  expect(await statusNow()).toBe("active");
  expect((await look(ada)).status).toBe(200);
  expect(await statusNow()).toBe("ending");
});

test("a check on the way back fails nobody while Stripe is away, and spends nothing of the visits to Stripe's page", async () => {
  const limits = "portal=1/3600,subscription-look=3/3600";
  await using stage = await openSubscriptionShop(null, { LIMITS: limits });
  const { ada } = await subscriber(stage);
  const { id } = await seenBy(ada);
  await stage.atStripe("faults", { api: { next: [{ fail: 500, count: 50 }] } });
  const answers = [];
  for (let time = 0; time < 4; time += 1) answers.push(await ada.post("/api/subscriptions/look", { id }));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429]);
  await stage.atStripe("faults", { api: { next: [] } });
  expect((await ada.post("/api/subscriptions/portal", { id })).status).toBe(200);
});

async function placesOf(stage: Stage, key: string) {
  return (await licenceOfKey(stage.ctx, key))?.devices;
}

test("a switch to a dearer offer is invoiced at once, keeps key and end, and brings its seats", async () => {
  await using stage = await openSubscriptionShop();
  await addOffer(stage.ctx, team, by);
  const { ada, subscription } = await subscriber(stage);
  const before = await seenBy(ada);
  await pass(stage, 10);
  await switchTo(stage, subscription, team);
  const after = await seenBy(ada);
  expect(after).toMatchObject({ offer: "team", status: "active", graceDays: 3, amount: 900 });
  expect(after).toMatchObject({ license_key: before.license_key, renews_at: before.renews_at });
  expect(await placesOf(stage, before.license_key)).toBe(5);
  const [difference, first] = await paymentsOf(ada);
  expect(first.bill.paid).toBe(300);
  expect(difference.bill.paid).toBeGreaterThan(0);
  expect(difference.bill.paid).toBeLessThan(600);
  await pass(stage, 25);
  await seenBy(ada);
  expect((await paymentsOf(ada))[0].bill).toMatchObject({ asked: 900, paid: 900 });
  await switchTo(stage, subscription, { id: "month", amount: 300 });
  expect(await placesOf(stage, before.license_key)).toBe(1);
});

test("on Stripe's page a month becomes a year at once, and a year a month when it ends", async () => {
  await using stage = await openSubscriptionShop();
  const year = { id: "year", name: "A year", amount: 3_000, days: null, every: "year" } as const;
  await addOffer(stage.ctx, year, by);
  const { ada } = await subscriber(stage);
  const before = await seenBy(ada);
  await switchOnPage(stage, ada, "year");
  const yearly = await seenBy(ada);
  expect(yearly).toMatchObject({ offer: "year", interval: "year", license_key: before.license_key });
  expect(Date.parse(yearly.renews_at) - stage.ctx.now().getTime()).toBeGreaterThan(360 * day);
  await switchOnPage(stage, ada, "month");
  const planned = await seenBy(ada);
  expect(planned).toMatchObject({ offer: "year", changes_to: "month", changes_at: yearly.renews_at });
  await pass(stage, 367);
  expect(await seenBy(ada)).toMatchObject({
    offer: "month",
    interval: "month",
    changes_to: null,
    status: "active",
  });
});

test("a payment after a switch has the new offer's name, on the site and in emails", async () => {
  await using stage = await openSubscriptionShop();
  await addOffer(stage.ctx, team, by);
  const { ada, subscription } = await subscriber(stage);
  await pass(stage, 10);
  await switchTo(stage, subscription, team);
  await pass(stage, 25);
  await seenBy(ada);
  expect((await paymentsOf(ada))[0]).toMatchObject({ offer_name: "A team" });
  await happens(stage, "subscription/cancel", { subscription, at: "period_end" });
  const [newest] = await eventually(
    () => stage.mail.messages("ada@example.com"),
    ([one]) => one !== undefined && one.subject.includes("canceled"),
  );
  expect(newest?.subject).toBe("Your subscription to A team is canceled");
});
