/** How long a computer's token or file lasts where several licences give its account different numbers of places. */
import { password } from "../accounts/people";
import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { decodeJwt } from "jose";
import { day, minute } from "@/contract/vocabulary/time";
import type { Person } from "../../support/people/person";
import { openStage, type Stage } from "../../support/shop/stage";
import { type application, codeOf, computer, customerWith, give, listDevices, remove } from "./computers";

const hashOf = (name: string) => createHash("sha256").update(computer(name).hwid).digest("base64url");

/** In whole days from now: the entitlement's end (null: a lifetime), the token's, and its grace's. */
type Lasts = { entitled: number | null; token: number; grace: number };

const daysLeft = (stage: Stage, at: number) => Math.round((at - stage.ctx.now().getTime()) / day);

function claimsIn(stage: Stage, token: string): Lasts {
  const { exp, grace_until, entitlement } = decodeJwt<{
    grace_until: number;
    entitlement: { expires: number | null };
  }>(token);
  const { expires } = entitlement;
  return {
    entitled: expires && daysLeft(stage, expires * 1000),
    token: daysLeft(stage, (exp ?? 0) * 1000),
    grace: daysLeft(stage, grace_until * 1000),
  };
}

/** Of the token that a call of the application answers with. */
async function endsOfToken(stage: Stage, answer: ReturnType<ReturnType<typeof application>["validate"]>) {
  const { code, data } = (await answer).body;
  expect(code).toBe("VALID");
  return claimsIn(stage, data.token);
}

/** Of the file that a computer is given. */
async function endsOfFile(stage: Stage, person: Person, name: string) {
  const asked = { hwid_hash: hashOf(name), label: name, os: "Linux x64" };
  const request = Buffer.from(JSON.stringify(asked)).toString("base64url");
  const file = await person.post("/api/devices/offline", { request, password });
  expect(file.status).toBe(200);
  return claimsIn(stage, file.body.split("\n").slice(1, -2).join(""));
}

async function redeem(
  stage: Stage,
  person: Person,
  { places, days }: { places: number; days: number | null },
) {
  const key = await stage.handOut(days);
  await give(stage, key, places);
  expect((await person.post("/api/licenses/redeem", { key, timezone: "UTC" })).status).toBe(200);
}

const roomy = { env: { LIMITS: "app=1000/60" } };
const forLife: Lasts = { entitled: null, token: 7, grace: 21 };

test("a token is good only until the licence ends that gives its computer a seat", async () => {
  await using stage = await openStage(roomy);
  const { person, app } = await customerWith(stage, 3, { days: 30 });
  for (const name of ["one", "two", "three"]) expect(await codeOf(app.activate(name))).toBe("VALID");
  await redeem(stage, person, { places: 1, days: null });
  stage.advance(29 * day);
  const ending: Lasts = { entitled: 1, token: 1, grace: 1 };
  // whoever asked last
  for (let round = 0; round < 2; round += 1) {
    for (const name of ["three", "two"]) expect(await endsOfToken(stage, app.validate(name))).toEqual(ending);
    expect(await endsOfToken(stage, app.activate("two"))).toEqual(ending);
    stage.advance(2 * minute);
    expect(await endsOfToken(stage, app.validate("one"))).toEqual(forLife);
  }
  stage.advance(2 * day);
  expect(await endsOfToken(stage, app.validate("one"))).toEqual(forLife);
  for (const name of ["two", "three"]) expect(await codeOf(app.validate(name))).toBe("HWID_MISMATCH");
});

test("each seat lasts as long as the longest of the licences that give it", async () => {
  await using stage = await openStage(roomy);
  const { person, app } = await customerWith(stage, 4, { days: 3 });
  await redeem(stage, person, { places: 3, days: 2 });
  await redeem(stage, person, { places: 1, days: 1 });
  await redeem(stage, person, { places: 2, days: 10 });
  await redeem(stage, person, { places: 1, days: null });
  for (const name of ["one", "two", "three", "four"]) await app.activate(name);
  expect(await endsOfToken(stage, app.validate("one"))).toEqual(forLife);
  expect(await endsOfToken(stage, app.validate("two"))).toEqual({ entitled: 16, token: 7, grace: 16 });
  expect(await endsOfToken(stage, app.validate("three"))).toEqual({ entitled: 5, token: 5, grace: 5 });
  expect(await endsOfToken(stage, app.validate("four"))).toEqual({ entitled: 3, token: 3, grace: 3 });
});

test("no more files outlast a licence than there are seats after it", async () => {
  await using stage = await openStage(roomy);
  const { person, app } = await customerWith(stage, 3, { days: 10 });
  await redeem(stage, person, { places: 1, days: null });
  await app.activate("online");
  // the file runs first, and then the computer that was added first comes before it
  expect(await endsOfFile(stage, person, "first")).toEqual({ entitled: 30, token: 30, grace: 30 });
  expect((await remove(person, "online")).status).toBe(200);
  const whole: Lasts = { entitled: null, token: 30, grace: 30 };
  expect(await endsOfFile(stage, person, "first")).toEqual(whole);
  expect(await endsOfToken(stage, app.activate("new"))).toEqual({ entitled: 10, token: 7, grace: 10 });
  // the file runs on after the month, so the others have no place then, also with a lower number
  const ending: Lasts = { entitled: 10, token: 10, grace: 10 };
  for (const name of ["new", "second"]) expect(await endsOfFile(stage, person, name)).toEqual(ending);
  expect(await endsOfFile(stage, person, "first")).toEqual(whole);
  stage.advance(11 * day);
  await person.post("/api/auth/login", { username: "ada", password: "a long enough phrase" });
  const shown = Object.values(await listDevices(person)).map(({ label, active }) => [label, active]);
  expect(shown.filter(([, active]) => active)).toEqual([["first", true]]);
});
