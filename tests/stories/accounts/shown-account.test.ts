import { expect, test } from "bun:test";
import { atDesk } from "../../support/people/desk";
import type { Person } from "../../support/people/person";
import { openStage, type Stage } from "../../support/shop/stage";
import { callsOf } from "../api/calls";
import { me, password } from "./people";

const refusal = { status: 409, code: "other_account" };

async function registered(stage: Stage, name: string): Promise<Person> {
  const person = stage.person();
  expect((await person.register(await stage.handOut(30), name)).status).toBe(200);
  return person;
}

/** Bob's browser, in which a page is open that shows ada. */
async function bobsBrowser(stage: Stage) {
  const ada = await registered(stage, "ada");
  const bob = await registered(stage, "bob");
  const shown = { "x-account": (await me(ada)).data.id };
  return { ada, bob, shown, own: { "x-account": (await me(bob)).data.id } };
}

const licences = async (person: Person) => (await person.get("/api/licenses/me")).body.data.length;

test("a page that shows one account redeems no key for another, and the key stays unused", async () => {
  await using stage = await openStage();
  const { ada, bob, shown, own } = await bobsBrowser(stage);
  const typed = { key: await stage.handOut(30), timezone: "UTC" };
  const refused = await bob.post("/api/licenses/redeem", typed, shown);
  expect(refused.body).toMatchObject(refusal);
  expect(refused.body.data).not.toContain("bob");
  expect(await licences(bob)).toBe(1);
  expect((await ada.post("/api/licenses/redeem", typed, shown)).status).toBe(200);
  expect(await licences(ada)).toBe(2);

  for (const headers of [own, {}, { "x-account": "" }])
    expect((await bob.post("/api/user/info/reset/token", undefined, headers)).status).toBe(200);
});

test("every call that needs a session is refused to the page of another account, and counts nothing", async () => {
  await using stage = await openStage({
    discord: true,
    env: { LIMITS: "own=3/60,checkout=1/3600,checkout-account=1/3600" },
  });
  const { bob, shown } = await bobsBrowser(stage);
  stage.advance(60_000);
  const calls = callsOf((await stage.person().get("/api/openapi.json")).body);
  const own = calls.filter(({ security }) => security === "session");
  expect(own.length).toBeGreaterThan(40);
  for (const { method, path, example } of own) {
    const body = example === undefined ? {} : { body: JSON.stringify(example) };
    const headers = { ...shown, ...(example === undefined ? {} : { "content-type": "application/json" }) };
    const answer = await bob.send(method, path.replaceAll(/\{\w+\}/g, "1"), { ...body, headers });
    expect([method, path, answer.status, answer.body.code]).toEqual([method, path, 409, "other_account"]);
  }
  for (let i = 0; i < 3; i += 1) {
    const order = await bob.post("/api/stripe/create-checkout-session", { currency: "usd" }, shown);
    expect(order.body).toMatchObject(refusal);
  }
  const bought = await bob.post("/api/stripe/create-checkout-session", { currency: "usd" });
  expect(bought.status).toBe(200);
  expect((await me(bob)).status).toBe(200);
});

test("a page that shows an account buys, reads and confirms nothing once nobody is signed in", async () => {
  await using stage = await openStage();
  const { bob, shown, own } = await bobsBrowser(stage);
  const either: [string, string, object?][] = [
    ["POST", "/api/stripe/create-checkout-session", { currency: "usd" }],
    ["POST", "/api/user/email/confirm", { token: "of-a-mail" }],
    ["GET", "/api/stripe/verify-payment?session_id=cs_1"],
    ["GET", "/api/offers"],
  ];
  const ask = ([method, path, typed]: [string, string, object?], headers: Record<string, string>) =>
    method === "GET" ? bob.get(path, headers) : bob.post(path, typed, headers);
  for (const call of either) expect((await ask(call, shown)).body).toMatchObject(refusal);
  await bob.post("/api/auth/logout");
  for (const call of either) expect((await ask(call, own)).body).toMatchObject(refusal);
  expect((await bob.get("/api/user/me", own)).body.code).toBe("unauthenticated");
  expect((await bob.get("/api/offers")).status).toBe(200);
});

test("a desk that shows one member of staff does nothing for another", async () => {
  await using stage = await openStage();
  const olga = await atDesk(stage, "olga", "owner");
  const shown = { "x-account": (await me(olga.person)).data.id };
  const sam = await atDesk(stage, "sam", "owner");
  const reply = { name: "Hello", text: "Good day", reason: "asked often" };
  expect((await sam.get("customers", shown)).body).toMatchObject(refusal);
  expect((await sam.post("replies", reply, shown)).body).toMatchObject(refusal);
  expect((await olga.get("customers", shown)).status).toBe(200);
});

test("signing in and out asks nobody whom the page shows", async () => {
  await using stage = await openStage();
  const { bob, shown, own } = await bobsBrowser(stage);
  const typed = { username: "ada", password };
  expect((await bob.post("/api/auth/login", typed, own)).status).toBe(200);
  expect((await me(bob)).data.username).toBe("ada");
  expect((await bob.post("/api/auth/logout", undefined, { "x-account": "another" })).status).toBe(200);
  expect((await bob.get("/api/user/me", shown)).body.code).toBe("unauthenticated");
});
