import { expect, test } from "bun:test";
import { join } from "node:path";
import { accounts } from "@/domain/schema/accounts";
import { operate, operated } from "../../support/operator/run-operator";
import { openStage, type Stage } from "../../support/shop/stage";
import { askForCode, login, mailedCode, mailsTo, member, password, prove } from "./people";

const why = ["--reason", "a story"];

/** The same mailbox as ada@exämple.com, in every way that a keyboard or a copied text may write it. */
const spellings = [
  "ada@exämple.com",
  "ADA@EXÄMPLE.com",
  "ada@exa\u0308mple.com",
  "ada@xn--exmple-cua.com",
  "ａda@exämple.com",
  "ⓐda@exämple。com",
];

const registering = async (stage: Stage, username: string, email: string, key?: string) =>
  stage.person().post("/api/auth/register", {
    username,
    email,
    password,
    key: key ?? (await stage.handOut()),
    timezone: "UTC",
  });

test("one mailbox is one account, however its address is spelled", async () => {
  await using stage = await openStage();
  expect((await registering(stage, "ada", spellings[0] ?? "")).status).toBe(200);
  await prove(stage, "ada");
  const key = await stage.handOut();
  for (const email of spellings) {
    const answer = await registering(stage, "other", email, key);
    expect([email, answer.status, answer.body.code]).toEqual([email, 409, "email_taken"]);
  }
  const other = await member(stage, "other");
  for (const email of spellings.slice(0, 4)) {
    const answer = await other.post("/api/user/email/reset", { email, password });
    expect([email, answer.status, answer.body.code]).toEqual([email, 409, "email_taken"]);
  }
  const file = join(stage.dataDir, "people.csv");
  for (const email of spellings) {
    await Bun.write(file, `username,email\nimported,${email}\n`);
    const imported = await operate(stage, "import", "customers", file, ...why);
    expect([email, imported.code]).toEqual([email, 1]);
  }
  expect(await stage.ctx.store.db.$count(accounts)).toBe(2);
  // and the owner signs in with each
  for (const email of spellings) {
    expect([email, (await login(stage.person(), email)).status]).toEqual([email, 200]);
  }
});

test("a recovery code goes to the address that the account has, whatever spelling was typed", async () => {
  await using stage = await openStage();
  await registering(stage, "ada", "ada@exämple.com");
  const typed = "ａda@xn--exmple-cua.com";
  const person = stage.person();
  expect((await askForCode(person, typed)).status).toBe(200);
  await stage.shop.worker.drain();
  const [mail] = stage.mail.messages();
  expect(mail?.to).toBe("ada@xn--exmple-cua.com");
  const code = await mailedCode(stage, "ada@exämple.com");
  expect((await person.post("/api/user/password/forgot", { email: "ada@exämple.com", code })).status).toBe(
    200,
  );
  const changed = { email: typed, code, password: "another long phrase" };
  expect((await person.post("/api/user/password/forgot-reset", changed)).status).toBe(200);
  expect((await login(stage.person(), "ada", { password: "another long phrase" })).status).toBe(200);
});

test("the spellings of an address share its limits", async () => {
  await using stage = await openStage();
  await stage.buy("ada@example.com");
  await mailsTo(stage, "ada@example.com");
  for (const email of ["ada@example.com", "ａda@example.com", "aⓓa@example.com", "adａ@ｅxample.com"]) {
    const answer = await stage.person().post("/api/payments/find", { email });
    expect([email, answer.status]).toEqual([email, 200]);
  }
  const lists = (await mailsTo(stage, "ada@example.com")).filter(({ subject }) => subject === "Your orders");
  expect(lists).toHaveLength(3);
  await registering(stage, "ada", "ada@example.com");
  const guesser = stage.person();
  const guesses = ["ada@example.com", "ａda@example.com", "aⓓa@example.com", "adａ@example.com"];
  const answers = [];
  for (const username of [...guesses, ...guesses]) {
    answers.push((await login(guesser, username, { password: "wrong wrong wrong" })).status);
  }
  expect(answers).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
});

test("a blocked email is blocked in every spelling, however staff typed it", async () => {
  await using stage = await openStage();
  await operated(stage, "blocks", "add", "email", "ada@exa\u0308mple.com", ...why);
  const key = await stage.handOut();
  for (const email of spellings) {
    const answer = await registering(stage, "ada", email, key);
    expect([email, answer.status, answer.body.code]).toEqual([email, 403, "blocked"]);
  }
  const again = await operate(stage, "blocks", "add", "email", "ada@xn--exmple-cua.com", ...why);
  expect([again.code, again.err]).toEqual([1, expect.stringContaining("already blocked")]);
});

test("an address that the mailer would refuse is refused before anything is paid", async () => {
  await using stage = await openStage();
  const person = stage.person();
  for (const email of [
    "a\u200bda@example.com",
    "ada@exam\u00adple.com",
    `${"é".repeat(64)}@${"b".repeat(63)}.${"c".repeat(63)}.com`,
  ]) {
    const gift = { currency: "usd", gift: { email } };
    const { status, body } = await person.post("/api/stripe/create-checkout-session", gift);
    expect([email, status, body.code, body.field]).toEqual([email, 400, "invalid_field", "gift.email"]);
    const registered = await registering(stage, "ada", email);
    expect([registered.status, registered.body.field]).toEqual([400, "email"]);
  }
});

test("a gift to any spelling is delivered, found and kept as one person's", async () => {
  await using stage = await openStage();
  const person = stage.person();
  const gift = { email: "ａda@exa\u0308mple。com" };
  const opened = await person.post("/api/stripe/create-checkout-session", { currency: "usd", gift });
  await stage.atStripe("pay", { session: opened.body.data.id, email: "buyer@example.com" });
  await person.get(`/api/stripe/verify-payment?session_id=${opened.body.data.id}`);
  const subjects = async () => (await mailsTo(stage, "ada@exämple.com")).map(({ subject }) => subject);
  expect(await subjects()).toEqual(["A gift for you: Wisp Premium"]);
  for (const email of ["ada@exämple.com", "ada@xn--exmple-cua.com"]) {
    await stage.person().post("/api/payments/find", { email });
  }
  expect(await subjects()).toEqual(["Your orders", "Your orders", "A gift for you: Wisp Premium"]);
});

test("an order is found by every spelling of the address that Stripe reports", async () => {
  await using stage = await openStage();
  await stage.buy("ada@xn--exmple-cua.com");
  for (const email of spellings) {
    const found = await operated(stage, "payments", "find", "--email", email);
    expect([email, found.length]).toEqual([email, 1]);
  }
});

/** One mailbox, with every apostrophe that a phone or a keyboard types. */
const apostrophes = ["o'neil@example.com", "o’neil@example.com", "oʼNeil@example.com", "o＇neil@example.com"];

test("an address with an apostrophe works wherever an address is typed", async () => {
  await using stage = await openStage();
  const subjects = async () => (await mailsTo(stage, "o'neil@example.com")).map(({ subject }) => subject);
  await stage.buy("o'neil@example.com");
  expect(await subjects()).toEqual(["Your Wisp Premium license key and receipt"]);
  const key = await stage.handOut();
  const registered = await registering(stage, "oneil", apostrophes[1] ?? "", key);
  expect(registered.status).toBe(200);
  await prove(stage, "oneil");
  for (const [at, email] of apostrophes.entries()) {
    const taken = await registering(stage, "other", email, await stage.handOut());
    expect([email, taken.status, taken.body.code]).toEqual([email, 409, "email_taken"]);
    expect([email, (await login(stage.person(), email)).status]).toEqual([email, 200]);
    const asked = await askForCode(stage.person(), email);
    expect([email, asked.status]).toEqual([email, 200]);
    const found = await stage.person().post("/api/payments/find", { email });
    expect([email, found.status]).toEqual([email, 200]);
    const gift = { currency: "usd", gift: { email } };
    const opened = await stage.person().post("/api/stripe/create-checkout-session", gift);
    expect([email, opened.status]).toEqual([email, 200]);
    // its purchase, and a gift to it for each
    const orders = await operated(stage, "payments", "find", "--email", email);
    expect([email, orders.length]).toEqual([email, at + 2]);
    expect([email, (await operated(stage, "accounts", "show", email)).account.username]).toEqual([
      email,
      "oneil",
    ]);
    const other = await member(stage, `other${at}`);
    const change = await other.post("/api/user/email/reset", { email, password });
    expect([email, change.body.code]).toEqual([email, "email_taken"]);
    const file = join(stage.dataDir, "people.csv");
    await Bun.write(file, `username,email\nimported,${email}\n`);
    const imported = await operate(stage, "import", "customers", file, "--dry-run", ...why);
    expect([email, imported.err]).toEqual([email, expect.stringContaining("email")]);
  }
  expect(await subjects()).toContain("Your verification code");
  expect(await subjects()).toContain("Your orders");
  const orders = await operated(stage, "payments", "find", "--email", "o'neil@example.com");
  const sale = orders.find(({ state }: { state: string }) => state === "succeeded");
  const corrected = await operated(stage, "payments", "correct-email", sale.id, "d’arcy@example.com", ...why);
  expect(corrected.email).toBe("d'arcy@example.com");
  await operated(stage, "blocks", "add", "email", "o’neil@example.com", ...why);
  const blocked = await registering(stage, "again", "o'neil@example.com", await stage.handOut());
  expect(blocked.body.code).toBe("blocked");
});

test("an address that Stripe took and nobody can register with is mailed to, told to staff, and found by them", async () => {
  await using stage = await openStage();
  for (const odd of ["a..b@example.com", "ab.@example.com"]) {
    const { key } = await stage.buy(odd);
    const [receipt] = await mailsTo(stage, odd);
    expect(receipt?.text).toContain(key);
    const notice = stage.lines.find((line) => line.includes("sold to an address that no account can have"));
    expect(notice).toBeDefined();
    stage.lines.length = 0;
    const found = await stage.person().post("/api/payments/find", { email: odd });
    expect([odd, found.status, found.body.field]).toEqual([odd, 400, "email"]);
    const registered = await registering(stage, "ada", odd);
    expect([odd, registered.status, registered.body.field]).toEqual([odd, 400, "email"]);
    expect(await operated(stage, "payments", "find", "--email", odd)).toHaveLength(1);
  }
  await stage.buy("ada@example.com");
  expect(stage.lines.join("\n")).not.toContain("that no account can have");
});

test("nothing is mailed to an address that would lead the mail elsewhere, and staff are notified", async () => {
  await using stage = await openStage();
  for (const odd of [
    "=?utf-8?q?eve=40example.org?=@example.com",
    "eve%example.org@example.com",
    "a!b@example.com",
  ]) {
    await stage.buy(odd);
    await stage.shop.worker.drain();
    expect([odd, stage.mail.messages().length]).toEqual([odd, 0]);
    expect([odd, stage.lines.some((line) => line.includes("letter rejected"))]).toEqual([odd, true]);
    stage.lines.length = 0;
    for (const answer of [
      await registering(stage, "ada", odd),
      await stage.person().post("/api/payments/find", { email: odd }),
      await askForCode(stage.person(), odd),
    ])
      expect([odd, answer.status]).toEqual([odd, 400]);
  }
});
