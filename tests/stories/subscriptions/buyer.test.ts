/** Who may see and change what a subscription is billed by, on every device and day. */
import { expect, test } from "bun:test";
import { paymentNamed } from "@/domain/payments/reading/find";
import { correctAddress } from "@/domain/payments/corrections/corrections";
import type { Person } from "../../support/people/person";
import type { Stage } from "../../support/shop/stage";
import { changeEmail, login, me, recover } from "../accounts/people";
import {
  atStripeNow,
  buy,
  by,
  customer,
  openSubscriptionShop,
  pass,
  password,
  paymentsOf,
  settleAll,
} from "./subscriber";

/** A guest's subscription: its browser, session and key. */
async function guestsSubscription(stage: Stage, email: string) {
  const browser = stage.person();
  const session = await buy(stage, browser, { email });
  const seen = await browser.get(`/api/stripe/verify-payment?session_id=${session}`);
  return { browser, session, key: seen.body.data.license_key as string };
}

const own = async (person: Person) => (await person.get("/api/subscriptions")).body.data;

const portal = async (person: Person, id: string) =>
  (await person.post("/api/subscriptions/portal", { id })).body;

const idOf = async (stage: Stage) =>
  (await stage.ctx.store.client.execute("SELECT id FROM subscriptions")).rows[0]?.["id"] as string;

const addressesOf = async (stage: Stage) =>
  (
    await stage.ctx.store.client.execute("SELECT email FROM payments WHERE subscription IS NOT NULL")
  ).rows.map((row) => row["email"]);

const forgetCheckouts = (person: Person) => {
  for (const name of person.cookies.keys()) if (name.includes("checkout")) person.cookies.delete(name);
};

type Paid = { payment_id: string; renewal: boolean; invoice_url: string | null };

/** Another of the account's devices. */
async function elsewhere(stage: Stage, username: string): Promise<Person> {
  const person = stage.person();
  await login(person, username);
  return person;
}

const deletes = async (stage: Stage, person: Person) => {
  expect((await person.post("/api/user/delete", { password })).body).toMatchObject({ status: 200 });
  await settleAll(stage);
  return (await atStripeNow(stage)).map(({ status }) => status);
};

test("a person who redeems a key in the browser that bought it is the buyer for good, whatever the address", async () => {
  await using stage = await openSubscriptionShop();
  const { browser, key } = await guestsSubscription(stage, "paypal@example.com");
  expect((await browser.register(key, "ada", password)).status).toBe(200);
  const [one] = await own(browser);
  expect(one).toMatchObject({ status: "active", license_key: key });
  forgetCheckouts(browser);
  const other = await elsewhere(stage, "ada");
  for (const person of [browser, other]) {
    expect(await portal(person, one.id)).toMatchObject({ status: 200 });
    expect(await own(person)).toMatchObject([{ id: one.id }]);
  }
  await pass(stage, 32);
  await settleAll(stage);
  await login(other, "ada");
  const paid = await paymentsOf(other);
  expect(paid.map((one: Paid) => [one.renewal, one.invoice_url !== null])).toEqual([
    [true, true],
    [false, true],
  ]);
  for (const { payment_id: named } of paid as Paid[]) {
    const seen = await other.get(`/api/stripe/verify-payment?payment_intent=${named}`);
    expect(seen.body.data).toMatchObject({ email: "paypal@example.com", next_charge: { amount: 300 } });
  }
  expect(await deletes(stage, other)).toEqual(["canceled"]);
  expect(await addressesOf(stage)).toEqual([null, null]);
});

test("an account that adds the key in the buying browser is the buyer, though its row comes later", async () => {
  await using stage = await openSubscriptionShop();
  const { browser, key, session } = await guestsSubscription(stage, "paypal@example.com");
  await browser.register(await stage.handOut(1), "ada", password);
  const id = await idOf(stage);
  // as if the shop had stopped between sale and subscription
  await stage.ctx.store.client.executeMultiple("DELETE FROM subscription_runs; DELETE FROM subscriptions;");
  expect((await browser.post("/api/licenses/redeem", { key, timezone: "UTC" })).status).toBe(200);
  forgetCheckouts(browser);
  await browser.get(`/api/stripe/verify-payment?session_id=${session}`);
  expect(await own(browser)).toMatchObject([{ id }]);
  expect(await portal(browser, id)).toMatchObject({ status: 200 });
  const refused = await browser.post("/api/stripe/create-checkout-session", {
    currency: "usd",
    offer: "month",
  });
  expect(refused.body).toMatchObject({ status: 409, code: "already_subscribed" });
});

test("a person who was given a key and types the buyer's address sees and ends nothing of the billing", async () => {
  await using stage = await openSubscriptionShop();
  const { key } = await guestsSubscription(stage, "nora@example.com");
  const friend = stage.person();
  expect((await friend.register(key, "nora", password)).status).toBe(200);
  const id = await idOf(stage);
  expect(await own(friend)).toEqual([]);
  expect(await portal(friend, id)).toMatchObject({ status: 403, code: "not_yours" });
  expect(await deletes(stage, friend)).toEqual(["active"]);
  // nor does the shop forget whom it mails about it
  expect(await addressesOf(stage)).toEqual(["nora@example.com"]);
});

test("a person who redeemed a key that was given to them finds its renewals, without the buyer's details", async () => {
  await using stage = await openSubscriptionShop();
  const { key } = await guestsSubscription(stage, "nora@example.com");
  const friend = stage.person();
  await friend.register(key, "nora", password);
  await pass(stage, 32);
  await settleAll(stage);
  await login(friend, "nora");
  const paid = await paymentsOf(friend);
  expect(paid).toMatchObject([
    { renewal: true, invoice_url: null },
    { renewal: false, invoice_url: null },
  ]);
  for (const { payment_id: id } of paid as Paid[]) {
    const seen = (await friend.get(`/api/stripe/verify-payment?payment_intent=${id}`)).body.data;
    expect(seen).toMatchObject({ amount: 300, email: "n•••@e•••.com", invoice_url: null, next_charge: null });
  }
  const stranger = await customer(stage, "eve");
  expect(await paymentsOf(stranger)).toEqual([]);
  const unknown = await stranger.get(`/api/stripe/verify-payment?payment_intent=${paid[0].payment_id}`);
  expect(unknown.body.code).toBe("payment_unknown");
});

test("an account whose mailbox has proven itself is the buyer of what was bought with its address", async () => {
  await using stage = await openSubscriptionShop();
  await guestsSubscription(stage, "Nora@Example.com");
  const nora = await customer(stage, "nora");
  const id = await idOf(stage);
  expect(await own(nora)).toEqual([]);
  await recover(stage, "nora@example.com");
  await login(nora, "nora");
  expect(await own(nora)).toMatchObject([{ id, status: "active" }]);
  expect(await portal(nora, id)).toMatchObject({ status: 200 });
  const [{ subscription } = { subscription: "" }] = await atStripeNow(stage);
  await stage.atStripe("card/mood", { subscription, mood: "declines" });
  await pass(stage, 32);
  await settleAll(stage);
  await login(nora, "nora");
  expect((await me(nora)).data.past_due).toMatchObject({ subscription: id });
  const stranger = await customer(stage, "eve");
  expect((await me(stranger)).data.past_due).toBeNull();
  // the proof of an address ends with it
  await changeEmail(stage, nora, "other@example.com");
  expect(await portal(nora, id)).toMatchObject({ status: 403, code: "not_yours" });
});

test("an address that a stranger typed into an order keeps its owner from subscribing in no way", async () => {
  await using stage = await openSubscriptionShop();
  const ada = await customer(stage, "ada");
  await recover(stage, "ada@example.com");
  await login(ada, "ada");
  for (const outcome of ["processing", "paid"]) await buy(stage, stage.person(), { outcome });
  await buy(stage, ada);
  await settleAll(stage);
  const stands = (await own(ada)).map(({ status }: { status: string }) => status);
  expect(stands.toSorted()).toEqual(["active", "active", "pending"]);
});

test("the address that counts is the first order's as an owner corrected it", async () => {
  await using stage = await openSubscriptionShop();
  await guestsSubscription(stage, "typo@example.com");
  const id = await idOf(stage);
  const people: Person[] = [];
  for (const name of ["typo", "nora"]) {
    const person = stage.person();
    await person.register(await stage.handOut(1), name, password);
    await recover(stage, `${name}@example.com`);
    await login(person, name);
    people.push(person);
  }
  const answers = () => Promise.all(people.map(async (person) => (await portal(person, id)).status));
  expect(await answers()).toEqual([200, 403]);
  const { payment } = await paymentNamed(stage.ctx, id);
  await correctAddress(stage.ctx, payment, { email: "nora@example.com", receiver: false }, by);
  expect(await answers()).toEqual([403, 200]);
  expect(await deletes(stage, people[1]!)).toEqual(["canceled"]);
});
