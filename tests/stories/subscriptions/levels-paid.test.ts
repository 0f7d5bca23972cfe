import { expect, test } from "bun:test";
import { changeDevices, changeLevelOf } from "@/domain/licences/changes/staff-terms";
import { handOut } from "@/domain/licences/keys/hand-out";
import { addOffer, changeOffer } from "@/domain/offers/change";
import { settleSubscription } from "@/domain/payments/settlement/settle-subscription";
import { day, hour } from "@/contract/vocabulary/time";
import { addLevels } from "../../support/shop/levels";
import { openStage, type Stage } from "../../support/shop/stage";
import {
  atStripeNow,
  buy,
  by,
  checkout,
  customer,
  happens,
  openInvoice,
  pass,
  reprice,
  seenBy,
  settleAll,
  stripeOf,
  subscriber,
  switchOnPage,
  switchTo,
} from "./subscriber";

const pro = { id: "pro", amount: 600, level: "pro" } as const;
const team = { id: "team", amount: 900, level: "team" } as const;

async function openShop() {
  const stage = await openStage();
  await addLevels(stage, { id: "pro", name: "Pro" }, { id: "team", name: "Team" });
  const sell = (offer: Parameters<typeof reprice>[2]) =>
    addOffer(stage.ctx, { name: offer.id, days: null, every: "month", ...offer }, by);
  await sell({ id: "month", amount: 300 });
  await sell(pro);
  await sell(team);
  await sell({ id: "pro-year", amount: 6_000, level: "pro", every: "year" });
  await sell({ id: "team-year", amount: 9_000, level: "team", every: "year" });
  await sell({ id: "pro-ten", amount: 700, level: "pro", devices: 10 });
  return stage;
}

/** Bought by a debit: Stripe makes a switch before its money comes. */
async function bySepa(stage: Stage, offer: string) {
  const ada = await customer(stage);
  const session = await checkout(ada, offer);
  await stage.atStripe("pay", { session, email: "ada@example.com", outcome: "processing" });
  await settleAll(stage);
  await happens(stage, "settle", { session, outcome: "succeed" });
  const { subscription } = await held(stage);
  return { ada, subscription };
}

async function held(stage: Stage) {
  const [one] = await atStripeNow(stage);
  if (!one) throw new Error("Stripe holds no subscription");
  return one;
}

async function licence({ ctx }: Stage) {
  const { rows } = await ctx.store.client.execute(
    "SELECT id, type, devices FROM licences WHERE paid_until IS NOT NULL",
  );
  return { id: rows[0]?.["id"] as string, level: rows[0]?.["type"], devices: rows[0]?.["devices"] };
}

const declines = (stage: Stage, subscription: string) =>
  stage.atStripe("card/mood", { subscription, mood: "declines" });
const debit = async (stage: Stage, outcome: "succeed" | "fail") =>
  happens(stage, "invoice/settle", { invoice: await openInvoice(stage), outcome });
const check = (stage: Stage, subscription: string) =>
  settleSubscription(stage.ctx, stage.shop.checkout, subscription);

/** As a restored database that lacks them hears of all at once. */
async function forget({ ctx }: Stage) {
  const tables = ["subscription_runs", "subscriptions", "licences WHERE payment_id IS NOT NULL", "payments"];
  for (const table of tables) await ctx.store.client.execute(`DELETE FROM ${table}`);
}

test("a switch that was given up unpaid doesn't hold back what is paid since", async () => {
  await using stage = await openShop();
  const { ada } = await bySepa(stage, "month");
  await switchOnPage(stage, ada, "team");
  await debit(stage, "fail");
  await happens(stage, "invoice/uncollectible", { invoice: await openInvoice(stage) });
  await pass(stage, 32);
  await settleAll(stage);
  expect((await licence(stage)).level).toBe("premium");
  await debit(stage, "succeed");
  expect((await licence(stage)).level).toBe("team");
});

test("a switch whose invoice was voided was not paid, whoever voided it", async () => {
  await using stage = await openShop();
  const { ada } = await bySepa(stage, "pro-year");
  await switchOnPage(stage, ada, "team-year");
  await debit(stage, "fail");
  expect((await licence(stage)).level).toBe("pro");
  const key = await handOut(stage.ctx, { days: null, level: "pro" }, by);
  await ada.post("/api/licenses/redeem", { key, timezone: "UTC" });
  await settleAll(stage);
  expect(await openInvoice(stage)).toBe("");
  expect((await licence(stage)).level).toBe("pro");
});

test("a switch to a dearer, lower level takes nothing before it is paid", async () => {
  await using stage = await openShop();
  const { ada } = await bySepa(stage, "team");
  await switchOnPage(stage, ada, "pro-year");
  expect((await licence(stage)).level).toBe("team");
  await debit(stage, "succeed");
  expect((await licence(stage)).level).toBe("pro");
});

test.each([
  [{ id: "pro-ten", amount: 700, level: "pro", devices: 10 }, team],
  [team, { id: "pro-ten", amount: 1_700, level: "pro", devices: 10 }],
] as const)("level and seats are those of one price, the paid one", async (paid, owed) => {
  await using stage = await openShop();
  const { subscription } = await subscriber(stage);
  await switchTo(stage, subscription, paid);
  await declines(stage, subscription);
  await switchTo(stage, subscription, owed);
  const devices = "devices" in paid ? paid.devices : 1;
  expect(await licence(stage)).toMatchObject({ level: paid.level, devices });
});

test("a shop that hears of several switches at once gives what it gives when it hears of each", async () => {
  await using stage = await openShop();
  const { ada, subscription } = await bySepa(stage, "month");
  await switchOnPage(stage, ada, "pro");
  await debit(stage, "succeed");
  await switchOnPage(stage, ada, "team");
  expect((await licence(stage)).level).toBe("pro");
  await forget(stage);
  await check(stage, subscription);
  expect((await licence(stage)).level).toBe("pro");
});

test("a price that names no level sells the brand's, whatever its offer sells today", async () => {
  await using stage = await openShop();
  const { subscription } = await subscriber(stage);
  await changeOffer(stage.ctx, "pro", { level: "premium" }, by);
  await switchTo(stage, subscription, { id: "pro", amount: 600, level: "" });
  await changeOffer(stage.ctx, "pro", { level: "team" }, by);
  await forget(stage);
  await check(stage, subscription);
  expect((await licence(stage)).level).toBe("premium");
});

test("a year that was paid stays at its level: a dearer month by hand gives its own only while that is paid", async () => {
  await using stage = await openShop();
  const ada = await customer(stage);
  await buy(stage, ada, { offer: "pro-year" });
  const { subscription } = await held(stage);
  await switchTo(stage, subscription, team);
  expect((await licence(stage)).level).toBe("team");
  await stripeOf(stage).subscriptions.cancel(subscription);
  await settleAll(stage);
  expect((await licence(stage)).level).toBe("team");
  const { rows } = await stage.ctx.store.client.execute("SELECT look_again_at FROM subscriptions");
  expect(rows[0]?.["look_again_at"]).not.toBeNull();
  await pass(stage, 40);
  await check(stage, subscription);
  expect((await seenBy(ada)).licence).toMatchObject({ active: true, level: { id: "pro" } });
});

test("what staff set while a switch is owed gives way to what is paid", async () => {
  await using stage = await openShop();
  const { ada } = await bySepa(stage, "month");
  await switchOnPage(stage, ada, "team");
  const { id } = await licence(stage);
  await changeLevelOf(stage.ctx, { id }, "pro", by);
  await settleAll(stage);
  expect((await licence(stage)).level).toBe("pro");
  await debit(stage, "succeed");
  expect((await licence(stage)).level).toBe("team");
});

test("so do the seats that they set", async () => {
  await using stage = await openShop();
  const { ada } = await bySepa(stage, "month");
  await switchOnPage(stage, ada, "pro-ten");
  const { id } = await licence(stage);
  await changeDevices(stage.ctx, { id }, 2, by);
  await debit(stage, "succeed");
  expect((await licence(stage)).devices).toBe(10);
});

test("what staff set at a price gives way to another price of the same offer", async () => {
  await using stage = await openShop();
  const { ada } = await subscriber(stage);
  await changeLevelOf(stage.ctx, await licence(stage), "pro", by);
  await changeOffer(stage.ctx, "month", { level: "team", amount: 900 }, by);
  await switchOnPage(stage, ada, "month");
  expect((await licence(stage)).level).toBe("team");
});

test("what staff set doesn't come back with the price that it was set on", async () => {
  await using stage = await openShop();
  const ada = await customer(stage);
  await buy(stage, ada, { offer: "team" });
  const { subscription } = await held(stage);
  const { items } = await stripeOf(stage).subscriptions.retrieve(subscription);
  const [item] = items.data;
  await changeLevelOf(stage.ctx, await licence(stage), "premium", by);
  await switchTo(stage, subscription, { ...pro, amount: 1_000 });
  expect((await licence(stage)).level).toBe("pro");
  await stripeOf(stage).subscriptions.update(subscription, {
    items: [{ id: item?.id ?? "", price: item?.price.id ?? "" }],
    proration_behavior: "always_invoice",
  });
  await settleAll(stage);
  expect((await licence(stage)).level).toBe("team");
});

test("a price of a level that the shop lacks makes none, and gives none before an owner makes it", async () => {
  await using stage = await openShop();
  const { subscription } = await subscriber(stage);
  await switchTo(stage, subscription, pro);
  await switchTo(stage, subscription, { ...team, level: "studio" });
  const { rows } = await stage.ctx.store.client.execute("SELECT id FROM levels");
  expect(rows.map(({ id }) => id)).toEqual(["premium", "pro", "team"]);
  expect((await licence(stage)).level).toBe("pro");
  await addLevels(stage, { id: "studio", name: "Studio", place: 9 });
  await check(stage, subscription);
  expect((await licence(stage)).level).toBe("studio");
});

test("a renewal that the shop hears of after a switch was of the level that it paid", async () => {
  await using stage = await openShop();
  const { subscription } = await subscriber(stage);
  stage.stripe.setWebhookUrl(null);
  stage.advance(32 * day);
  await stripeOf(stage).subscriptions.retrieve(subscription);
  stage.advance(2 * hour);
  await reprice(stage, subscription, { ...team, devices: 5 });
  await check(stage, subscription);
  const { rows } = await stage.ctx.store.client.execute(
    "SELECT level, offer, devices, amount FROM payments WHERE paid_amount = 300",
  );
  const month = { level: "premium", offer: "month", devices: 1, amount: 300 };
  expect(rows).toMatchObject([month, month]);
});

test("a price of another shop on the same Stripe account gives no level, seats or offer", async () => {
  await using stage = await openShop();
  const { ada, subscription } = await subscriber(stage);
  await switchTo(stage, subscription, pro);
  const stripe = stripeOf(stage);
  const { items } = await stripe.subscriptions.retrieve(subscription);
  const { id: price } = await stripe.prices.create({
    currency: "usd",
    unit_amount: 100,
    recurring: { interval: "month" },
    product_data: { name: "Another shop's" },
    metadata: { offer: "cheap", level: "team", level_name: "Team", devices: "1000", shop: "another.example" },
  });
  await stripe.subscriptions.update(subscription, {
    items: [{ id: items.data[0]?.id ?? "", price }],
    proration_behavior: "always_invoice",
  });
  await settleAll(stage);
  expect(await licence(stage)).toMatchObject({ level: "pro", devices: 1 });
  expect(await seenBy(ada)).toMatchObject({ offer: "pro" });
});

test("of two items of ours the known one stays its own", async () => {
  await using stage = await openShop();
  const { ada, subscription } = await subscriber(stage);
  const stripe = stripeOf(stage);
  const { items } = await stripe.subscriptions.retrieve(subscription);
  const [item] = items.data;
  if (!item) throw new Error("it has no item");
  const row = stage.stripe.ledger.subscriptions.get(subscription);
  const price = { ...item.price, metadata: { ...item.price.metadata, offer: "team", level: "team" } };
  const other = { ...item, id: "si_0", price };
  // as a dashboard adds one
  Object.assign(row ?? {}, { items: { ...row?.items, data: [...(row?.items.data ?? []), other] } });
  await check(stage, subscription);
  expect((await licence(stage)).level).toBe("premium");
  expect((await seenBy(ada)).offer).toBe("month");
});
