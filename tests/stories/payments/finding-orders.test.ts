import { expect, test } from "bun:test";
import { minute } from "@/contract/vocabulary/time";
import { limitTable } from "@/contract/vocabulary/limits";
import { startWorker } from "@/core/jobs/worker";
import { byOperator } from "@/operator/terminal/command-line";
import type { Mailer } from "@/domain/mail/email";
import { rotateKey } from "@/domain/licences/changes/change";
import { licencesOfPayment } from "@/domain/licences/entitlement/sold";
import { correctAddress } from "@/domain/payments/corrections/corrections";
import { paymentNamed } from "@/domain/payments/reading/find";
import { emails } from "@/domain/emails";
import { emailHandlers } from "@/domain/mail/template";
import { operate, operated } from "../../support/operator/run-operator";
import { openStage, type Stage } from "../../support/shop/stage";
import { mailsTo, password, prove, tally } from "../accounts/people";
import { checkout, boughtAsGuest } from "../../support/people/buyer";

const why = ["--reason", "a story"];
const ask = (person: ReturnType<Stage["person"]>, email: unknown) =>
  person.post("/api/payments/find", { email });

/** The newest list of orders that was mailed to an address. */
async function listTo(stage: Stage, to: string): Promise<string> {
  const mails = await mailsTo(stage, to);
  return mails.find(({ subject }) => subject === "Your orders")?.text ?? "";
}

const lists = async (stage: Stage, to: string) =>
  (await mailsTo(stage, to)).filter(({ subject }) => subject === "Your orders").length;

test("everyone who asks for an address's orders gets the same answer, and only a buyer gets the mail", async () => {
  await using stage = await openStage();
  const { key } = await stage.buy("buyer@example.com");
  const found = await ask(stage.person(), "buyer@example.com");
  const nothing = await ask(stage.person(), "nobody@example.com");
  expect([found.status, found.body]).toEqual([200, nothing.body]);
  const list = await listTo(stage, "buyer@example.com");
  expect(list).toContain(key);
  expect(list).toContain("Amount: USD 5.00");
  expect(await lists(stage, "nobody@example.com")).toBe(0);
});

test("the list shows each key until it is redeemed and then a hint of the account, and marks what was refunded", async () => {
  await using stage = await openStage();
  const [used, refunded, unused] = [
    await stage.buy("Buyer@Example.com"),
    await stage.buy("buyer@example.com"),
    await stage.buy("buyer@example.com"),
  ];
  expect((await stage.person().register(used.key, "winston")).status).toBe(200);
  await stage.atStripe("refund", { session: refunded.sessionId });
  await stage.person().get(`/api/stripe/verify-payment?session_id=${refunded.sessionId}`);
  await ask(stage.person(), "BUYER@example.com");
  const list = await listTo(stage, "buyer@example.com");
  expect(list).toContain("Redeemed on the account w•••n");
  expect(list).not.toContain("winston");
  expect(list).not.toContain(used.key);
  expect(list).toContain(`${refunded.key.slice(-4)} (refunded)`);
  expect(list).not.toContain(refunded.key);
  expect(list).toContain(unused.key);
});

test("a hundred requests at once for one address mail three lists, and from one browser three are answered", async () => {
  await using stage = await openStage();
  await stage.buy("buyer@example.com");
  const hundred = Array.from({ length: 100 });
  const same = await Promise.all(hundred.map(() => ask(stage.person(), "buyer@example.com")));
  expect(new Set(same.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
  expect(await lists(stage, "buyer@example.com")).toBe(3);
  stage.advance(61 * minute);
  await ask(stage.person(), "buyer@example.com");
  expect(await lists(stage, "buyer@example.com")).toBe(4);
  const impatient = stage.person();
  const answers = await Promise.all(hundred.map((_, at) => ask(impatient, `buyer${at}@example.com`)));
  expect(tally(answers)).toEqual({ 200: 3, 429: 97 });
});

test("staff find an order with a mistyped address, correct it, and the receipt is sent there once", async () => {
  await using stage = await openStage();
  const { key, sessionId } = await stage.buy("byuer@example.com");
  await mailsTo(stage, "byuer@example.com");
  const [found] = await operated(stage, "payments", "find", "--email", "BYUER@example.com");
  expect(found).toMatchObject({ state: "succeeded", bill: { paid: 500 }, keys: [{ status: "unredeemed" }] });
  expect(JSON.stringify(found)).not.toContain(key);
  const corrected = await operated(stage, "payments", "correct-email", found.id, "buyer@example.com", ...why);
  expect(corrected).toEqual({ id: found.id, email: "buyer@example.com", replaced: 1 });
  const receipts = await mailsTo(stage, "buyer@example.com");
  expect(receipts.map(({ subject }) => subject)).toEqual(["Your Wisp Premium license key and receipt"]);
  // the key that went to the wrong address no longer works
  expect(receipts[0]?.text).toMatch(/WISP(-[0-9A-Z]{4}){4}/);
  expect(receipts[0]?.text).not.toContain(key);
  const { body } = await stage.person().get(`/api/stripe/verify-payment?session_id=${sessionId}`);
  expect(body.data).toMatchObject({ sent_receipt: true, email: "b•••@e•••.com" });
  await ask(stage.person(), "byuer@example.com");
  expect(await lists(stage, "byuer@example.com")).toBe(0);
  const trail = await operated(stage, "audit", "show", "--limit", "50");
  expect(
    trail.filter(({ action }: { action: string }) => action === "payment.email_corrected"),
  ).toMatchObject([{ actor: "operator", reason: "a story", subject: found.id }]);
});

test("a resent receipt is a new mail, which no mailbox discards as a duplicate of the first", async () => {
  await using stage = await openStage();
  const { key, sessionId } = await stage.buy("buyer@example.com");
  await mailsTo(stage, "buyer@example.com");
  await operated(stage, "payments", "resend", sessionId, ...why);
  const mails = await mailsTo(stage, "buyer@example.com");
  expect(mails).toHaveLength(2);
  for (const { text } of mails) expect(text).toContain(key);
  const ids = mails.map(({ headers }) => headers.find(({ name }) => /^message-id$/i.test(name))?.value);
  expect(new Set(ids).size).toBe(2);
});

test("a payment without a licence has no receipt to send or correct, and an invalid address is wrong usage", async () => {
  await using stage = await openStage();
  const session = await checkout(stage.person());
  for (const args of [
    ["resend", session],
    ["correct-email", session, "a@example.com"],
  ]) {
    const { err, code } = await operate(stage, "payments", ...args, ...why, "--json");
    expect([code, JSON.parse(err).error.code]).toEqual([1, "payment_not_sold"]);
  }
  expect((await operate(stage, "payments", "correct-email", session, "nobody", ...why)).code).toBe(2);
});

test("a receipt or gift that still waits is mailed once, however often it is sent again or redirected", async () => {
  await using stage = await openStage();
  stage.mail.setFaults({ mode: "reject-4xx" });
  const session = await boughtAsGuest(stage, { gift: { email: "rhae@example.org" } });
  expect(await mailsTo(stage, "buyer@example.com")).toEqual([]);
  const correct = (...to: string[]) => operated(stage, "payments", "correct-email", session, ...to, ...why);
  await correct("ada@example.com");
  await correct("rhea@example.org", "--receiver");
  await operated(stage, "payments", "resend", session, ...why);
  await stage.acceptMail(minute);
  expect(await mailsTo(stage, "ada@example.com")).toHaveLength(1);
  expect(await mailsTo(stage, "rhea@example.org")).toHaveLength(1);
  expect(stage.mail.messages()).toHaveLength(2);
});

/** Sends what waits, and does something else while the first email of a kind is being sent; resolves to where those went. */
async function sendingWhile({ ctx, url }: Stage, first: string, meanwhile: () => Promise<unknown>) {
  const sent: string[] = [];
  const mailer: Mailer = {
    async send({ to, email: { kind } }) {
      if (kind === first) sent.push(to);
      if (kind === first && sent.length === 1) await meanwhile();
    },
  };
  const worker = startWorker(ctx);
  const owner = { email: null, elsewhere: "the log" } as const;
  const shop = {
    publicUrl: url,
    seller: [],
    invoices: false,
    portalLoginPage: async () => null,
    owner,
    limits: limitTable({}),
    discord: true,
  };
  worker.add(emailHandlers(ctx, mailer, shop, emails));
  await worker.drain();
  await worker.stop();
  return sent;
}

for (const emailKind of ["receipt", "gift"] as const) {
  const sentAt = emailKind === "receipt" ? "receiptSentAt" : "giftSentAt";

  test(`a ${emailKind} whose address is corrected while it is being sent goes to the right one too`, async () => {
    await using stage = await openStage({ env: { MAIL: "off" } });
    const { ctx } = stage;
    const session = await boughtAsGuest(stage, { gift: { email: "rhae@example.org" } });
    const { payment } = await paymentNamed(ctx, session);
    const right = { email: "right@example.com", receiver: emailKind === "gift" };
    const sent = await sendingWhile(stage, emailKind, () =>
      correctAddress(ctx, payment, right, byOperator("a story")),
    );
    expect(sent.slice(1)).toEqual(["right@example.com"]);
    expect((await paymentNamed(ctx, session)).payment[sentAt]).not.toBeNull();
  });

  test(`a ${emailKind} whose key is replaced while it is being sent doesn't count as the mail of the new one`, async () => {
    await using stage = await openStage({ env: { MAIL: "off" } });
    const { ctx } = stage;
    const wanted = emailKind === "gift" ? { gift: { email: "rhae@example.org" } } : {};
    const session = await boughtAsGuest(stage, wanted);
    const { payment } = await paymentNamed(ctx, session);
    const [licence] = await licencesOfPayment(ctx, payment.id);
    if (!licence) throw new Error("no license");
    await sendingWhile(stage, emailKind, () => rotateKey(ctx, licence, byOperator("a story")));
    expect((await paymentNamed(ctx, session)).payment[sentAt]).toBeNull();
  });
}

test("a resent receipt leaves out the keys that staff revoked, and is refused if that is all of them", async () => {
  await using stage = await openStage();
  const revoke = async (session: string, index: number) => {
    const { licences } = await operated(stage, "payments", "show", session);
    await operated(stage, "licences", "revoke", licences[index].id, ...why);
  };
  const resend = (session: string) => operate(stage, "payments", "resend", session, ...why);
  const session = await boughtAsGuest(stage, { quantity: 2 });
  const [first] = await mailsTo(stage, "buyer@example.com");
  const [kept = "", revoked = ""] = first?.text?.match(/WISP(-[0-9A-Z]{4}){4}/g) ?? [];
  await revoke(session, 1);
  expect((await resend(session)).code).toBe(0);
  const [second] = await mailsTo(stage, "buyer@example.com");
  expect(second?.text).toContain(`This is your license key:\n\n    ${kept}\n`);
  expect(second?.text).not.toContain(revoked);
  await revoke(session, 0);
  expect(await resend(session)).toMatchObject({ code: 1, err: expect.stringContaining("revoked") });
  await operated(stage, "payments", "correct-email", session, "ada@example.com", ...why);
  const [last] = await mailsTo(stage, "ada@example.com");
  expect(last?.subject).toBe("Your receipt for Wisp Premium");
  expect(last?.text).not.toContain("license key");
});

test("a redeemed gift's key is not sent to another receiver", async () => {
  await using stage = await openStage();
  const session = await boughtAsGuest(stage, { gift: { email: "rhae@example.org" } });
  const [email] = await mailsTo(stage, "rhae@example.org");
  const [key = "no key"] = /WISP(-[0-9A-Z]{4}){4}/.exec(email?.text ?? "") ?? [];
  expect((await stage.person().register(key, "rhae")).status).toBe(200);
  const address = ["payments", "correct-email", session, "rhea@example.org", "--receiver"];
  const { code, err } = await operate(stage, ...address, ...why, "--json");
  expect([code, JSON.parse(err || "{}").error]).toMatchObject([1, { code: "license_taken" }]);
  expect(await mailsTo(stage, "rhea@example.org")).toEqual([]);
});

test("a revoked gift is not sent to its receiver again", async () => {
  await using stage = await openStage();
  const session = await boughtAsGuest(stage, { gift: { email: "rhae@example.org" } });
  expect(await mailsTo(stage, "rhae@example.org")).toHaveLength(1);
  const { licences } = await operated(stage, "payments", "show", session);
  await operated(stage, "licences", "revoke", licences[0].id, ...why);
  const address = ["payments", "correct-email", session, "rhea@example.org", "--receiver"];
  expect((await operate(stage, ...address, ...why)).out).toContain(
    "The licence is revoked, so the key is not sent.",
  );
  expect(await mailsTo(stage, "rhea@example.org")).toEqual([]);
});

test("staff find a gift by either address, and send it to the right one, which its buyer never reads", async () => {
  await using stage = await openStage();
  const session = await boughtAsGuest(stage, { gift: { email: "Rhae@example.org" } });
  await mailsTo(stage, "Rhae@example.org");
  for (const email of ["buyer@example.com", "rhae@example.org"]) {
    const found = await operated(stage, "payments", "find", "--email", email);
    expect(found).toMatchObject([{ gift: "Rhae@example.org" }]);
  }
  await operated(stage, "payments", "correct-email", session, "rhea@example.org", "--receiver", ...why);
  const [email] = await mailsTo(stage, "rhea@example.org");
  const [key = "no key"] = /WISP(-[0-9A-Z]{4}){4}/.exec(email?.text ?? "") ?? [];
  expect((await stage.person().register(key, "rhea")).status).toBe(200);
  await operated(stage, "payments", "resend", session, ...why);
  for (const { text } of await mailsTo(stage, "buyer@example.com")) expect(text).not.toContain(key);
  const plain = await boughtAsGuest(stage, {});
  const args = ["payments", "correct-email", plain, "rhea@example.org", "--receiver"];
  const refused = await operate(stage, ...args, ...why, "--json");
  expect([refused.code, JSON.parse(refused.err).error.code]).toEqual([1, "payment_not_gift"]);
});

test("a receipt is not sent again while its licence isn't valid, and the operator is told why", async () => {
  await using stage = await openStage();
  const [disputed, refunded] = [await stage.buy("d@example.com"), await stage.buy("r@example.com")];
  await stage.atStripe("dispute", { session: disputed.sessionId });
  await stage.stripeTells("refund", { session: refunded.sessionId });
  for (const [{ sessionId }, code, state] of [
    [disputed, "license_disputed", "disputed"],
    [refunded, "license_refunded", "refunded"],
  ] as const) {
    const answer = await operate(stage, "payments", "resend", sessionId, ...why, "--json");
    expect(answer.code).toBe(1);
    const sentence = `The payment is ${state}, so its receipt is not sent.`;
    expect(JSON.parse(answer.err).error).toMatchObject({ code, sentence });
  }
  const address = ["payments", "correct-email", disputed.sessionId, "right@example.com"];
  expect((await operate(stage, ...address, ...why)).out).toContain(
    "The payment is disputed, so the receipt is not sent.",
  );
});

test("a gift's buyer can't see its key, even after the receiver's account was deleted", async () => {
  await using stage = await openStage();
  const session = await boughtAsGuest(stage, { gift: { email: "rhea@example.org" } });
  const [email] = await mailsTo(stage, "rhea@example.org");
  const [key = "no key"] = /WISP(-[0-9A-Z]{4}){4}/.exec(email?.text ?? "") ?? [];
  const rhea = stage.person();
  const details = { username: "rhea", email: "rhea@example.org", password, key, timezone: "UTC" };
  expect((await rhea.post("/api/auth/register", details)).status).toBe(200);
  await prove(stage, "rhea");
  expect((await rhea.post("/api/user/delete", { password })).status).toBe(200);
  await operated(stage, "payments", "resend", session, ...why);
  const [again] = await mailsTo(stage, "buyer@example.com");
  expect(again?.subject).toBe("Your receipt for Wisp Premium");
  expect(again?.text).not.toContain(key);
  expect(again?.text).toContain("The license key goes to its receiver.");
  await ask(stage.person(), "buyer@example.com");
  expect(await listTo(stage, "buyer@example.com")).toMatch(/^License key: A gift$/m);
});
