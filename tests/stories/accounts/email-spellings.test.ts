import { expect, test } from "bun:test";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { accounts } from "@/domain/schema/accounts";
import { blocks } from "@/domain/schema/blocks";
import { payments } from "@/domain/schema/payments";
import { operate, operated } from "../../support/operator/run-operator";
import { openStage, type Stage } from "../../support/shop/stage";
import { askForCode, login, mailedCode, mailsTo, me, member, password } from "./people";

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

/** Rows as the release before wrote them: compared by their lower case alone. */
async function legacy(stage: Stage, id: string, email: string) {
  await stage.ctx.store.db
    .update(accounts)
    .set({ email, emailKey: email.toLowerCase() })
    .where(eq(accounts.username, id));
}

test("a start gives earlier rows their comparison key, and accounts whose keys would collide keep their own", async () => {
  await using stage = await openStage();
  for (const name of ["ada", "grace", "twin"]) await member(stage, name);
  await stage.buy("late@xn--exmple-cua.com");
  await operated(stage, "blocks", "add", "email", "mallory@exämple.com", ...why);
  await legacy(stage, "grace", "Grace@EXÄMPLE.com");
  await legacy(stage, "ada", "ada@exämple.com");
  await legacy(stage, "twin", "ada@xn--exmple-cua.com");
  await stage.ctx.store.db.update(payments).set({ unusualEmailKey: null });
  await stage.ctx.store.db.update(blocks).set({ key: "email:mallory@exämple.com" });
  await stage.restart();
  const { db } = stage.ctx.store;
  const keys = await db.select({ name: accounts.username, key: accounts.emailKey }).from(accounts);
  expect(Object.fromEntries(keys.map(({ name, key }) => [name, key]))).toEqual({
    grace: "grace@xn--exmple-cua.com",
    // the older of the two already has the key's own spelling
    ada: "ada@exämple.com",
    twin: "ada@xn--exmple-cua.com",
  });
  expect(await operated(stage, "payments", "find", "--email", "late@exämple.com")).toHaveLength(1);
  const blocked = await registering(stage, "mallory", "mallory@xn--exmple-cua.com");
  expect([blocked.status, blocked.body.code]).toEqual([403, "blocked"]);
  // each signs in with the spelling that is theirs, and any other spelling is one account's, always the same
  const signedIn = async (typed: string) => {
    const person = stage.person();
    expect((await login(person, typed)).status).toBe(200);
    return (await me(person)).data.username;
  };
  expect(await signedIn("ada@exämple.com")).toBe("ada");
  expect(await signedIn("ada@xn--exmple-cua.com")).toBe("twin");
  expect(await signedIn("ada@exa\u0308mple.com")).toBe("twin");
  expect(await signedIn("grace@exa\u0308mple.com")).toBe("grace");
  const { out: stdout } = await operate(stage, "doctor");
  expect(stdout).toMatch(/look at\s+addresses: .*\bada\b.*\btwin\b/);
  expect(stdout).not.toContain("grace");
});

test("an account whose address collides with another's recovers only itself, by mail to its own address", async () => {
  await using stage = await openStage();
  for (const name of ["victim", "thief"]) await member(stage, name);
  await legacy(stage, "victim", "ada@example.com");
  await legacy(stage, "thief", "ａda@example.com");
  await stage.restart();
  const recovered = async (typed: string, to: string) => {
    const person = stage.person();
    await askForCode(person, typed);
    const code = await mailedCode(stage, to);
    await person.post("/api/user/password/forgot", { email: typed, code });
    const phrase = `a new phrase ${crypto.randomUUID()}`;
    const body = { email: typed, code, password: phrase };
    expect((await person.post("/api/user/password/forgot-reset", body)).status).toBe(200);
    return phrase;
  };
  const thiefs = await recovered("ａda@example.com", "ａda@example.com");
  expect((await login(stage.person(), "victim")).status).toBe(200);
  expect((await login(stage.person(), "thief", { password: thiefs })).status).toBe(200);
  const victims = await recovered("ADA@ｅxample.com", "ada@example.com");
  expect((await login(stage.person(), "victim", { password: victims })).status).toBe(200);
  expect((await login(stage.person(), "thief", { password: thiefs })).status).toBe(200);
  expect(await mailsTo(stage, "ａda@example.com")).not.toContainEqual(
    expect.objectContaining({ text: expect.stringContaining("victim") }),
  );
});
