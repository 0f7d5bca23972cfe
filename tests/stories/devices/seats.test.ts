import { expect, test } from "bun:test";
import { day, hour, minute } from "@/contract/vocabulary/time";
import { unbindDevice } from "@/domain/devices/remove";
import { openStage } from "../../support/shop/stage";
import { deviceRemovals } from "@/domain/schema/devices";
import type { Person } from "../../support/people/person";
import { login, mailsTo, prove, recover } from "../accounts/people";
import {
  application,
  by,
  codeOf,
  deviceCounts,
  customerWith,
  give,
  giveFile,
  listDevices,
  remove,
} from "./computers";

test("an account has as many seats as the largest of its active licences, and none without one", async () => {
  await using stage = await openStage({ env: { LIMITS: "app=1000/60" } });
  const { person, app } = await customerWith(stage, 2);
  expect(await deviceCounts(person)).toEqual({ used: 0, places: 2 });
  for (const name of ["one", "two"]) expect(await codeOf(app.activate(name))).toBe("VALID");
  expect((await app.activate("three")).body).toEqual({
    status: 403,
    code: "HWID_MISMATCH",
    data: "This account is bound to another device.",
    available_at: null,
  });
  const more = await stage.handOut(10);
  await give(stage, more, 3);
  // a lifetime adds nothing for time, but staff may add it
  await stage.ctx.store.client.execute("UPDATE licences SET expires_at = NULL");
  await stage.ctx.store.client.execute({
    sql: "UPDATE licences SET account_id = (SELECT id FROM accounts WHERE username = 'ada'), redeemed_at = ?, expires_at = ? WHERE devices = 3",
    args: [stage.ctx.now().getTime(), stage.ctx.now().getTime() + 10 * day],
  });
  expect(await deviceCounts(person)).toEqual({ used: 2, places: 3 });
  expect(await codeOf(app.activate("three"))).toBe("VALID");
  expect(await deviceCounts(person)).toEqual({ used: 3, places: 3 });
  stage.advance(11 * day);
  await person.post("/api/auth/login", { username: "ada", password: "a long enough phrase" });
  expect(await deviceCounts(person)).toEqual({ used: 3, places: 2 });
  await stage.ctx.store.client.execute({
    sql: "UPDATE licences SET suspended_at = ?",
    args: [stage.ctx.now().getTime()],
  });
  expect(await deviceCounts(person)).toEqual({ used: 3, places: 0 });
  expect(Object.values(await listDevices(person)).map(({ active }) => active)).toEqual([false, false, false]);
});

test("in thirty days an owner removes as many computers as there are seats, whatever staff removed between", async () => {
  await using stage = await openStage({ env: { LIMITS: "app=1000/60" } });
  const { person, app, id } = await customerWith(stage, 2);
  const signIn = () => person.post("/api/auth/login", { username: "ada", password: "a long enough phrase" });
  await app.activate("one");
  await app.activate("two");
  expect((await remove(person, "one")).body).toEqual({ status: 200, data: null });
  const first = stage.ctx.now();
  expect(await deviceCounts(person)).toEqual({ used: 1, places: 2 });
  expect(await codeOf(app.validate("one"))).toBe("NOT_ACTIVATED");
  stage.advance(5 * day);
  await signIn();
  await app.activate("three");
  expect((await remove(person, "three")).status).toBe(200);
  await app.activate("four");
  const early = (await remove(person, "four")).body;
  expect(early).toMatchObject({ status: 409, code: "hwid_cooldown" });
  expect(early.data).toMatch(/^This computer can be removed on \w{3} \d+, \d{4} \(in 25 days\)\.$/);
  expect(Date.parse(early.available_at) - first.getTime() - 30 * day).toBeLessThan(5_000);
  for (const name of ["two", "four"])
    expect((await listDevices(person))[name]?.removable_at).toBe(early.available_at);
  // staff's removals don't count, and give none back
  const four = (await listDevices(person))["four"];
  await unbindDevice(stage.ctx, id, by, four?.id);
  await app.activate("five");
  expect((await remove(person, "five")).body.code).toBe("hwid_cooldown");
  const full = (await app.activate("six")).body;
  expect(full).toMatchObject({ code: "HWID_MISMATCH", available_at: early.available_at });
  expect((await person.get("/api/user/me")).body.data.last_reset).not.toBeNull();
  stage.advance(25 * day);
  await signIn();
  expect((await app.activate("six")).body).toMatchObject({ code: "HWID_MISMATCH", available_at: null });
  expect((await remove(person, "five")).status).toBe(200);
  // the second of the thirty days is still counted
  expect((await remove(person, "two")).body.code).toBe("hwid_cooldown");
});

test("resetting removes as many computers as are left to remove, those last seen at the end", async () => {
  await using stage = await openStage({ env: { LIMITS: "app=1000/60" } });
  const { person, app } = await customerWith(stage, 3);
  for (const name of ["one", "two", "three"]) {
    await app.activate(name);
    stage.advance(minute);
  }
  expect((await remove(person, "two")).status).toBe(200);
  await app.activate("four");
  expect((await person.post("/api/user/info/reset/hwid")).status).toBe(200);
  expect(Object.keys(await listDevices(person))).toEqual(["four"]);
  expect((await person.post("/api/user/info/reset/hwid")).body.code).toBe("hwid_cooldown");
});

test("a deactivated computer keeps its row and its seat, which goes to a newcomer while removals are left", async () => {
  await using stage = await openStage({ env: { LIMITS: "app=1000/60" } });
  const { person, app } = await customerWith(stage, 2);
  await app.activate("one");
  await app.activate("two");
  expect(await codeOf(app.deactivate("one"))).toBe("NOT_ACTIVATED");
  expect(await codeOf(app.validate("one"))).toBe("NOT_ACTIVATED");
  expect((await listDevices(person))["one"]).toMatchObject({ active: true, removable_at: null });
  expect(await deviceCounts(person)).toEqual({ used: 2, places: 2 });
  // an unknown computer is refused, but activating it takes the seat, which counts as a removal
  expect(await codeOf(app.validate("three"))).toBe("HWID_MISMATCH");
  expect(await codeOf(app.activate("three"))).toBe("VALID");
  expect(Object.keys(await listDevices(person)).toSorted()).toEqual(["three", "two"]);
  expect(await codeOf(app.validate("one"))).toBe("HWID_MISMATCH");
  await app.deactivate("three");
  expect(await codeOf(app.activate("four"))).toBe("VALID");
  expect(Object.keys(await listDevices(person)).toSorted()).toEqual(["four", "two"]);
  await app.deactivate("two");
  const refused = (await app.activate("five")).body;
  expect(refused).toMatchObject({ code: "HWID_MISMATCH", available_at: expect.any(String) });
  // it comes back any time to the seat that it still has
  expect(await codeOf(app.activate("two"))).toBe("VALID");
});

test("with fewer seats later, computers with a running offline file stay, then those seen last", async () => {
  await using stage = await openStage({ env: { LIMITS: "app=1000/60" } });
  const { person, app, key } = await customerWith(stage, 4);
  for (const name of ["filed", "early", "late", "latest"]) {
    await app.activate(name);
    stage.advance(2 * minute);
  }
  const until = new Date(stage.ctx.now().getTime() + 10 * day);
  await giveFile(stage, (await listDevices(person))["filed"]?.id ?? "", until);
  await give(stage, key, 2);
  expect(await deviceCounts(person)).toEqual({ used: 4, places: 2 });
  const states = async () =>
    Object.fromEntries(Object.entries(await listDevices(person)).map(([name, { active }]) => [name, active]));
  expect(await states()).toEqual({ filed: true, early: false, late: false, latest: true });
  for (const name of ["early", "late"]) {
    for (const refused of [await app.validate(name), await app.activate(name), await app.deactivate(name)])
      expect(refused.body).toMatchObject({ code: "HWID_MISMATCH" });
  }
  // only VALID renews when it was seen last
  expect(await states()).toEqual({ filed: true, early: false, late: false, latest: true });
  expect(await codeOf(app.validate("latest"))).toBe("VALID");
  // the others may be removed at once, but not under a running file
  await give(stage, key, 1);
  expect(await states()).toEqual({ filed: true, early: false, late: false, latest: false });
  expect((await remove(person, "filed")).body).toMatchObject({
    code: "hwid_cooldown",
    available_at: until.toISOString(),
  });
  for (const name of ["early", "late"]) expect((await remove(person, name)).status).toBe(200);
  expect(await deviceCounts(person)).toEqual({ used: 2, places: 1 });
  await give(stage, key, 4);
  expect(await states()).toEqual({ filed: true, latest: true });
  await give(stage, key, 1);
  stage.advance(10 * day + minute);
  await person.post("/api/auth/login", { username: "ada", password: "a long enough phrase" });
  expect(await states()).toEqual({ filed: false, latest: true });
});

test("after the licence ended its computers are kept and may be removed, and stand where they were with a new one", async () => {
  await using stage = await openStage({ env: { LIMITS: "app=1000/60" } });
  const { person, app } = await customerWith(stage, 2, { days: 20 });
  await app.activate("one");
  await app.activate("two");
  expect((await remove(person, "two")).status).toBe(200);
  await app.activate("three");
  stage.advance(21 * day);
  await person.post("/api/auth/login", { username: "ada", password: "a long enough phrase" });
  expect(await codeOf(app.validate("one"))).toBe("EXPIRED");
  expect(await deviceCounts(person)).toEqual({ used: 2, places: 0 });
  expect(Object.values(await listDevices(person))).toMatchObject([
    { active: false, removable_at: null },
    { active: false, removable_at: null },
  ]);
  expect((await remove(person, "three")).status).toBe(200);
  const again = await stage.handOut();
  await give(stage, again, 2);
  await person.post("/api/licenses/redeem", { key: again, timezone: "UTC" });
  expect(await codeOf(app.validate("one"))).toBe("VALID");
  expect(await codeOf(app.activate("three"))).toBe("VALID");
  // it had no seat when it was removed, so one removal of the two is left
  expect((await remove(person, "three")).status).toBe(200);
  expect((await remove(person, "one")).body.code).toBe("hwid_cooldown");
});

test("more seats, then fewer, then more give no way around the thirty days", async () => {
  await using stage = await openStage({ env: { LIMITS: "app=1000/60" } });
  const { person, app, key } = await customerWith(stage, 3);
  for (const name of ["one", "two", "three"]) await app.activate(name);
  for (const name of ["one", "two", "three"]) expect((await remove(person, name)).status).toBe(200);
  await give(stage, key, 1);
  for (let time = 0; time < 3; time += 1) {
    expect(await codeOf(app.activate(`computer ${time}`))).toBe(time === 0 ? "VALID" : "HWID_MISMATCH");
    expect((await remove(person, "computer 0")).body.code).toBe("hwid_cooldown");
  }
});

test("the owner is mailed when a computer is added, also with one seat, and not when it is there already", async () => {
  await using stage = await openStage({ env: { LIMITS: "app=1000/60" } });
  const { app, person } = await customerWith(stage, 1);
  await prove(stage, "ada");
  await app.activate("one\nBcc: x");
  await app.activate("one\nBcc: x");
  const added = (await mailsTo(stage, "ada@example.com")).filter(({ subject }) =>
    subject.includes("computer"),
  );
  expect(added).toHaveLength(1);
  expect(added[0]?.subject).toBe("A computer was added to your account");
  expect(added[0]?.text).toContain("one Bcc: x");
  expect(added[0]?.text).toContain("/dashboard/settings#devices");
  await person.post("/api/user/info/reset/hwid");
  await app.activate("two");
  expect(
    (await mailsTo(stage, "ada@example.com")).filter(({ subject }) => subject.includes("was added")),
  ).toHaveLength(2);
});

test("a computer's name and system reach the mailbox as plain words, and masked if they could become a link", async () => {
  await using stage = await openStage({ env: { LIMITS: "app=1000/60" } });
  const { app } = await customerWith(stage, 4);
  await prove(stage, "ada");
  const label = "Refund USD 300: https://www.refund-wisp.com/claim or a@b.com";
  await app.activate("one", { label, os: "Windows 11, see evil.example.com/os" });
  await app.activate("two", { label: "Ada\u2019s PC \u202emoc.live", os: "evil\u00ad.example.com" });
  await app.activate("three", { label: "Ada\u2019s ThinkPad", os: "Windows 11 (10.0.22631)" });
  const mails = (await mailsTo(stage, "ada@example.com")).filter(({ subject }) =>
    subject.includes("was added"),
  );
  const facts = mails.map(({ text }) => /Computer: .*\nSystem: .*/.exec(text ?? "")?.[0]);
  expect(new Set(facts)).toEqual(
    new Set([
      "Computer: Ada\u2019s ThinkPad\nSystem: Windows 11 (10.0.22631)",
      "Computer: A•••e\nSystem: e•••m",
      "Computer: R•••m\nSystem: W•••s",
    ]),
  );
  for (const { html, text } of mails) expect(`${html}${text}`).not.toMatch(/refund-wisp|evil/);
});

test("after a recovery its owner removes the computers of the 72 hours before without counting, once in thirty days", async () => {
  await using stage = await openStage({ env: { LIMITS: "app=1000/60" } });
  const { person, app } = await customerWith(stage, 3);
  await prove(stage, "ada");
  await app.activate("own");
  stage.advance(73 * hour);
  for (const name of ["thief's", "filed"]) await app.activate(name);
  const filed = (await listDevices(await signedIn(person)))["filed"]?.id ?? "";
  await giveFile(stage, filed, new Date(stage.ctx.now().getTime() + 20 * day));
  expect((await remove(person, "filed")).body.code).toBe("hwid_cooldown");
  await recover(stage, "ada@example.com");
  await signedIn(person);
  for (const name of ["thief's", "filed"]) expect((await remove(person, name)).status).toBe(200);
  expect(await stage.ctx.store.db.$count(deviceRemovals)).toBe(0);
  expect((await remove(person, "own")).status).toBe(200);
  expect(await stage.ctx.store.db.$count(deviceRemovals)).toBe(1);
  const renewed = application(stage, (await person.get("/api/user/me")).body.data.api_key);
  for (const name of ["one", "two", "three"]) expect(await codeOf(renewed.activate(name))).toBe("VALID");
  // a second recovery in these thirty days lets nobody go
  await recover(stage, "ada@example.com");
  await signedIn(person);
  for (const name of ["one", "two"]) expect((await remove(person, name)).status).toBe(200);
  expect((await remove(person, "three")).body.code).toBe("hwid_cooldown");
  expect(await stage.ctx.store.db.$count(deviceRemovals)).toBe(3);
});

async function signedIn(person: Person): Promise<Person> {
  expect((await login(person, "ada")).status).toBe(200);
  return person;
}
