/** A signed-in buyer's own purchase is added to their account when it is paid. */
import { expect, test } from "bun:test";
import { utcTime } from "@/contract/vocabulary/dates";
import { day, hour, minute } from "@/contract/vocabulary/time";
import { evidenceFor } from "@/domain/payments/evidence/evidence";
import { paymentNamed } from "@/domain/payments/reading/find";
import { reconcilePayments } from "@/domain/payments/reconcile/reconcile-payments";
import type { Person } from "../../support/people/person";
import { operated } from "../../support/operator/run-operator";
import { sellMonth } from "../../support/shop/sell-month";
import { openStage, type Stage } from "../../support/shop/stage";
import { mailsTo, me, member, password } from "../accounts/people";
import { checkout, resultOf } from "../../support/people/buyer";

const why = ["--reason", "a test"];
const month = { offer: "month" };
const wholeKey = /^WISP(-[0-9A-Z]{4}){4}$/;

/** A customer whose licence runs for 30 days. */
async function timed(stage: Stage, name: string): Promise<Person> {
  const person = stage.person();
  expect((await person.register(await stage.handOut(30), name)).status).toBe(200);
  stage.advance(minute);
  return person;
}

const pay = (stage: Stage, session: string, more: object = {}) =>
  stage.atStripe("pay", { session, email: "winston@example.com", ...more });

/** The account's licences, newest redemption first. */
const licencesOf = async (person: Person) => (await person.get("/api/licenses/me")).body.data;

const time = (written: string | null) => new Date(written ?? "").getTime();
/** The difference in whole seconds: Stripe's clock has no smaller unit. */
const secondsBetween = (one: number, other: number) => Math.abs(one - other) / 1_000;

async function buy(stage: Stage, person: Person, wanted: object = {}): Promise<string> {
  const session = await checkout(person, wanted);
  await pay(stage, session);
  await stage.stripe.flush();
  return session;
}

test("a renewal is added to the time that is left when it is paid, and needs no key", async () => {
  await using stage = await openStage();
  await sellMonth(stage);
  const winston = await timed(stage, "winston");
  const [before] = await licencesOf(winston);
  const session = await buy(stage, winston, month);
  const [renewal, first] = await licencesOf(winston);
  expect(first).toEqual(before);
  expect(renewal).toMatchObject({ active: true, status: "active" });
  expect(time(renewal.expiry_date)).toBe(time(before.expiry_date) + 30 * day);
  const result = await resultOf(winston, session);
  expect(result).toMatchObject({
    message: "Thank you! Your license is on your account.",
    license_key: renewal.key,
    for_account: "added",
  });
  expect((await winston.post("/api/licenses/redeem", { key: renewal.key, timezone: "UTC" })).body.code).toBe(
    "license_yours",
  );
  const [row] = (await winston.get("/api/payments/")).body.data;
  expect(row).toMatchObject({ status: "succeeded", license_key: renewal.key });
  const [history] = (await winston.get("/api/licenses/history")).body.data;
  expect(history.events.map(({ event }: { event: string }) => event)).toEqual(["purchased", "added"]);
});

test("the receipt says that the licence is on the account, and asks nobody to register or add it", async () => {
  await using stage = await openStage();
  await sellMonth(stage);
  const winston = await timed(stage, "winston");
  const session = await checkout(winston, month);
  await pay(stage, session, { email: "another-address@example.com" });
  await stage.stripe.flush();
  const [receipt] = await mailsTo(stage, "another-address@example.com");
  const held: { expiry_date: string }[] = (await winston.get("/api/licenses/me")).body.data;
  const until = utcTime(
    new Date(
      held
        .map(({ expiry_date }) => expiry_date)
        .toSorted()
        .at(-1) ?? "",
    ),
  );
  expect(receipt?.text).toContain(`It's already on your account. Your license now runs until ${until}.`);
  expect(receipt?.text).toContain(`Download Wisp:\n${stage.url}dashboard/download\n`);
  expect(receipt?.text).not.toMatch(/register|add it/i);
});

test("the other tabs, other browsers and strangers learn that it was redeemed, and never see the key", async () => {
  await using stage = await openStage();
  await sellMonth(stage);
  const winston = await timed(stage, "winston");
  const session = await buy(stage, winston, month);
  const signedOut = stage.person();
  const checkoutCookie = [...winston.cookies].filter(([name]) => name.includes("checkout"));
  for (const [name, value] of checkoutCookie) signedOut.cookies.set(name, value);
  for (const viewer of [signedOut, stage.person(), await timed(stage, "eve")]) {
    const seen = await resultOf(viewer, session);
    expect(seen.license_key).not.toMatch(wholeKey);
    expect(seen).toMatchObject({
      for_account: null,
      message: "Thank you! Your license is on the account that bought it.",
    });
  }
});

test("without any webhook the result page or the sweep adds it, and its time runs from the payment", async () => {
  await using stage = await openStage({ webhooks: false });
  await sellMonth(stage);
  for (const source of ["result page", "sweep"]) {
    const buyer = stage.person();
    const name = source.replace(" ", "");
    expect((await buyer.register(await stage.handOut(1), name)).status).toBe(200);
    stage.advance(2 * day);
    const session = await checkout(buyer, month);
    await pay(stage, session);
    const paid = stage.ctx.now().getTime();
    stage.advance(5 * hour);
    expect((await me(buyer)).data.active_license).toBe(false);
    if (source === "sweep") await reconcilePayments(stage.ctx, stage.shop.checkout);
    else await resultOf(buyer, session);
    const [added] = await licencesOf(buyer);
    expect(secondsBetween(time(added.redeemed_date), paid)).toBeLessThan(30);
    expect(time(added.expiry_date)).toBe(time(added.redeemed_date) + 30 * day);
    expect((await me(buyer)).data.active_license).toBe(true);
  }
});

test("three webhooks and ten open tabs at once add it once", async () => {
  await using stage = await openStage({ webhooks: false });
  await sellMonth(stage);
  const winston = await timed(stage, "winston");
  const session = await checkout(winston, month);
  await pay(stage, session);
  stage.stripe.setWebhookUrl(stage.webhookUrl());
  await Promise.all([
    ...Array.from({ length: 10 }, () => resultOf(winston, session)),
    ...Array.from({ length: 3 }, () => reconcilePayments(stage.ctx, stage.shop.checkout)),
  ]);
  await resultOf(winston, session);
  expect(await licencesOf(winston)).toHaveLength(2);
  const [added, first] = await licencesOf(winston);
  expect(time(added.expiry_date)).toBe(time(first.expiry_date) + 30 * day);
  const trail = await operated(stage, "audit", "show", "--action", "licence.added", "--limit", "50");
  expect(trail).toMatchObject([{ actor: "shop" }]);
});

test("two orders paid at once are both added, one after the other", async () => {
  await using stage = await openStage({ webhooks: false });
  await sellMonth(stage);
  const winston = await timed(stage, "winston");
  const sessions = [await checkout(winston, month), await checkout(winston, month)];
  for (const session of sessions) await pay(stage, session);
  await Promise.all(sessions.map((session) => resultOf(winston, session)));
  const all = await licencesOf(winston);
  const last = Math.max(...all.map((one: { expiry_date: string }) => time(one.expiry_date)));
  expect(all).toHaveLength(3);
  const first = Math.min(...all.map((one: { expiry_date: string }) => time(one.expiry_date)));
  expect(last).toBe(first + 60 * day);
});

test("of two lifetimes paid at once one is added, and the other's key is the buyer's to give away", async () => {
  await using stage = await openStage({ webhooks: false });
  const winston = await timed(stage, "winston");
  const sessions = [await checkout(winston), await checkout(winston)];
  for (const session of sessions) await pay(stage, session);
  await Promise.all(sessions.map((session) => resultOf(winston, session)));
  const results = await Promise.all(sessions.map((session) => resultOf(winston, session)));
  const [added, ...others] = results.filter(({ for_account }) => for_account === "added");
  const [left] = results.filter(({ for_account }) => for_account === "redundant");
  expect(others).toEqual([]);
  expect(await licencesOf(winston)).toMatchObject([{ status: "active" }, { status: "active" }]);
  expect(added.license_key).not.toBe(left.license_key);
  expect((await stage.person().register(left.license_key, "friend")).status).toBe(200);
});

test("a licence that would add nothing is not added: the page and the receipt say so and show the key", async () => {
  await using stage = await openStage();
  const winston = await member(stage, "winston");
  const session = await buy(stage, winston);
  expect(await licencesOf(winston)).toHaveLength(1);
  const result = await resultOf(winston, session);
  expect(result).toMatchObject({ status: "Payment Successful", for_account: "redundant" });
  expect(result.message).toBe(
    "Thank you! Your account already has a lifetime license, so this one wasn't added. Its key is yours to give away.",
  );
  expect(result.license_key).toMatch(wholeKey);
  const [receipt] = await mailsTo(stage, "winston@example.com");
  expect(receipt?.text).toContain(result.license_key);
  expect(receipt?.text).toContain("this key is yours to give away");
  expect((await winston.get("/api/licenses/unused")).body).toEqual({ status: 200, data: [] });
});

test("the evidence says that the shop added it, and to whose account, not that anybody redeemed a key", async () => {
  await using stage = await openStage();
  await sellMonth(stage);
  const winston = await timed(stage, "winston");
  const session = await buy(stage, winston, month);
  const sale = await paymentNamed(stage.ctx, session);
  const evidence = await evidenceFor(stage.ctx, sale);
  expect(evidence.access_activity_log).toContain(
    "The license was added to the account that the buyer was signed in to.",
  );
  expect(JSON.stringify(evidence)).not.toContain("redeemed");
  const events = (await winston.get("/api/user/security-events")).body.data;
  expect(JSON.stringify(events)).toContain("licence.added");
});

test("gifts and orders of several are not added", async () => {
  await using stage = await openStage();
  await sellMonth(stage);
  const winston = await timed(stage, "winston");
  const gift = await buy(stage, winston, { ...month, gift: { email: "julia@example.com" } });
  const several = await buy(stage, winston, { ...month, quantity: 3 });
  expect(await licencesOf(winston)).toHaveLength(1);
  expect((await resultOf(winston, gift)).for_account).toBe(null);
  const result = await resultOf(winston, several);
  expect(result).toMatchObject({
    for_account: "addable",
    message: "Thank you! Your license keys are ready.",
  });
});

test("a purchase refunded before the shop learned of the payment is on the account as refunded", async () => {
  await using stage = await openStage({ webhooks: false });
  await sellMonth(stage);
  const winston = await timed(stage, "winston");
  const session = await checkout(winston, month);
  await pay(stage, session);
  await stage.atStripe("refund", { session });
  expect((await resultOf(winston, session)).status).toBe("Payment Refunded");
  const all = await licencesOf(winston);
  expect(all.map(({ status }: { status: string }) => status).toSorted()).toEqual(["active", "refunded"]);
});

test("a database that lost the order is filled again from Stripe, and so is the buyer's account", async () => {
  await using stage = await openStage();
  await sellMonth(stage);
  const winston = await timed(stage, "winston");
  const session = await buy(stage, winston, month);
  const [before] = await licencesOf(winston);
  const { client } = stage.ctx.store;
  const forgotten = `SELECT id FROM payments WHERE session_id = '${session}'`;
  await client.batch(
    [
      `DELETE FROM licences WHERE payment_id IN (${forgotten})`,
      `DELETE FROM payments WHERE session_id = '${session}'`,
    ],
    "write",
  );
  expect(await licencesOf(winston)).toHaveLength(1);
  stage.advance(5 * hour);
  await reconcilePayments(stage.ctx, stage.shop.checkout);
  const [again] = await licencesOf(winston);
  expect(again).toEqual({ ...before, redeemed_date: again.redeemed_date, expiry_date: again.expiry_date });
  expect(secondsBetween(time(again.redeemed_date), time(before.redeemed_date))).toBeLessThan(2);
});

test("somebody who edits an order's metadata at Stripe to name a buyer gains nothing when the order is rebuilt from it", async () => {
  await using stage = await openStage({ webhooks: false });
  await sellMonth(stage);
  const [winston, eve] = [await timed(stage, "winston"), await timed(stage, "eve")];
  const paid = async (person: Person) => {
    const session = await checkout(person, month);
    const { metadata } = (await pay(stage, session)) as { metadata: Record<string, string> };
    return { session, metadata };
  };
  const his = await paid(winston);
  await paid(eve);
  const [hisOrder, hersId, hisId] = [
    his.metadata["order_1"] ?? "",
    (await me(eve)).data.id,
    (await me(winston)).data.id,
  ];
  expect(hisOrder).toContain(hisId);
  const edited = { ...his.metadata, order_1: hisOrder.replace(hisId, hersId) };
  await stage.atStripe("alter", { session: his.session, metadata: edited });
  await stage.ctx.store.client.execute("DELETE FROM payments");
  await reconcilePayments(stage.ctx, stage.shop.checkout);
  expect(await licencesOf(winston)).toHaveLength(1);
  expect(await licencesOf(eve)).toHaveLength(2);
  expect((await stage.person().get(`/api/stripe/verify-payment?session_id=${his.session}`)).body.code).toBe(
    "payment_unknown",
  );
});

test("an account that is deleted between buying and paying gets nothing, and the key is the payer's", async () => {
  await using stage = await openStage({ webhooks: false });
  await sellMonth(stage);
  const winston = await timed(stage, "winston");
  const session = await checkout(winston, month);
  expect((await winston.post("/api/user/delete", { password })).status).toBe(200);
  await pay(stage, session);
  expect((await resultOf(stage.person(), session)).status).toBe("Payment Successful");
  const [receipt] = await mailsTo(stage, "winston@example.com");
  const [key = "no key"] = /WISP(-[0-9A-Z]{4}){4}/.exec(receipt?.text ?? "") ?? [];
  expect(receipt?.text).toContain("Register with it");
  expect((await stage.person().register(key, "julia")).status).toBe(200);
});

test("an account that is deleted while its payment is settled stops nothing", async () => {
  await using stage = await openStage({ webhooks: false });
  await sellMonth(stage);
  const people = await Promise.all(["ada", "bea", "cleo"].map((name) => timed(stage, name)));
  for (const person of people) {
    const session = await checkout(person, month);
    await pay(stage, session);
    const [deleted, settled] = await Promise.all([
      person.post("/api/user/delete", { password }),
      resultOf(stage.person(), session),
    ]);
    expect([deleted.status, settled.status]).toEqual([200, "Payment Successful"]);
  }
});

test("a buyer who is blocked after the checkout began gets what they paid for", async () => {
  await using stage = await openStage();
  await sellMonth(stage);
  const winston = await timed(stage, "winston");
  const session = await checkout(winston, month);
  await operated(stage, "blocks", "add", "email", "winston@example.com", ...why);
  await pay(stage, session);
  await stage.stripe.flush();
  expect(await licencesOf(winston)).toHaveLength(2);
});

test("a signed-in buyer is shown an unused key until they add it", async () => {
  await using stage = await openStage();
  await sellMonth(stage);
  const winston = await timed(stage, "winston");
  const unused = async (person: Person) => (await person.get("/api/licenses/unused")).body.data;
  expect(await unused(winston)).toEqual([]);
  const session = await buy(stage, winston, { ...month, quantity: 2 });
  await buy(stage, winston, { ...month, gift: { email: "julia@example.com" } });
  await stage.buy("winston@example.com");
  const { license_keys: keys } = await resultOf(winston, session);
  const [one, two] = await unused(winston);
  expect([one.key, two.key]).toEqual(keys);
  expect(one).toMatchObject({ name: "One month", days: 30, payment_id: expect.stringMatching(/^pi_/) });
  expect(await unused(await timed(stage, "eve"))).toEqual([]);

  expect((await winston.post("/api/licenses/redeem", { key: one.key, timezone: "UTC" })).status).toBe(200);
  expect(await unused(winston)).toEqual([two]);
  await stage.stripeTells("dispute", { session, status: "needs_response" });
  expect(await unused(winston)).toEqual([]);
  await stage.stripeTells("dispute", { session, status: "won" });
  expect(await unused(winston)).toEqual([two]);
  await winston.post("/api/licenses/redeem", { key: await stage.handOut(), timezone: "UTC" });
  expect(await unused(winston)).toEqual([]);
  expect((await stage.person().get("/api/licenses/unused")).status).toBe(401);
});
