/** The token in the link of a receipt or gift mail: it stands for the key that the mail shows, and for the address. */
import { expect, test } from "bun:test";
import { day, minute } from "@/contract/vocabulary/time";
import { formerEmails } from "@/domain/schema/accounts";
import { operated } from "../../support/operator/run-operator";
import { boughtAsGuest } from "../../support/people/buyer";
import type { Person } from "../../support/people/person";
import { openStage, type Stage } from "../../support/shop/stage";
import { confirmation, login, mailsTo, me, password, recover } from "./people";

const why = ["--reason", "a story"];
const receipt = /^Your Wisp Premium license keys? and receipt$/;
const gift = "A gift for you: Wisp Premium";

/** What the link of the newest mail with that subject leads to, and the keys that the mail shows. */
async function linkTo(stage: Stage, to: string, subject: RegExp | string = receipt) {
  const found = (await mailsTo(stage, to)).find((mail) => mail.subject?.match(subject));
  const text = found?.text ?? "";
  const html = found?.html ?? "";
  const [, page = "", token = ""] = /^http\S+?\/(register|dashboard\/license)#(\S+)$/m.exec(text) ?? [];
  const keys = Array.from(text.match(/WISP(-[0-9A-Z]{4}){4}/g) ?? []);
  return { page, token, keys, text, html };
}

const exchange = async (stage: Stage, token: string) =>
  (await stage.person().post("/api/payments/mailed", { token })).body;

const invalid = { status: 400, code: "link_invalid" };

const registered = (person: Person, key: string, name: string, more: object = {}) =>
  person.post("/api/auth/register", {
    username: name,
    email: `${name}@example.com`,
    password,
    key,
    timezone: "Europe/Berlin",
    ...more,
  });

const redeemed = (person: Person, key: string, token: string) =>
  person.post("/api/licenses/redeem", { key, timezone: "Europe/Berlin", mailed_token: token });

const isConfirmed = async (person: Person): Promise<boolean> => (await me(person)).data.email_confirmed;

const askedToConfirm = async (stage: Stage, to: string) =>
  (await mailsTo(stage, to)).filter(({ subject }) => subject === "Confirm your email address").length;

/** An account whose 30 days have run out, so that another key adds something. */
async function formerMember(stage: Stage, name: string): Promise<Person> {
  const person = stage.person();
  await person.register(await stage.handOut(30), name, password);
  stage.advance(31 * day);
  await login(person, name);
  return person;
}

test("a buyer who follows the receipt's link and registers has a confirmed address, and no further mail", async () => {
  await using stage = await openStage();
  const { key } = await stage.buy("ada@example.com");
  const { page, token, text, html } = await linkTo(stage, "ada@example.com");
  expect(page).toBe("register");
  for (const part of [text, html]) {
    expect(part.match(/register#[^\s"<]+/)?.[0]).toBe(`register#${token}`);
    expect(part.slice(part.indexOf("register#")).split(/[\s"<]/)[0]).not.toContain(key.slice(-4));
  }
  for (const _ of [1, 2, 3])
    expect(await exchange(stage, token)).toEqual({ status: 200, data: { email: "ada@example.com", key } });
  const ada = stage.person();
  expect((await registered(ada, key, "ada", { mailed_token: token })).status).toBe(200);
  expect(await isConfirmed(ada)).toBe(true);
  expect(await askedToConfirm(stage, "ada@example.com")).toBe(0);
  const events = (await ada.get("/api/user/security-events")).body.data;
  expect(events.map(({ code }: { code: string }) => code)).toContain("email.confirmed");
  expect(await exchange(stage, token)).toMatchObject(invalid);
});

test("without the token, or with another address or key, nothing is confirmed and the mailbox is asked", async () => {
  await using stage = await openStage();
  await stage.buy("ada@example.com");
  const { token, keys } = await linkTo(stage, "ada@example.com");
  const unproven = { bob: {}, cyd: { mailed_token: token }, eve: { mailed_token: `${token}x` } };
  for (const [name, more] of Object.entries(unproven)) {
    const person = stage.person();
    const { key } = await stage.buy(`${name}@example.com`);
    expect((await registered(person, key, name, more)).status).toBe(200);
    expect(await isConfirmed(person)).toBe(false);
    expect(await askedToConfirm(stage, `${name}@example.com`)).toBe(1);
  }
  // another key of the same buyer's
  const ada = stage.person();
  expect((await registered(ada, await stage.handOut(), "ada", { mailed_token: token })).status).toBe(200);
  expect(await isConfirmed(ada)).toBe(false);
  // another address with that very key
  const dan = stage.person();
  expect((await registered(dan, keys[0] ?? "", "dan", { mailed_token: token })).status).toBe(200);
  expect(await isConfirmed(dan)).toBe(false);
});

test("a gift's email has a link for its receiver, and the buyer's receipt has none", async () => {
  await using stage = await openStage();
  await boughtAsGuest(stage, { gift: { email: "Gil@Example.com" } }, "buyer@example.com");
  const { page, token, keys } = await linkTo(stage, "Gil@Example.com", gift);
  expect(page).toBe("register");
  expect(await exchange(stage, token)).toMatchObject({ data: { email: "Gil@Example.com", key: keys[0] } });
  expect((await linkTo(stage, "buyer@example.com", /receipt/)).token).toBe("");
  const gil = stage.person();
  await registered(gil, keys[0] ?? "", "gil", { mailed_token: token });
  expect(await isConfirmed(gil)).toBe(true);
});

test("a signed-in account of the address that adds the key confirms it, once", async () => {
  await using stage = await openStage();
  const ada = await formerMember(stage, "ada");
  await ada.post("/api/user/email/confirm", {});
  const asked = await confirmation(stage, "ada@example.com");
  await stage.buy("Ada@Example.com");
  const { page, token, keys } = await linkTo(stage, "Ada@Example.com");
  // an address that was only typed identifies nobody
  expect(page).toBe("register");
  expect(await isConfirmed(ada)).toBe(false);
  expect((await redeemed(ada, keys[0] ?? "", token)).status).toBe(200);
  expect(await isConfirmed(ada)).toBe(true);
  // what was asked of the mailbox before is answered
  expect((await ada.post("/api/user/email/confirm", { token: asked.token })).body.code).toBe(
    "confirmation_invalid",
  );
  expect((await redeemed(ada, keys[0] ?? "", token)).body.code).toBe("license_yours");
});

test("an account that typed the address first loses it to the account that proves it, by registering or by adding the key", async () => {
  await using stage = await openStage();
  const typed = async (name: string, email: string) => {
    const person = stage.person();
    await registered(person, await stage.handOut(30), name, { email });
    return person;
  };
  const eve = await typed("eve", "ada@example.com");
  await stage.buy("ada@example.com");
  const first = await linkTo(stage, "ada@example.com");
  const ada = stage.person();
  await registered(ada, first.keys[0] ?? "", "ada", { mailed_token: first.token });
  expect((await me(ada)).data).toMatchObject({ email: "ada@example.com", email_confirmed: true });
  expect((await me(eve)).data).toMatchObject({ email: null, email_confirmed: false });

  const [mallory, bob] = [await typed("mallory", "bob@example.com"), await typed("bob", "bob@example.com")];
  await stage.buy("bob@example.com");
  const second = await linkTo(stage, "bob@example.com");
  expect((await redeemed(bob, second.keys[0] ?? "", second.token)).status).toBe(200);
  expect(await isConfirmed(bob)).toBe(true);
  expect((await me(mallory)).data.email).toBeNull();
});

test("an address that another account has confirmed, or still recovers its account, is not confirmed again", async () => {
  await using stage = await openStage();
  const eve = stage.person();
  await registered(eve, await stage.handOut(30), "eve", { email: "ada@example.com" });
  const ada = stage.person();
  await registered(ada, await stage.handOut(), "ada");
  await stage.buy("ada@example.com");
  const { token, keys } = await linkTo(stage, "ada@example.com");
  // eve typed it first, and ada has it reserved without having it any more
  const { id } = (await me(ada)).data;
  const former = { id: "former", accountId: id, email: "ada@example.com", emailKey: "ada@example.com" };
  await stage.ctx.store.db.insert(formerEmails).values({ ...former, replacedAt: stage.ctx.now() });
  expect((await redeemed(eve, keys[0] ?? "", token)).status).toBe(200);
  expect(await isConfirmed(eve)).toBe(false);
});

test("adding the key to an account of another address adds it and confirms nothing", async () => {
  await using stage = await openStage();
  const bob = await formerMember(stage, "bob");
  await stage.buy("ada@example.com");
  const { token, keys } = await linkTo(stage, "ada@example.com");
  expect((await redeemed(bob, keys[0] ?? "", token)).status).toBe(200);
  expect(await isConfirmed(bob)).toBe(false);
});

test("a confirmed address stays as it was confirmed, and a pending change stays pending", async () => {
  await using stage = await openStage();
  const ada = await formerMember(stage, "ada");
  await recover(stage, "ada@example.com");
  await login(ada, "ada");
  await ada.post("/api/user/email/reset", { email: "new@example.com", password });
  await stage.buy("ada@example.com");
  const { page, token, keys } = await linkTo(stage, "ada@example.com");
  expect(page).toBe("dashboard/license");
  expect((await redeemed(ada, keys[0] ?? "", token)).status).toBe(200);
  expect((await me(ada)).data).toMatchObject({ email_confirmed: true, email_pending: "new@example.com" });
});

test("the link works for 14 days from when the mail server took the mail", async () => {
  await using stage = await openStage();
  stage.mail.setFaults({ mode: "reject-4xx", at: "sender" });
  const { key } = await stage.buy("ada@example.com");
  await stage.shop.worker.drain();
  stage.advance(3 * day);
  stage.mail.setFaults({ mode: "accept" });
  const { token } = await linkTo(stage, "ada@example.com");
  stage.advance(14 * day - minute);
  expect(await exchange(stage, token)).toMatchObject({ status: 200 });
  stage.advance(minute);
  expect(await exchange(stage, token)).toMatchObject(invalid);
  const ada = stage.person();
  expect((await registered(ada, key, "ada", { mailed_token: token })).status).toBe(200);
  expect(await isConfirmed(ada)).toBe(false);
});

test("a corrected address and a replaced key end the link", async () => {
  await using stage = await openStage();
  const first = await boughtAsGuest(stage, {}, "typo@example.com");
  const mistyped = await linkTo(stage, "typo@example.com");
  await operated(stage, "payments", "correct-email", first, "ada@example.com", ...why);
  const right = await linkTo(stage, "ada@example.com");
  expect(await exchange(stage, mistyped.token)).toMatchObject(invalid);
  expect(await exchange(stage, right.token)).toMatchObject({ data: { key: right.keys[0] } });
  const { key } = await operated(stage, "licences", "rotate", right.keys[0] ?? "", ...why);
  expect(await exchange(stage, right.token)).toMatchObject(invalid);
  const ada = stage.person();
  expect((await registered(ada, key, "ada", { mailed_token: right.token })).status).toBe(200);
  expect(await isConfirmed(ada)).toBe(false);

  const given = await boughtAsGuest(stage, { gift: { email: "typo@example.com" } });
  const wrong = await linkTo(stage, "typo@example.com", gift);
  // the buyer's own address says nothing of the gift's
  await operated(stage, "payments", "correct-email", given, "payer@example.com", ...why);
  expect(await exchange(stage, wrong.token)).toMatchObject({ status: 200 });
  await operated(stage, "payments", "correct-email", given, "gil@example.com", "--receiver", ...why);
  expect(await exchange(stage, wrong.token)).toMatchObject(invalid);
});

test("a refunded or revoked key ends the link", async () => {
  await using stage = await openStage();
  const session = await boughtAsGuest(stage, {}, "ada@example.com");
  const { token } = await linkTo(stage, "ada@example.com");
  await stage.atStripe("refund", { session });
  await stage.person().get(`/api/stripe/verify-payment?session_id=${session}`);
  expect(await exchange(stage, token)).toMatchObject(invalid);
});

test("of several keys the link stands for the first, and a receipt sent again for the first that is left", async () => {
  await using stage = await openStage();
  const session = await boughtAsGuest(stage, { quantity: 3 }, "ada@example.com");
  const { token, keys } = await linkTo(stage, "ada@example.com");
  expect(await exchange(stage, token)).toMatchObject({ data: { key: keys[0] } });
  await stage.person().register(keys[0] ?? "", "friend");
  expect(await exchange(stage, token)).toMatchObject(invalid);
  await operated(stage, "payments", "resend", session, ...why);
  const again = await linkTo(stage, "ada@example.com");
  expect(await exchange(stage, again.token)).toMatchObject({ data: { key: keys[1] } });
});

test("a link whose key is in use, or that nobody made, reveals nothing", async () => {
  await using stage = await openStage();
  const { key } = await stage.buy("ada@example.com");
  const { token } = await linkTo(stage, "ada@example.com");
  const [id = ""] = token.split(".");
  for (const wrong of ["x", id, `${id}.`, `${token}x`, `x${token}`, token.toUpperCase(), key])
    expect(await exchange(stage, wrong)).toMatchObject(invalid);
  expect((await stage.person().post("/api/payments/mailed", {})).status).toBe(400);
});
