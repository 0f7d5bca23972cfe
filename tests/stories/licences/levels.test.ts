import { expect, test } from "bun:test";
import { day } from "@/contract/vocabulary/time";
import { addOffer, changeOffer } from "@/domain/offers/change";
import { recurringOffersOnSale } from "@/domain/offers/list";
import { grantLicence } from "@/domain/offers/grant";
import { handOut } from "@/domain/licences/keys/hand-out";
import { accounts } from "@/domain/schema/accounts";
import { levels } from "@/domain/schema/levels";
import { licences } from "@/domain/schema/licences";
import { addLevels } from "../../support/shop/levels";
import { openStage, type Stage } from "../../support/shop/stage";
import type { Person } from "../../support/people/person";
import { mailsTo } from "../accounts/people";
import {
  buy,
  by,
  checkout,
  customer,
  openInvoice,
  pass,
  seenBy,
  settleAll,
  stripeOf,
  subscriber,
  switchOnPage,
} from "../subscriptions/subscriber";

/** A shop whose levels are premium, team above it, and school, which does not include what is below. */
async function openLevels(): Promise<Stage> {
  const stage = await openStage();
  await addLevels(
    stage,
    { id: "team", name: "Team" },
    { id: "school", name: "School", includesBefore: false },
  );
  const month = { name: "A month", amount: 300, days: null, every: "month" } as const;
  await addOffer(stage.ctx, { ...month, id: "month" }, by);
  await addOffer(stage.ctx, { ...month, id: "team-month", amount: 900, level: "team" }, by);
  await addOffer(stage.ctx, { id: "team-life", name: "Team", amount: 9_000, days: null, level: "team" }, by);
  await addOffer(stage.ctx, { id: "team-days", name: "Team", amount: 900, days: 30, level: "team" }, by);
  return stage;
}

const key = (stage: Stage, level: string, days: number | null) => handOut(stage.ctx, { days, level }, by);
const redeem = async (person: Person, typed: string) =>
  (await person.post("/api/licenses/redeem", { key: typed, timezone: "UTC" })).body;
const licencesOf = async (person: Person) => (await person.get("/api/licenses/me")).body.data;
const addsOf = async (person: Person) => {
  const { data } = (await person.get("/api/offers")).body;
  return Object.fromEntries(data.map(({ id, adds }: { id: string; adds: boolean }) => [id, adds]));
};
const daysLeft = (stage: Stage, expiry: string) => (Date.parse(expiry) - stage.ctx.now().getTime()) / day;

test("timed licences of one level follow each other, beside those of another", async () => {
  await using stage = await openLevels();
  const person = stage.person();
  await person.register(await key(stage, "premium", 30), "ada");
  for (const [level, days, left] of [
    ["team", 10, 10],
    ["premium", 30, 60],
    ["school", 7, 7],
    ["team", 5, 15],
  ] as const) {
    const { data } = await redeem(person, await key(stage, level, days));
    expect([level, Math.round(daysLeft(stage, data.expiry_date))]).toEqual([level, left]);
  }
});

test("a key adds nothing to a licence whose level contains it and that ends no earlier", async () => {
  await using stage = await openLevels();
  const person = stage.person();
  await person.register(await key(stage, "team", 30), "ada");
  expect(await redeem(person, await key(stage, "premium", 29))).toMatchObject({
    code: "license_pointless",
    data: "You already have Team for long enough, and it includes Wisp Premium, so this key would add nothing. It stays unused.",
  });
  const longer = await redeem(person, await key(stage, "premium", 31));
  expect(Math.round(daysLeft(stage, longer.data.expiry_date))).toBe(31);
  // 31 days more would end after the team's
  expect((await redeem(person, await key(stage, "premium", 1))).status).toBe(200);
  expect((await redeem(person, await key(stage, "school", 1))).status).toBe(200);
  expect((await redeem(person, await key(stage, "team", null))).data.expiry_date).toBeNull();
  expect(await redeem(person, await key(stage, "premium", null))).toMatchObject({
    code: "license_pointless",
    data: "You already have Team for life, and it includes Wisp Premium, so this key would add nothing. It stays unused.",
  });
  expect((await redeem(person, await key(stage, "school", null))).status).toBe(200);
});

test("a signed-in buyer is told what adds to their licences, and may buy the rest as well", async () => {
  await using stage = await openLevels();
  const person = stage.person();
  await person.register(await key(stage, "premium", null), "ada");
  expect(await addsOf(person)).toEqual({
    premium: false,
    month: false,
    "team-month": true,
    "team-life": true,
    "team-days": true,
  });
  await redeem(person, await key(stage, "team", null));
  expect(new Set(Object.values(await addsOf(person)))).toEqual(new Set([false]));
  const session = await checkout(person, "team-days");
  await stage.stripeTells("pay", { session, email: "ada@example.com" });
  const { data } = (await person.get(`/api/stripe/verify-payment?session_id=${session}`)).body;
  expect(data).toMatchObject({
    for_account: "redundant",
    level: { id: "team", name: "Team" },
    message:
      "Thank you! Your account already has a lifetime license, so this one wasn't added. Its key is yours to give away.",
  });
});

test("a receipt tells until when the level that was bought runs, or that a key adds nothing to another level", async () => {
  await using stage = await openLevels();
  const receiptOf = async (person: Person, offer: string, email: string) => {
    const session = await checkout(person, offer);
    await stage.stripeTells("pay", { session, email });
    await stage.stripe.flush();
    return (await mailsTo(stage, email))[0]?.text ?? "";
  };
  const ada = stage.person();
  await ada.register(await key(stage, "premium", null), "ada");
  expect(await receiptOf(ada, "team-days", "ada@example.com")).toContain("Your license now runs until");
  const bob = stage.person();
  await bob.register(await key(stage, "team", null), "bob");
  expect(await receiptOf(bob, "premium", "bob@example.com")).toContain(
    "Your account already has what this key gives, so it is yours to give away.",
  );
});

test("who has a level for life may take a higher one monthly, which ends with the higher lifetime", async () => {
  await using stage = await openLevels();
  const ada = stage.person();
  await ada.register(await key(stage, "premium", null), "ada", "a long enough phrase");
  const refused = await ada.post("/api/stripe/create-checkout-session", { currency: "usd", offer: "month" });
  expect(refused.body).toMatchObject({ code: "lifetime_held", data: expect.stringContaining("never ends") });
  await buy(stage, ada, { offer: "team-month" });
  await pass(stage, 32);
  await settleAll(stage);
  expect(await seenBy(ada)).toMatchObject({
    status: "active",
    offer: "team-month",
    licence: { type: "team" },
  });
  expect((await redeem(ada, await key(stage, "team", null))).status).toBe(200);
  await settleAll(stage);
  expect((await seenBy(ada)).status).toBe("ending");
  const bob = stage.person();
  await bob.register(await key(stage, "team", null), "bob");
  const below = await bob.post("/api/stripe/create-checkout-session", { currency: "usd", offer: "month" });
  expect(below.body).toMatchObject({
    code: "lifetime_held",
    data: "You already have Team for life, and it includes Wisp Premium, so a subscription would add nothing.",
  });
});

test("a subscriber to a level keeps it beside a lifetime of one below, and takes days only of one above", async () => {
  await using stage = await openLevels();
  const ada = await customer(stage);
  await buy(stage, ada, { offer: "team-month" });
  expect((await redeem(ada, await key(stage, "premium", 30))).code).toBe("subscription_running");
  expect((await redeem(ada, await key(stage, "school", 30))).status).toBe(200);
  expect((await redeem(ada, await key(stage, "premium", null))).status).toBe(200);
  await settleAll(stage);
  expect((await seenBy(ada)).status).toBe("active");
  const bob = await customer(stage, "bob");
  await buy(stage, bob, { offer: "month", email: "bob@example.com" });
  expect((await redeem(bob, await key(stage, "team", 30))).status).toBe(200);
});

test("an account has one subscription, whatever its level, which a switch changes with its licence", async () => {
  await using stage = await openLevels();
  const ada = await customer(stage);
  await buy(stage, ada, { offer: "month" });
  const second = await ada.post("/api/stripe/create-checkout-session", {
    currency: "usd",
    offer: "team-month",
  });
  const before = await seenBy(ada);
  expect(second.body).toMatchObject({ status: 409, code: "already_subscribed", subscription: before.id });
  expect(before.licence.type).toBe("premium");
  await switchOnPage(stage, ada, "team-month");
  expect((await seenBy(ada)).licence).toMatchObject({ type: "team", key: before.license_key });
});

test("a lower level that a subscriber switches to begins when Stripe changes the price, at the renewal", async () => {
  await using stage = await openLevels();
  const ada = await customer(stage);
  const year = {
    id: "year",
    name: "A year",
    amount: 9_000,
    days: null,
    every: "year",
    level: "team",
  } as const;
  await addOffer(stage.ctx, year, by);
  await buy(stage, ada, { offer: "year" });
  await switchOnPage(stage, ada, "month");
  expect(await seenBy(ada)).toMatchObject({ changes_to: "month", licence: { type: "team" } });
  await pass(stage, 367);
  expect(await seenBy(ada)).toMatchObject({ offer: "month", licence: { type: "premium" } });
});

test("a higher level that a switch brings is given once its invoice is paid", async () => {
  await using stage = await openLevels();
  const { ada, subscription } = await subscriber(stage);
  // which makes its price at Stripe
  await checkout(stage.person(), "team-month");
  await stage.atStripe("card/mood", { subscription, mood: "declines" });
  await pass(stage, 10);
  const stripe = stripeOf(stage);
  const price = (await stripe.prices.list()).data.find(({ metadata }) => metadata["offer"] === "team-month");
  const { items } = await stripe.subscriptions.retrieve(subscription);
  await stripe.subscriptions.update(subscription, {
    items: [{ id: items.data[0]?.id ?? "", price: price?.id ?? "" }],
    proration_behavior: "always_invoice",
  });
  await settleAll(stage);
  expect(await seenBy(ada)).toMatchObject({ offer: "team-month", licence: { type: "premium" } });
  await stage.atStripe("card/mood", { subscription, mood: "works" });
  await stripe.invoices.pay(await openInvoice(stage));
  await settleAll(stage);
  expect(await seenBy(ada)).toMatchObject({ offer: "team-month", licence: { type: "team" } });
});

test("an offer that sells another level from now on leaves what was ordered and what is billed as it was", async () => {
  await using stage = await openLevels();
  const [ada, bob] = [await customer(stage), await customer(stage, "bob")];
  await buy(stage, ada, { offer: "month" });
  const session = await checkout(bob, "team-days");
  await changeOffer(stage.ctx, "month", { level: "team" }, by);
  await changeOffer(stage.ctx, "team-days", { level: "school" }, by);
  await stage.atStripe("pay", { session, email: "bob@example.com" });
  await pass(stage, 32);
  await settleAll(stage);
  expect(await seenBy(ada)).toMatchObject({ status: "active", licence: { type: "premium" } });
  expect((await stage.ctx.store.db.select().from(licences)).map(({ level }) => level).toSorted()).toEqual([
    "premium",
    "premium",
    "premium",
    "team",
  ]);
});

test("a level that the owner renames or retires stays what was sold, and its offers leave the sale", async () => {
  await using stage = await openLevels();
  const ada = await customer(stage);
  await buy(stage, ada, { offer: "team-life" });
  await stage.ctx.store.db.update(levels).set({ retiredAt: stage.ctx.now() });
  const offered = (await stage.person().get("/api/offers")).body.data;
  expect(offered).toEqual([]);
  expect(await recurringOffersOnSale(stage.ctx)).toEqual([]);
  expect((await licencesOf(ada)).map(({ type }: { type: string }) => type).toSorted()).toEqual([
    "premium",
    "team",
  ]);
});

test("an owner gives no licence that adds nothing", async () => {
  await using stage = await openLevels();
  const person = stage.person();
  await person.register(await key(stage, "team", null), "ada");
  const [account] = await stage.ctx.store.db.select().from(accounts);
  if (!account) throw new Error("there is no account");
  expect(grantLicence(stage.ctx, account, { offer: "premium" }, by)).rejects.toMatchObject({
    code: "license_pointless",
    detail: { sentence: "They already have Team for life, and it includes Wisp Premium." },
  });
  expect(handOut(stage.ctx, { days: null, level: "gold" }, by)).rejects.toMatchObject({
    code: "level_unknown",
  });
});
