import { createHash } from "node:crypto";
import { expect, test } from "bun:test";
import { createLocalJWKSet, jwtVerify } from "jose";
import { day, inSeconds, minute } from "@/contract/vocabulary/time";
import { unbindDevice } from "@/domain/devices/remove";
import type { Person } from "../../support/people/person";
import { operate } from "../../support/operator/run-operator";
import { openStage, type Stage } from "../../support/shop/stage";
import { password } from "../accounts/people";
import { by, codeOf, computer, customerWith, listDevices, remove } from "./computers";
import { ask, decide } from "./signing-in";

const hashOf = (name: string) => createHash("sha256").update(computer(name).hwid).digest("base64url");

/** What an application without a network shows. */
const shown = (name: string, more: object = {}) =>
  Buffer.from(JSON.stringify({ hwid_hash: hashOf(name), label: name, os: "Linux x64", ...more })).toString(
    "base64url",
  );

const fileFor = (person: Person, name: string) =>
  person.post("/api/devices/offline", { request: shown(name), password });

/** The token in a file, checked with the keys that the shop publishes. */
async function opened(stage: Stage, file: string, issuer = stage.url.origin) {
  const [first, ...lines] = file.trimEnd().split("\n");
  expect([first, lines.pop()]).toEqual(["-----BEGIN LICENSE FILE-----", "-----END LICENSE FILE-----"]);
  expect(lines.slice(0, -1).every((line) => line.length === 64)).toBe(true);
  const { keys } = (await stage.person().get("/api/app/v1/keys")).body;
  const { payload } = await jwtVerify(lines.join(""), createLocalJWKSet({ keys }), {
    audience: "application",
    issuer,
    currentDate: stage.ctx.now(),
  });
  return payload;
}

test("a file is the token for a computer that is known by its hash alone, without grace", async () => {
  await using stage = await openStage();
  const { person, id } = await customerWith(stage, 1);
  const answer = await fileFor(person, "study");
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toStartWith("text/plain");
  expect(answer.headers.get("content-disposition")).toBe('attachment; filename="license.lic"');
  const claims = await opened(stage, answer.body);
  const device = createHash("sha256")
    .update(`${id}\n${hashOf("study")}`)
    .digest("base64url");
  expect(claims).toMatchObject({ sub: id, device, entitlement: { type: "premium", expires: null } });
  expect(claims["exp"]! - claims["iat"]!).toBe(inSeconds(30 * day));
  expect(claims["grace_until"]).toBe(claims["exp"]);
  const { study } = await listDevices(person);
  expect(study).toMatchObject({ label: "study", version: null, active: true });
  expect(Math.floor(Date.parse(study!.offline_until!) / 1000)).toBe(claims["exp"]!);
  expect(study!.removable_at).toBe(study!.offline_until);
});

test("OFFLINE_DAYS says how long a file lasts, and it ends with the licence", async () => {
  await using stage = await openStage({ env: { OFFLINE_DAYS: "90" } });
  const { person } = await customerWith(stage, 1);
  const short = await customerWith(stage, 1, { name: "bob", days: 3 });
  const lasts = async (of: Person) => {
    const claims = await opened(stage, (await fileFor(of, "study")).body);
    return claims["exp"]! - claims["iat"]!;
  };
  expect(await lasts(person)).toBe(inSeconds(90 * day));
  const left = await lasts(short.person);
  expect(left <= inSeconds(3 * day) && left > inSeconds(3 * day - minute)).toBe(true);
});

test("online and offline are one computer, and its seat is held until the last of its files ends", async () => {
  await using stage = await openStage();
  const { person, app, id } = await customerWith(stage, 1);
  expect(await codeOf(app.activate("study"))).toBe("VALID");
  expect((await fileFor(person, "study")).status).toBe(200);
  expect(Object.keys(await listDevices(person))).toEqual(["study"]);
  expect(await codeOf(app.validate("study"))).toBe("VALID");
  // a second file can't shorten the first
  const until = (await listDevices(person))["study"]!.offline_until;
  stage.advance(day);
  expect((await fileFor(person, "study")).status).toBe(200);
  expect((await listDevices(person))["study"]!.offline_until! > until!).toBe(true);
  expect((await remove(person, "study")).body.code).toBe("hwid_cooldown");
  expect(await codeOf(app.deactivate("study"))).toBe("NOT_ACTIVATED");
  for (const full of [fileFor(person, "laptop"), decide(person, (await ask(stage, "laptop")).userCode)]) {
    expect(await full).toMatchObject({ status: 409, body: { code: "places_full" } });
  }
  for (let at = 0; at < 5; at += 1) {
    // so that the session goes on
    expect(Object.keys(await listDevices(person))).toEqual(["study"]);
    stage.advance(6 * day);
  }
  expect((await remove(person, "study")).status).toBe(200);
  expect((await fileFor(person, "laptop")).status).toBe(200);
  await unbindDevice(stage.ctx, id, by);
  expect(await listDevices(person)).toEqual({});
});

test("a file needs a licence, a readable request and a computer that is not blocked", async () => {
  await using stage = await openStage();
  const { person } = await customerWith(stage, 1);
  const ended = await customerWith(stage, 1, { name: "bob", days: 1 });
  stage.advance(2 * day);
  expect(await fileFor(ended.person, "study")).toMatchObject({
    status: 403,
    body: { code: "license_required" },
  });
  const wrong = [
    "",
    "not a request",
    Buffer.from("{").toString("base64url"),
    shown("study", { hwid_hash: "short" }),
    shown("study", { hwid_hash: `${hashOf("study").slice(0, 42)}_` }),
    shown("study", { label: "" }),
    shown("study", { label: "x".repeat(65) }),
    shown("study", { os: null }),
    "A".repeat(3000),
  ];
  for (const request of wrong) {
    expect(await person.post("/api/devices/offline", { request, password })).toMatchObject({
      status: 400,
      body: { code: "invalid_field", field: "request" },
    });
  }
  const wrapped = shown("study").replace(/(.{20})/g, "$1\n");
  expect((await person.post("/api/devices/offline", { request: `  ${wrapped}==`, password })).status).toBe(
    200,
  );
});

test("the operator makes a file for a licence, with a reason", async () => {
  await using stage = await openStage();
  const { person, key } = await customerWith(stage, 1);
  const made = await operate(stage, "licences", "offline-file", key, shown("study"), "--reason", "ticket 12");
  expect(made).toMatchObject({ code: 0, err: "" });
  await opened(stage, made.out);
  const { rows } = await stage.ctx.store.client.execute(
    "SELECT actor, reason FROM audit_log WHERE action = 'device.offline_file_made'",
  );
  expect(rows).toMatchObject([{ actor: "operator", reason: "ticket 12" }]);
  const full = await operate(stage, "licences", "offline-file", key, shown("b"), "--reason", "ticket 12");
  expect(full.code).toBe(1);
  const unused = await stage.handOut();
  expect(
    (await operate(stage, "licences", "offline-file", unused, shown("b"), "--reason", "a story")).err,
  ).toContain("not redeemed");
  expect(Object.keys(await listDevices(person))).toEqual(["study"]);
});

test("a replaced key stays in the key set as long as a file may run", async () => {
  await using stage = await openStage({ env: { OFFLINE_DAYS: "365" } });
  const { person } = await customerWith(stage, 1);
  const { body: file } = await fileFor(person, "study");
  const issuer = stage.url.origin;
  await stage.restart({
    secrets: { secretKey: Buffer.alloc(32, 9), secretKeyOld: Buffer.alloc(32, 7) },
  });
  stage.advance(364 * day);
  await opened(stage, file, issuer);
  stage.advance(2 * day);
  expect((await stage.person().get("/api/app/v1/keys")).body.keys).toHaveLength(1);
});
