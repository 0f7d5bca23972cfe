import { expect, test } from "bun:test";
import { day } from "@/contract/vocabulary/time";
import { openStage, type Stage } from "../../support/shop/stage";
import { codeOf, deviceCounts, customerWith, listDevices } from "./computers";

const rowsOf = async (stage: Stage, sql: string) => (await stage.ctx.store.client.execute(sql)).rows;
const patient = { env: { LIMITS: "app=100000/60,device-change=1000/60,device-reset=1000/60" } };

const tally = (codes: string[]) =>
  Object.fromEntries(
    [...new Set(codes)].toSorted().map((code) => [code, codes.filter((one) => one === code).length]),
  );

test("of two hundred computers that race for the last seat, one gets it, each time", async () => {
  await using stage = await openStage(patient);
  for (const places of [1, 5]) {
    const name = `owner${places}`;
    const { app, person } = await customerWith(stage, places, { name });
    for (let at = 1; at < places; at += 1) await app.activate(`first ${at}`);
    const codes = await Promise.all(
      Array.from({ length: 200 }, (_, at) => codeOf(app.activate(`racer ${at}`))),
    );
    expect(tally(codes)).toEqual({ HWID_MISMATCH: 199, VALID: 1 });
    expect(await deviceCounts(person)).toEqual({ used: places, places });
  }
  expect(await stage.count("audit_log WHERE action = 'device.bound'")).toBe(6);
});

test("two hundred computers fill five free seats, one each", async () => {
  await using stage = await openStage(patient);
  const { app, id } = await customerWith(stage, 5);
  const codes = await Promise.all(
    Array.from({ length: 200 }, (_, at) => codeOf(app.activate(`racer ${at}`))),
  );
  expect(tally(codes)).toEqual({ HWID_MISMATCH: 195, VALID: 5 });
  expect(await rowsOf(stage, `SELECT 1 FROM devices WHERE account_id = '${id}'`)).toHaveLength(5);
});

test("one computer that is activated a hundred times at once has one seat", async () => {
  await using stage = await openStage(patient);
  const { app, person } = await customerWith(stage, 5);
  const codes = await Promise.all(Array.from({ length: 100 }, () => codeOf(app.activate("one"))));
  expect(tally(codes)).toEqual({ VALID: 100 });
  expect(await deviceCounts(person)).toEqual({ used: 1, places: 5 });
});

test("a computer removed a hundred times at once is removed once, and counts once", async () => {
  await using stage = await openStage(patient);
  const { app, person } = await customerWith(stage, 2);
  for (const name of ["one", "two"]) await app.activate(name);
  const { id } = (await listDevices(person))["one"] ?? {};
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => person.post("/api/devices/remove", { id })),
  );
  expect(tally(answers.map(({ status }) => String(status)))).toEqual({ 200: 1, 404: 99 });
  expect(await stage.count("audit_log WHERE action = 'device.reset'")).toBe(1);
  expect(await rowsOf(stage, "SELECT id FROM device_removals")).toHaveLength(1);
});

test("removing and activating at once remove no more computers in thirty days than there are seats", async () => {
  await using stage = await openStage(patient);
  const { app, person } = await customerWith(stage, 3);
  for (const name of ["a", "b", "c"]) await app.activate(name);
  await Promise.all(
    Array.from({ length: 150 }, async (_, at) => {
      if (at % 3 === 0) return app.activate(`racer ${at}`);
      return person.post("/api/user/info/reset/hwid");
    }),
  );
  const rows = await rowsOf(stage, "SELECT detail FROM audit_log WHERE action = 'device.reset'");
  const removed = rows.flatMap(
    ({ detail }) => (JSON.parse(detail as string) as { computers: string[] }).computers,
  );
  expect(new Set(removed).size).toBe(removed.length);
  expect(removed).toHaveLength(3);
  const { used, places } = await deviceCounts(person);
  expect(used).toBeLessThanOrEqual(places);
});

test("the computers of an account's past leave no more rows than it has seats", async () => {
  await using stage = await openStage(patient);
  const { app, id, person } = await customerWith(stage, 3);
  for (const name of ["a", "b", "c"]) await app.activate(name);
  for (let time = 0; time < 40; time += 1) {
    stage.advance(31 * day);
    await person.post("/api/auth/login", { username: "ada", password: "a long enough phrase" });
    expect((await person.post("/api/user/info/reset/hwid")).status).toBe(200);
    await Promise.all(["a", "b", "c"].map((name) => app.activate(`${name} ${time}`)));
  }
  const of = `WHERE account_id = '${id}'`;
  expect([await stage.count(`devices ${of}`), await stage.count(`device_removals ${of}`)]).toEqual([3, 3]);
});
