/** What the application is told of levels and features, by computer. */
import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { decodeJwt } from "jose";
import { day, minute } from "@/contract/vocabulary/time";
import { makeOfflineFile } from "@/domain/application/offline-file";
import { hwidHashOf } from "@/domain/blocks/hashes";
import { unbindDevice } from "@/domain/devices/remove";
import { handOut } from "@/domain/licences/keys/hand-out";
import { levels } from "@/domain/schema/levels";
import type { Person } from "../../support/people/person";
import { addLevels } from "../../support/shop/levels";
import { openStage, type Stage } from "../../support/shop/stage";
import { password } from "../accounts/people";
import { application, by, computer, give, listDevices, remove } from "../devices/computers";

type Licence = { level: string; days?: number | null; places?: number };

/** A shop whose levels are premium ("open"), team above it ("export", "share") and school, beside them ("class"). */
async function openLevels(): Promise<Stage> {
  const stage = await openStage({ env: { LIMITS: "app=1000/60" } });
  await stage.ctx.store.db.update(levels).set({ name: "Premium", features: ["open"] });
  await addLevels(
    stage,
    { id: "team", name: "Team", features: ["share", "export"] },
    { id: "school", name: "School", includesBefore: false, features: ["class"] },
  );
  return stage;
}

async function keyFor(stage: Stage, { level, days = null, places = 1 }: Licence): Promise<string> {
  const key = await handOut(stage.ctx, { days, level }, by);
  await give(stage, key, places);
  return key;
}

async function customerWith(stage: Stage, first: Licence, ...others: Licence[]) {
  const person = stage.person();
  await person.register(await keyFor(stage, first), "ada");
  for (const one of others) {
    const key = await keyFor(stage, one);
    expect((await person.post("/api/licenses/redeem", { key, timezone: "UTC" })).status).toBe(200);
  }
  const me = async () => (await person.get("/api/user/me")).body.data;
  const { id, api_key: token } = await me();
  return { person, id: id as string, me, app: application(stage, token) };
}

const premium = { id: "premium", name: "Premium" };
const team = { id: "team", name: "Team" };
const school = { id: "school", name: "School" };

type Told = { level: object; features: string[]; entitlement: { type: string }; token: string };
const toldOf = async (answer: ReturnType<ReturnType<typeof application>["validate"]>) => {
  const { code, data } = (await answer).body;
  expect(code).toBe("VALID");
  const { level, features, entitlement } = data as Told;
  expect(entitlement.type).toBe((level as typeof team).id);
  return [level, features];
};

type Claims = {
  iat: number;
  exp: number;
  grace_until: number;
  level: string;
  features: Record<string, number>;
};

/** In whole days after the token was made. */
const daysOf = (token: string) => {
  const { iat, level, features, grace_until: grace } = decodeJwt<Claims>(token);
  const days = (at: number) => Math.round((at - iat) / 86_400);
  const left = Object.fromEntries(Object.entries(features).map(([slug, at]) => [slug, days(at)]));
  return { level, features: left, grace: days(grace) };
};

async function fileFor(person: Person, name: string): Promise<string> {
  const asked = { hwid_hash: hwidHashOf(computer(name).hwid), label: name, os: "Linux x64" };
  const request = Buffer.from(JSON.stringify(asked)).toString("base64url");
  const { status, body } = await person.post("/api/devices/offline", { request, password });
  expect(status).toBe(200);
  return body.split("\n").slice(1, -2).join("");
}

test("Personal for three and Team for one give Team to one computer, the one that took its seat first", async () => {
  await using stage = await openLevels();
  const { person, app } = await customerWith(
    stage,
    { level: "premium", places: 3 },
    { level: "team", places: 1 },
  );
  const all = ["export", "open", "share"];
  expect(await toldOf(app.activate("one"))).toEqual([team, all]);
  stage.advance(minute);
  for (const name of ["two", "three"]) expect(await toldOf(app.activate(name))).toEqual([premium, ["open"]]);
  // whoever asked last
  stage.advance(2 * minute);
  expect(await toldOf(app.validate("three"))).toEqual([premium, ["open"]]);
  expect(await toldOf(app.activate("two"))).toEqual([premium, ["open"]]);
  expect(await toldOf(app.validate("one"))).toEqual([team, all]);
  // its owner gives Team to the next one
  expect((await remove(person, "one")).status).toBe(200);
  expect(await toldOf(app.validate("two"))).toEqual([team, all]);
  expect(await toldOf(app.activate("one"))).toEqual([premium, ["open"]]);
});

test("a level for one moves once in thirty days, although ten computers may be removed", async () => {
  await using stage = await openLevels();
  const { person, id, app } = await customerWith(
    stage,
    { level: "premium", places: 10 },
    { level: "team", places: 1 },
  );
  const names = Array.from({ length: 10 }, (_, at) => `pc${at}`);
  for (const name of names) await app.activate(name);
  const having: string[] = [];
  for (const name of names.slice(0, 5)) {
    if (daysOf((await app.validate(name)).body.data.token).level === "team") having.push(name);
    expect((await remove(person, name)).status).toBe(200);
  }
  expect(having).toEqual(["pc0", "pc1"]);
  // what staff remove doesn't count, and each removal is forgotten after thirty days
  await unbindDevice(stage.ctx, id, by, (await listDevices(person))["pc5"]?.id);
  stage.advance(30 * day);
  expect(await toldOf(app.validate("pc6"))).toEqual([team, ["export", "open", "share"]]);
});

test("a computer with a running offline file comes first", async () => {
  await using stage = await openLevels();
  const { person, app } = await customerWith(
    stage,
    { level: "premium", places: 2 },
    { level: "team", places: 1 },
  );
  await app.activate("one");
  stage.advance(minute);
  expect(daysOf(await fileFor(person, "filed"))).toEqual({
    level: "team",
    features: { export: 30, open: 30, share: 30 },
    grace: 30,
  });
  expect(await toldOf(app.validate("one"))).toEqual([premium, ["open"]]);
  expect((await app.validate("filed")).body.data.features).toEqual(["export", "open", "share"]);
  stage.advance(31 * day);
  expect(await toldOf(app.validate("one"))).toEqual([team, ["export", "open", "share"]]);
});

test("of computers with running offline files, the one whose file was made first comes first", async () => {
  await using stage = await openLevels();
  const { person, app } = await customerWith(
    stage,
    { level: "premium", places: 4 },
    { level: "team", places: 1 },
  );
  for (const name of ["one", "two", "three"]) {
    await app.activate(name);
    stage.advance(minute);
  }
  const files: string[] = [];
  for (const name of ["three", "three", "two", "two", "one", "one", "four", "four", "three"])
    files.push(daysOf(await fileFor(person, name)).level);
  expect(files).toEqual(["team", "team", ...Array<string>(6).fill("premium"), "team"]);
  // a file that was made anew after it ended comes after those that still run
  stage.advance(29 * day);
  await person.post("/api/auth/login", { username: "ada", password });
  await fileFor(person, "two");
  stage.advance(2 * day);
  for (const _ of ["first", "again"]) expect(daysOf(await fileFor(person, "three")).level).toBe("premium");
  expect(daysOf(await fileFor(person, "two")).level).toBe("team");
});

test("of offline files that are made at once, one has what a licence for one gives", async () => {
  await using stage = await openLevels();
  const { id, app } = await customerWith(
    stage,
    { level: "premium", places: 3 },
    { level: "team", places: 1 },
  );
  const names = ["one", "two", "three"];
  for (const name of names) await app.activate(name);
  const having = new Set<string>();
  const making = async (name: string) => {
    const request = { hwid_hash: hwidHashOf(computer(name).hwid), label: name, os: "Linux x64" };
    const terms = { accountId: id, request, issuer: "https://shop.example", days: 30 };
    const { file } = await makeOfflineFile(stage.ctx, terms, by);
    if (daysOf(file.split("\n").slice(1, -2).join("")).level === "team") having.add(name);
  };
  for (const _ of ["first", "again"]) await Promise.all(names.toReversed().map(making));
  expect(having.size).toBe(1);
});

test("a level that does not include the one before has its own features alone", async () => {
  await using stage = await openLevels();
  const { app } = await customerWith(stage, { level: "school" });
  expect(await toldOf(app.activate("one"))).toEqual([school, ["class"]]);
});

test("a token and a file say until when the computer has each feature", async () => {
  await using stage = await openLevels();
  const { person, app } = await customerWith(
    stage,
    { level: "premium", places: 2 },
    { level: "team", days: 10, places: 2 },
    { level: "team", days: 5, places: 1 },
  );
  const { token } = (await app.activate("one")).body.data;
  const expected = { level: "team", features: { export: 15, open: 21, share: 15 }, grace: 21 };
  expect(daysOf(token)).toEqual(expected);
  stage.advance(minute);
  const file = await fileFor(person, "filed");
  expect(daysOf(file)).toEqual({ level: "team", features: { export: 15, open: 30, share: 15 }, grace: 30 });
  expect(token.length).toBeLessThan(8192);
});

test("a token and a file stay below 8 kB with as many features as a shop may have", async () => {
  await using stage = await openLevels();
  const features = Array.from({ length: 64 }, (_, at) => `${String(at).padStart(2, "0")}-${"x".repeat(29)}`);
  await stage.ctx.store.db.update(levels).set({ features }).where(eq(levels.id, "team"));
  const { person, app } = await customerWith(stage, { level: "team", places: 2 });
  const { data } = (await app.activate("one")).body;
  expect(data.features).toEqual([...features, "open"]);
  for (const token of [data.token, await fileFor(person, "filed")]) expect(token.length).toBeLessThan(8192);
});

test("a changed feature holds from the next answer on, and a retired level goes on", async () => {
  await using stage = await openLevels();
  const { app, me } = await customerWith(stage, { level: "team" });
  await app.activate("one");
  await stage.ctx.store.db
    .update(levels)
    .set({ name: "Studio", features: ["stems"], retiredAt: stage.ctx.now() })
    .where(eq(levels.id, "team"));
  const studio = { id: "team", name: "Studio" };
  expect(await toldOf(app.validate("one"))).toEqual([studio, ["open", "stems"]]);
  expect(await me()).toMatchObject({ level: studio, features: ["open", "stems"] });
});

test("the signed-in account has its highest active level, and all features that it has", async () => {
  await using stage = await openLevels();
  const { me } = await customerWith(
    stage,
    { level: "premium" },
    { level: "team", days: 3 },
    { level: "school", days: 2 },
  );
  expect(await me()).toMatchObject({ level: school, features: ["class", "export", "open", "share"] });
  stage.advance(2 * day);
  expect(await me()).toMatchObject({ level: team, features: ["export", "open", "share"] });
  stage.advance(2 * day);
  expect(await me()).toMatchObject({ level: premium, features: ["open"], active_license: true });
  await stage.ctx.store.client.execute("UPDATE licences SET suspended_at = 1");
  expect(await me()).toMatchObject({ level: null, features: [], active_license: false });
});

test("an application with the account's token is told of the highest level, then the most seats, then the longest", async () => {
  await using stage = await openLevels();
  const { app } = await customerWith(
    stage,
    { level: "premium", places: 5 },
    { level: "team", days: 30, places: 2 },
    { level: "team", days: null, places: 1 },
  );
  const described = async () => {
    const headers = { authorization: `Bearer ${app.token}` };
    const { type, level, features, expires_at, devices } = (
      await stage.person().get("/api/app/v1/me", headers)
    ).body.data;
    const days = expires_at && Math.round((Date.parse(expires_at) - stage.ctx.now().getTime()) / day);
    return [type, level, features, days, devices.places];
  };
  const all = ["export", "open", "share"];
  expect(await described()).toEqual(["team", team, all, 30, 5]);
  stage.advance(31 * day);
  expect(await described()).toEqual(["team", team, all, null, 5]);
  await stage.ctx.store.client.execute("UPDATE licences SET suspended_at = 1 WHERE type = 'team'");
  expect(await described()).toEqual(["premium", premium, ["open"], null, 5]);
});

test("an application that signed in is told of the licence that its own computer has", async () => {
  await using stage = await openLevels();
  const { person } = await customerWith(stage, { level: "premium", places: 3 }, { level: "team", places: 1 });
  const signedIn = async (name: string) => {
    const asked = (await stage.person().post("/api/app/v1/device/code", computer(name))).body;
    const approved = { user_code: asked.user_code, approve: true, password };
    expect((await person.post("/api/devices/request", approved)).status).toBe(200);
    const grant_type = "urn:ietf:params:oauth:grant-type:device_code";
    const poll = { grant_type, device_code: asked.device_code };
    const { access_token: token } = (await stage.person().post("/api/app/v1/device/token", poll)).body;
    stage.advance(minute);
    return { authorization: `Bearer ${token}` };
  };
  const [one, two] = [await signedIn("one"), await signedIn("two")];
  const me = async (headers: { authorization: string }) =>
    (await stage.person().get("/api/app/v1/me", headers)).body.data;
  const devices = { used: 2, places: 3 };
  expect(await me(one)).toMatchObject({
    type: "team",
    level: team,
    features: ["export", "open", "share"],
    devices,
  });
  expect(await me(two)).toMatchObject({ type: "premium", level: premium, features: ["open"], devices });
  // without a seat it has nothing, whatever the account has
  await stage.ctx.store.client.execute("UPDATE licences SET suspended_at = 1 WHERE type = 'premium'");
  const told = [await me(one), await me(two)].map(({ level, features }) => [level?.id, features]);
  expect(told).toEqual([
    [undefined, []],
    ["team", ["export", "open", "share"]],
  ]);
});

test("a shop with one level answers the application as before, but for a level and features", async () => {
  await using stage = await openStage();
  const { app } = await customerWith(stage, { level: "premium", places: 2 });
  const { data } = (await app.activate("one")).body;
  const { level, features, ...before } = data;
  expect([level.id, features]).toEqual(["premium", []]);
  const [at, text] = [expect.stringMatching(/Z$/), expect.any(String)];
  const entitlement = { type: "premium", expires_at: null };
  expect(before).toEqual({ token: text, expires_at: at, grace_until: at, entitlement });
  const { level: id, features: none, ...claims } = decodeJwt<Claims>(data.token);
  expect([id, none]).toEqual(["premium", {}]);
  expect(Object.keys(claims).toSorted()).toEqual([
    "aud",
    "device",
    "entitlement",
    "exp",
    "grace_until",
    "iat",
    "iss",
    "sub",
  ]);
  const headers = { authorization: `Bearer ${app.token}` };
  const me = (await stage.person().get("/api/app/v1/me", headers)).body.data;
  expect(me).toEqual({
    username: "ada",
    offer: null,
    type: "premium",
    level,
    features: [],
    expires_at: null,
    devices: { used: 1, places: 2 },
  });
});

test("of ten computers that are activated at once, one has what a licence for one gives", async () => {
  await using stage = await openLevels();
  const { app } = await customerWith(
    stage,
    { level: "premium", places: 10 },
    { level: "team", places: 1 },
    { level: "school", days: 3, places: 4 },
  );
  const names = Array.from({ length: 10 }, (_, at) => `racer ${at}`);
  const answers = await Promise.all(names.map((name) => app.activate(name)));
  const having = (slug: string) => answers.filter(({ body }) => body.data.features.includes(slug)).length;
  expect(["open", "class", "export"].map(having)).toEqual([10, 4, 1]);
});
