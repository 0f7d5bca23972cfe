import { staff } from "../../support/people/staff";
/** What the email with a key asks its reader to do next. */
import { expect, test } from "bun:test";
import { day } from "@/contract/vocabulary/time";
import { accountByName } from "@/domain/accounts/sessions/account";
import { resendKeys } from "@/domain/licences/keys/resend-key";
import { operated } from "../../support/operator/run-operator";
import { openStage, type Stage } from "../../support/shop/stage";
import { mailsTo, member, recover } from "../accounts/people";
import { boughtAsGuest } from "../../support/people/buyer";

const why = ["--reason", "a story"];

/** The newest mail to an address with that subject, as text and HTML. */
async function letterTo(stage: Stage, to: string, subject: string) {
  const found = (await mailsTo(stage, to)).find((mail) => mail.subject === subject);
  return { text: found?.text ?? "", html: found?.html ?? "" };
}

const receiptTo = (stage: Stage, to: string) =>
  letterTo(stage, to, "Your Wisp Premium license key and receipt");

const listTo = async (stage: Stage, email: string) => {
  await stage.person().post("/api/payments/find", { email });
  return letterTo(stage, email, "Your orders");
};

/** A customer whose 30 days have run out, and whose mailbox has proven itself: a typed address identifies nobody. */
async function formerMember(stage: Stage, name: string) {
  const person = stage.person();
  expect((await person.register(await stage.handOut(30), name)).status).toBe(200);
  stage.advance(31 * day);
  await recover(stage, `${name}@example.com`);
  return person;
}

test("a receipt tells a stranger to register, and an address with an account to sign in and add the key", async () => {
  await using stage = await openStage();
  await formerMember(stage, "winston");
  await stage.buy("stranger@example.com");
  const { key } = await stage.buy("Winston@Example.com");
  const stranger = await receiptTo(stage, "stranger@example.com");
  expect(stranger.text).toContain("Register with it, then download Wisp and paste your token into it.");
  expect(stranger.text).toContain(`Register:\n${stage.url}register#`);
  const customer = await receiptTo(stage, "Winston@Example.com");
  for (const part of [customer.text, customer.html]) {
    expect(part).toContain(key);
    expect(part).toContain("Sign in and add it");
    expect(part).toContain(`${stage.url}dashboard/license`);
    expect(part).not.toMatch(/register/i);
  }
});

test("a receipt of several keys tells an address with an account to add one of them", async () => {
  await using stage = await openStage();
  await formerMember(stage, "winston");
  await boughtAsGuest(stage, { quantity: 2 }, "winston@example.com");
  const { text } = await letterTo(stage, "winston@example.com", "Your Wisp Premium license keys and receipt");
  expect(text).toContain("Sign in and add one");
  expect(text).not.toContain(`${stage.url}register`);
});

test("an address whose account has a lifetime license learns that the key is theirs to give away", async () => {
  await using stage = await openStage();
  await member(stage, "winston");
  await recover(stage, "winston@example.com");
  await stage.buy("winston@example.com");
  const { text } = await receiptTo(stage, "winston@example.com");
  expect(text).toContain("Your account already has a lifetime license, so this key is yours to give away.");
  expect(text).not.toMatch(/register:|sign in/i);
});

test("a receipt sent again after its key was used says so, and tells nobody to register", async () => {
  await using stage = await openStage();
  const { key, sessionId } = await stage.buy("buyer@example.com");
  await mailsTo(stage, "buyer@example.com");
  expect((await stage.person().register(key, "winston")).status).toBe(200);
  await operated(stage, "payments", "resend", sessionId, ...why);
  const { text } = await receiptTo(stage, "buyer@example.com");
  expect(text).toContain("It's already in use on an account.");
  expect(text).not.toMatch(/register/i);
});

test("a gift's receiver with an account is told to sign in, and one without to register", async () => {
  await using stage = await openStage();
  await formerMember(stage, "winston");
  await boughtAsGuest(stage, { gift: { email: "winston@example.com" } });
  await boughtAsGuest(stage, { gift: { email: "stranger@example.com" } });
  const { text } = await letterTo(stage, "winston@example.com", "A gift for you: Wisp Premium");
  expect(text).toContain(`Sign in and add it:\n${stage.url}dashboard/license#`);
  expect(text).not.toMatch(/register/i);
  const stranger = await letterTo(stage, "stranger@example.com", "A gift for you: Wisp Premium");
  expect(stranger.text).toContain(`Register:\n${stage.url}register#`);
});

test("an order that is found again says Register only for an unredeemed key without an account", async () => {
  await using stage = await openStage();
  await stage.buy("stranger@example.com");
  expect((await listTo(stage, "stranger@example.com")).text).toContain(`Register:\n${stage.url}register\n`);

  const used = await stage.buy("used@example.com");
  expect((await stage.person().register(used.key, "somebody")).status).toBe(200);
  const refunded = await stage.buy("refunded@example.com");
  await stage.atStripe("refund", { session: refunded.sessionId });
  await stage.person().get(`/api/stripe/verify-payment?session_id=${refunded.sessionId}`);
  for (const email of ["used@example.com", "refunded@example.com"]) {
    const { text, html } = await listTo(stage, email);
    expect(text).toContain("Transaction ID");
    for (const part of [text, html]) expect(part).not.toMatch(/register|sign in/i);
  }

  await formerMember(stage, "winston");
  await stage.buy("winston@example.com");
  const { text } = await listTo(stage, "winston@example.com");
  expect(text).toContain(`Sign in and add it:\n${stage.url}dashboard/license`);
  expect(text).not.toMatch(/register/i);
});

test("a key that support mails again is on its reader's account, so nobody is told to register", async () => {
  await using stage = await openStage();
  await member(stage, "winston");
  const account = await accountByName(stage.ctx, "winston");
  await resendKeys(stage.ctx, account?.id ?? "", { actor: staff("7"), reason: "a story" });
  const { text } = await letterTo(stage, "winston@example.com", "Your Wisp Premium license key");
  expect(text).toContain("It's already on your account.");
  expect(text).not.toMatch(/register/i);
});
