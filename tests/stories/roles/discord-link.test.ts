import { expect, test } from "bun:test";
import { day, minute } from "@/contract/vocabulary/time";
import { authorize, connect, customer, waitForHolders } from "../../support/people/discord";
import { openStage } from "../../support/shop/stage";

const callback = "/api/discord/auth/callback";

test("a Discord user connected to another account is refused and stays there", async () => {
  await using stage = await openStage({ discord: true });
  const [ada, eve] = [await customer(stage, "ada"), await customer(stage, "eve")];
  expect((await connect(stage, ada.person, "ada")).status).toBe(200);
  const stolen = await connect(stage, eve.person, "ada");
  expect(stolen).toMatchObject({
    status: 403,
    body: { status: 403, status_message: "Forbidden", code: "discord_taken" },
  });
  expect((await eve.person.get("/api/discord/me")).body.data.connected).toBe(false);
  expect((await ada.person.get("/api/discord/me")).body.data.connected).toBe(true);
});

test("when twenty accounts connect one Discord user at once, one gets it", async () => {
  await using stage = await openStage({ discord: { limits: { enabled: false } } });
  const people = await Promise.all(Array.from({ length: 20 }, (_, at) => customer(stage, `racer${at}`)));
  const returned = await Promise.all(people.map(({ person }) => authorize(stage, person, "mallory")));
  const answers = await Promise.all(people.map(({ person }, at) => person.post(callback, returned[at])));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 403)).toHaveLength(19);
  await waitForHolders(stage, ["mallory"]);
});

test("a state is valid for one browser, one code, one use and ten minutes", async () => {
  await using stage = await openStage({ discord: true });
  const [ada, eve] = [await customer(stage, "ada"), await customer(stage, "eve")];
  const refused = { status: 400, body: { status: 400, status_message: "Bad Request" } };
  const own = await authorize(stage, ada.person, "ada");
  expect(await eve.person.post(callback, own)).toMatchObject(refused);
  expect(await ada.person.post(callback, { ...own, state: "x".repeat(43) })).toMatchObject(refused);
  const other = await authorize(stage, eve.person, "mallory");
  // Mallory's code with Ada's state: PKCE shows that it was requested elsewhere
  expect(await ada.person.post(callback, { code: other.code, state: own.state })).toMatchObject(refused);
  expect(await ada.person.post(callback, own)).toMatchObject(refused);
  const late = await authorize(stage, ada.person, "ada");
  stage.advance(11 * minute);
  expect(await ada.person.post(callback, late)).toMatchObject(refused);
  expect((await ada.person.get("/api/discord/me")).body.data.connected).toBe(false);
});

test("the same return sent twice connects once and gets the same answer; with another code it is refused", async () => {
  await using stage = await openStage({ discord: true });
  const { person } = await customer(stage, "ada");
  const returned = await authorize(stage, person, "ada");
  const answers = await Promise.all([person.post(callback, returned), person.post(callback, returned)]);
  for (const { status } of answers) expect(status).toBeOneOf([200, 202]);
  expect((await person.post(callback, returned)).body.status_message).toBe("Success");
  expect((await person.post(callback, { ...returned, code: "another" })).status).toBe(400);
  expect(await stage.count("audit_log WHERE action LIKE 'discord.%linked'")).toBe(1);
});

test("somebody who declines at Discord returns with access_denied, and nothing is connected", async () => {
  await using stage = await openStage({ discord: true });
  const { person } = await customer(stage, "ada");
  await person.prove();
  const { url } = (await person.get("/api/functions/get-discord-oauth-url")).body;
  const { redirect } = await stage.atDiscord("authorize", { url, user: "ada", approve: false });
  expect(new URL(redirect).searchParams.get("error")).toBe("access_denied");
  expect((await person.get("/api/discord/me")).body.data.connected).toBe(false);
});

test("connecting takes the password, typed after the sign-in and less than 15 minutes ago, once", async () => {
  await using stage = await openStage({ discord: true });
  const { person } = await customer(stage, "ada");
  const begin = async () => (await person.get("/api/functions/get-discord-oauth-url")).body;
  const refused = { status: 403, code: "reauthenticate" };
  expect(await begin()).toMatchObject(refused);
  await person.prove();
  stage.advance(15 * minute);
  expect(await begin()).toMatchObject(refused);
  const returned = await authorize(stage, person, "ada");
  // what was begun is finished with a proof, too
  stage.advance(9 * minute);
  await person.post("/api/auth/login", { username: "ada", password: "a long enough phrase" });
  expect((await person.post(callback, returned)).status).toBe(400);
  expect((await connect(stage, person, "ada")).status).toBeLessThan(300);
  expect(await begin()).toMatchObject(refused);
});

test("without an active licence nobody is sent to Discord, and a return is denied", async () => {
  await using stage = await openStage({ discord: true });
  const { person } = await customer(stage, "tim", 1);
  const returned = await authorize(stage, person, "tim");
  stage.advance(day + 1000);
  const asked = await person.get("/api/functions/get-discord-oauth-url");
  expect(asked).toMatchObject({ status: 403, body: { code: "role_needs_license" } });
  expect((await person.post(callback, returned)).body).toMatchObject({
    status: 403,
    status_message: "Denied",
  });
});

test("a banned user is connected and told why they don't have the role", async () => {
  await using stage = await openStage({ discord: true });
  const { person } = await customer(stage, "mallory");
  await stage.atDiscord("ban", { user: "mallory" });
  const answer = await connect(stage, person, "mallory");
  expect(answer.body).toMatchObject({ status: 403, status_message: "Denied" });
  expect((await person.get("/api/discord/me")).body.data).toMatchObject({
    connected: true,
    role: { held: false, reason: "banned" },
  });
});

test.each([
  ["an account to be verified", 403, { code: 50178, message: "The user account must first be verified" }],
  ["an address to be verified", 403, { code: 40002, message: "You need to verify your account" }],
  ["a full server", 400, { code: 30031, message: "Maximum number of server members reached" }],
])("whom Discord lets nobody add reads to join by themselves: %s", async (_, status, body) => {
  await using stage = await openStage({ discord: true });
  const { person } = await customer(stage, "ada");
  const { members } = await stage.atDiscord("members");
  const { id } = members.find(({ username }: { username: string }) => username === "ada");
  await stage.atDiscord("leave", { user: "ada" });
  const refusal = {
    count: 100,
    fail: "answer",
    answer: { status, body },
    path: `/members/${id}`,
    method: "PUT",
  };
  await stage.atDiscord("faults", { api: { next: [refusal] } });
  expect((await connect(stage, person, "ada")).body.data).toStartWith("Join our Discord server first");
  expect((await person.get("/api/discord/me")).body.data).toMatchObject({
    connected: true,
    role: { held: false, reason: "not_member" },
  });
});

test("with Discord off there is nothing to connect, and disconnecting is still accepted", async () => {
  await using stage = await openStage();
  const { person } = await customer(stage, "ada");
  expect((await person.get("/api/functions/get-discord-oauth-url")).body.code).toBe("discord_off");
  expect((await person.post(callback, { code: "a", state: "b" })).status).toBe(503);
  expect((await person.get("/api/discord/me")).body.data.role.reason).toBe("off");
  expect((await person.post("/api/discord/deauth/")).status).toBe(200);
});

test("tokens and states are unreadable at rest", async () => {
  await using stage = await openStage({ discord: true });
  const { person } = await customer(stage, "ada");
  const returned = await authorize(stage, person, "ada");
  await person.post(callback, returned);
  const rows = await stage.ctx.store.client.execute("SELECT * FROM links, link_attempts");
  const stored = JSON.stringify(rows.rows);
  expect(stored).not.toContain(returned.state);
  expect(stored).not.toContain(returned.code);
  expect(stored).not.toContain("refresh");
  expect(stage.lines.join("\n")).not.toContain(returned.code);
});
