import { expect, test } from "bun:test";
import { brand } from "@/brand/brand";
import { authorize, connect, customer, waitForBot } from "../../support/people/discord";
import { operate, operated } from "../../support/operator/run-operator";
import { openStage, type Stage } from "../../support/shop/stage";
import { confirmation, login, member, password } from "./people";

const why = ["--reason", "a story"];
const block = (stage: Stage, ...what: string[]) => operated(stage, "blocks", "add", ...what, ...why);
const checkout = (person: ReturnType<Stage["person"]>) =>
  person.post("/api/stripe/create-checkout-session", { currency: "usd" });

/** Every refusal due to a block says whom to ask. */
const blocked = { status: 403, body: { code: "blocked", data: expect.stringContaining(brand.supportEmail) } };

test("a blocked device neither activates nor validates, on any account, until the block is lifted", async () => {
  await using stage = await openStage();
  const machine = { hwid: "machine-number-one", label: "Study", os: "Linux x64", version: "1.0.0" };
  const owner = await member(stage, "owner");
  const ask = async (person: typeof owner, call: "activate" | "validate", hwid = machine.hwid) => {
    const { api_key: token } = (await person.get("/api/user/me")).body.data;
    const { label, os, version } = machine;
    const body = call === "activate" ? { hwid, label, os, version } : { hwid, version };
    return person.post(`/api/app/v1/${call}`, body, { authorization: `Bearer ${token}` });
  };
  expect((await ask(owner, "activate")).body.code).toBe("VALID");
  const { id } = await block(stage, "device", machine.hwid);
  const other = await member(stage, "other");
  for (const answer of [
    await ask(owner, "validate"),
    await ask(owner, "activate"),
    await ask(other, "activate"),
  ]) {
    expect(answer).toMatchObject({
      status: 403,
      body: { code: "REVOKED", data: expect.stringContaining(brand.supportEmail) },
    });
  }
  expect((await ask(other, "activate", "machine-number-two")).body.code).toBe("VALID");
  await operated(stage, "blocks", "remove", id, ...why);
  expect((await ask(owner, "validate")).body.code).toBe("VALID");
  // whose hardware ID only its owner knows
  const { label } = await block(stage, "device", "owner", "--of-account");
  expect(label).toEndWith(" of owner");
  expect((await ask(owner, "validate")).body.code).toBe("REVOKED");
  expect(JSON.stringify(await operated(stage, "blocks", "list"))).not.toContain(machine.hwid);
});

test("a blocked email can't be used to register, buy or change an address, but its account still signs in", async () => {
  await using stage = await openStage();
  const owner = await member(stage, "owner");
  await block(stage, "email", "Mallory@Example.com");
  const key = await stage.handOut();
  const stranger = stage.person();
  expect(await stranger.register(key, "mallory")).toMatchObject({ ...blocked, body: { field: "email" } });
  // the key is checked first, so that only its holder learns what is blocked
  expect((await stranger.register("nonsense", "mallory")).body.code).toBe("license_malformed");
  expect((await stranger.register(key, "honest")).status).toBe(200);
  const change = { email: "mallory@example.com", password };
  expect(await owner.post("/api/user/email/reset", change)).toMatchObject(blocked);
  expect((await owner.get("/api/user/me")).body.data.email).toBe("owner@example.com");
  await block(stage, "email", "owner@example.com");
  expect(await checkout(owner)).toMatchObject(blocked);
  expect((await login(stage.person(), "owner")).status).toBe(200);
  expect((await checkout(stage.person())).status).toBe(200);
});

test("an email that was blocked in the meantime is not confirmed", async () => {
  await using stage = await openStage();
  const owner = await member(stage, "owner");
  await owner.post("/api/user/email/reset", { email: "new@example.com", password });
  const { token } = await confirmation(stage, "new@example.com");
  await block(stage, "email", "new@example.com");
  expect(await owner.post("/api/user/email/confirm", { token })).toMatchObject(blocked);
});

test("nobody on a blocked network can register, sign in or buy, not even with an account", async () => {
  await using stage = await openStage();
  const owner = await member(stage, "owner");
  const key = await stage.handOut();
  await block(stage, "network", "203.0.113.0/24");
  await block(stage, "network", "2001:db8:7::/48");
  for (const from of ["203.0.113.9", "2001:db8:7:9::1"]) {
    const there = { "x-forwarded-for": from };
    const ask = (path: string, body: object) => stage.person().post(path, body, there);
    const right = await ask("/api/auth/login", { username: "owner", password });
    const wrong = await ask("/api/auth/login", { username: "owner", password: "not the phrase" });
    const nobody = await ask("/api/auth/login", { username: "nobody", password });
    expect(right).toMatchObject(blocked);
    for (const other of [wrong, nobody]) expect(other.body).toEqual(right.body);
    const body = { username: "new", email: "new@example.com", password, key, timezone: "UTC" };
    expect(await ask("/api/auth/register", body)).toMatchObject(blocked);
    expect(await ask("/api/stripe/create-checkout-session", { currency: "usd" })).toMatchObject(blocked);
    // existing sessions stay signed in
    expect((await owner.get("/api/user/me", there)).status).toBe(200);
  }
  expect((await login(stage.person(), "owner")).status).toBe(200);
});

test("sign-ins from a blocked network count towards the limits", async () => {
  await using stage = await openStage();
  await block(stage, "network", "203.0.113.9");
  const answers = [];
  for (let at = 0; at < 12; at += 1) {
    const typed = { username: `nobody${at}`, password };
    const { status } = await stage
      .person()
      .post("/api/auth/login", typed, { "x-forwarded-for": "203.0.113.9" });
    answers.push(status);
  }
  expect(answers.filter((status) => status === 403)).toHaveLength(10);
  expect(answers.filter((status) => status === 429)).toHaveLength(2);
});

test("a blocked Discord user is connected neither by an owner nor by the operator", async () => {
  await using stage = await openStage({ discord: true });
  await waitForBot(stage);
  const { person } = await customer(stage, "ada");
  const { members } = await stage.atDiscord("members");
  const { id } = members.find((one: { username: string }) => one.username === "mallory");
  await block(stage, "discord", id);
  const back = await authorize(stage, person, "mallory");
  for (let again = 0; again < 2; again += 1) {
    const answer = await person.post("/api/discord/auth/callback", back);
    expect(answer.status).not.toBe(200);
    if (again === 0) expect(answer).toMatchObject({ ...blocked, body: { status_message: "Forbidden" } });
  }
  expect((await person.get("/api/user/me")).body.data.discord_authed).toBe(false);
  const moved = await operate(stage, "links", "move", "ada", "--to-user", id, ...why);
  expect(moved).toMatchObject({ code: 1, err: expect.stringContaining("shop blocks list") });
  expect((await connect(stage, person, "ada")).status).toBe(200);
});

test("blocks are listed and audited, and a duplicate or mistyped one is refused", async () => {
  await using stage = await openStage();
  const { id } = await block(stage, "email", "mallory@example.com");
  await block(stage, "network", "192.0.2.77/24");
  expect(await operated(stage, "blocks", "list")).toMatchObject([
    { kind: "network", label: "192.0.2.0/24", reason: "a story" },
    { id, kind: "email", label: "mallory@example.com", reason: "a story" },
  ]);
  for (const again of [
    ["email", "MALLORY@example.com"],
    ["network", "192.0.2.1/24"],
  ]) {
    const refused = await operate(stage, "blocks", "add", ...again, ...why);
    expect(refused).toMatchObject({ code: 1, err: "That is already blocked.\n" });
  }
  for (const wrong of [
    ["email", "nobody"],
    ["network", "0.0.0.0/0"],
    ["discord", "17"],
    ["device", "short"],
    ["person", "ada"],
    ["email", "ada@example.com", "--of-account"],
  ]) {
    expect((await operate(stage, "blocks", "add", ...wrong, ...why)).code).toBe(2);
  }
  await operated(stage, "blocks", "remove", id, ...why);
  expect((await operate(stage, "blocks", "remove", id, ...why)).code).toBe(1);
  const trail = await operated(stage, "audit", "show", "--action", "block");
  expect(trail.map(({ action }: { action: string }) => action)).toEqual([
    "block.removed",
    "block.added",
    "block.added",
  ]);
  expect(JSON.stringify(trail)).not.toContain("mallory@");
});
