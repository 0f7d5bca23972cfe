import { expect, test } from "bun:test";
import { day } from "@/contract/vocabulary/time";
import { accountByName } from "@/domain/accounts/sessions/account";
import { makeIssue } from "@/domain/jobs/make";
import { changeLicence, extendLicence } from "@/domain/licences/changes/change";
import { licenceOfKey } from "@/domain/licences/keys/find";
import { grantLicence } from "@/domain/offers/grant";
import { addOffer } from "@/domain/offers/change";
import type { Stage } from "../../support/shop/stage";
import { mailsTo } from "../accounts/people";
import { by, happens, openSubscriptionShop, pass, password, seenBy, subscriber } from "./subscriber";

async function licenceOf(stage: Stage, key: string) {
  const licence = await licenceOfKey(stage.ctx, key);
  if (!licence) throw new Error("no such key");
  return licence;
}

async function accountOf(stage: Stage, name: string) {
  const account = await accountByName(stage.ctx, name);
  if (!account) throw new Error("no such account");
  return account;
}

test("suspending one leaves it billed, and its renewals", async () => {
  await using stage = await openSubscriptionShop();
  const { ada } = await subscriber(stage);
  const { license_key: key } = await seenBy(ada);
  await changeLicence(stage.ctx, await licenceOf(stage, key), "suspend", by);
  await pass(stage, 32);
  expect(await seenBy(ada)).toMatchObject({
    status: "active",
    licence: { active: false, status: "suspended" },
  });
  await changeLicence(stage.ctx, await licenceOf(stage, key), "reinstate", by);
  expect(await seenBy(ada)).toMatchObject({ status: "active", graceDays: 3, licence: { active: true } });
});

test("days that staff add begin when what is paid runs out, once, and a renewal runs beside them", async () => {
  await using stage = await openSubscriptionShop();
  const { ada } = await subscriber(stage);
  const { license_key: key } = await seenBy(ada);
  await extendLicence(stage.ctx, await licenceOf(stage, key), 5, by);
  expect(await seenBy(ada)).toMatchObject({ graceDays: 5 });
  await pass(stage, 32);
  expect(await seenBy(ada)).toMatchObject({ graceDays: 3, licence: { active: true } });
});

test("days added before a subscription's key is redeemed are there afterwards", async () => {
  await using stage = await openSubscriptionShop();
  const ada = stage.person();
  const session = await ada.post("/api/stripe/create-checkout-session", {
    currency: "usd",
    offer: "month",
  });
  const id = session.body.data.id;
  await happens(stage, "pay", { session: id, email: "ada@example.com" });
  const seen = await ada.get(`/api/stripe/verify-payment?session_id=${id}`);
  const key = seen.body.data.license_key;
  expect(key).toEqual(expect.any(String));
  const licence = await licenceOf(stage, key);
  await extendLicence(stage.ctx, licence, 5, by);
  await ada.register(key, "ada");
  const after = await licenceOf(stage, key);
  expect(after.expiresAt?.getTime()).toBe((licence.paidUntil?.getTime() ?? 0) + 2 * day);
});

test("an offer that is paid every month is neither granted nor issued: only Stripe's money makes its time", async () => {
  await using stage = await openSubscriptionShop();
  await stage.person().register(await stage.handOut(1), "ada");
  const refused = { code: "invalid_field", detail: { field: "offer" } };
  const granted = grantLicence(stage.ctx, await accountOf(stage, "ada"), { offer: "month" }, by);
  expect(granted).rejects.toMatchObject(refused);
  const issued = makeIssue(stage.ctx, { offer: "month", count: 2, email: null }, by);
  expect(issued).rejects.toMatchObject(refused);
});

test("days that are bought or granted beside a subscription that renews wait as a key", async () => {
  await using stage = await openSubscriptionShop();
  const { ada, subscription } = await subscriber(stage);
  await addOffer(stage.ctx, { id: "week", name: "A week", amount: 200, days: 7 }, by);
  const granted = grantLicence(stage.ctx, await accountOf(stage, "ada"), { offer: "week" }, by);
  expect(granted).rejects.toMatchObject({ code: "subscription_running" });
  const opened = await ada.post("/api/stripe/create-checkout-session", { currency: "usd", offer: "week" });
  await happens(stage, "pay", { session: opened.body.data.id, email: "ada@example.com" });
  const { body } = await ada.get(`/api/stripe/verify-payment?session_id=${opened.body.data.id}`);
  expect(await licenceOf(stage, body.data.license_key)).toMatchObject({ accountId: null, redeemedAt: null });
  expect(body.data).toMatchObject({
    for_account: "waiting",
    message:
      "Thank you! Your subscription is still running. Keep your license key and redeem it when that ends.",
  });
  const mails = await mailsTo(stage, "ada@example.com");
  const receipt = mails.find(({ text }) => text?.includes(body.data.license_key));
  expect(receipt?.text).toContain("Keep this key and add it when that ends");
  // nothing offers to add what would be refused, until the subscription has ended
  const unused = async () => (await ada.get("/api/licenses/unused")).body.data;
  expect(await unused()).toEqual([]);
  await stage.atStripe("subscription/cancel", { subscription, at: "now" });
  await pass(stage, 32);
  await ada.post("/api/auth/login", { username: "ada", password });
  expect(await unused()).toMatchObject([{ days: 7 }]);
});
