import { expect, test } from "bun:test";
import { day } from "@/contract/vocabulary/time";
import { auditTrail } from "@/core/database/audit";
import { devices } from "@/domain/schema/devices";
import { openStage } from "../../support/shop/stage";
import { release } from "../../support/shop/publish-release";
import { member } from "../accounts/people";
import { deviceCounts, customerWith, giveFile, listDevices, remove } from "./computers";
import { call, signIn } from "./signing-in";

const roomy = { env: { LIMITS: "app=1000/60" } };

test("the list says of each computer what it is, when it was seen and from when it may be removed", async () => {
  await using stage = await openStage(roomy);
  const { person, app } = await customerWith(stage, 2);
  expect((await person.get("/api/devices")).body).toEqual({ status: 200, data: [], next: null });
  await app.activate("Study");
  const device = (await listDevices(person))["Study"];
  expect(device).toEqual({
    id: expect.any(String),
    label: "Study",
    os: "Linux x64",
    version: "1.0.0",
    active: true,
    first_seen: expect.any(String),
    last_seen: expect.any(String),
    removable_at: null,
    offline_until: null,
  });
  const until = new Date(stage.ctx.now().getTime() + 3 * day);
  await giveFile(stage, device?.id ?? "", until);
  expect((await listDevices(person))["Study"]).toMatchObject({
    offline_until: until.toISOString(),
    removable_at: until.toISOString(),
  });
  expect((await stage.person().get("/api/devices")).status).toBe(401);
  for (const path of ["remove", "rename"])
    expect((await stage.person().post(`/api/devices/${path}`, {})).status).toBe(401);
});

test("a list of many computers comes in pages, each computer once", async () => {
  await using stage = await openStage(roomy);
  const { person, id } = await customerWith(stage, 1000);
  const now = stage.ctx.now().getTime();
  await stage.ctx.store.db.insert(devices).values(
    Array.from({ length: 250 }, (_, at) => ({
      id: `device-${at}`,
      accountId: id,
      computerHash: `computer-${at}`,
      label: `Computer ${at}`,
      os: "Linux",
      version: "1.0.0",
      firstSeenAt: new Date(now - day),
      // many at the same time
      lastSeenAt: new Date(now - Math.floor(at / 7) * 1000),
    })),
  );
  const seen: string[] = [];
  let next: string | null = "";
  for (let pages = 0; next !== null && pages < 10; pages += 1) {
    const { body }: { body: { data: { id: string }[]; next: string | null } } = await person.get(
      `/api/devices${next ? `?before=${next}` : ""}`,
    );
    expect(body.data.length).toBeLessThanOrEqual(100);
    seen.push(...body.data.map((one) => one.id));
    next = body.next;
  }
  expect(seen).toHaveLength(250);
  expect(new Set(seen).size).toBe(250);
  expect((await person.get("/api/devices?before=nonsense")).status).toBe(400);
  expect(await deviceCounts(person)).toEqual({ used: 250, places: 1000 });
  // a reset removes them all, as each may be
  expect((await person.post("/api/user/info/reset/hwid")).status).toBe(200);
  expect(await deviceCounts(person)).toEqual({ used: 0, places: 1000 });
});

test("a reset removes the only computer or, of several, all that may be removed", async () => {
  await using stage = await openStage(roomy);
  const { person, app } = await customerWith(stage, 3);
  const reset = async () => (await person.post("/api/user/info/reset/hwid")).body;
  expect(await reset()).toMatchObject({ status: 409, code: "hwid_not_set" });
  for (const name of ["one", "two", "three"]) await app.activate(name);
  expect((await remove(person, "one")).status).toBe(200);
  await app.activate("four");
  const until = new Date(stage.ctx.now().getTime() + 5 * day);
  await giveFile(stage, (await listDevices(person))["two"]?.id ?? "", until);
  expect(await reset()).toEqual({ status: 200, data: "Hardware ID reset successfully" });
  expect(Object.keys(await listDevices(person))).toEqual(["two"]);
  const refused = await reset();
  expect(refused).toMatchObject({ status: 409, code: "hwid_cooldown" });
  expect(Date.parse(refused.available_at)).toBeGreaterThan(until.getTime());
  expect(refused.data).toContain("Hardware ID can be reset again on");
});

test("the log names the computer whose application did something, and the application as who did it", async () => {
  await using stage = await openStage(roomy);
  const { person, app, id } = await customerWith(stage, 3);
  await release(stage, "1.0.0");
  await app.activate("desktop");
  const laptop = await signIn(stage, person, "laptop");
  await laptop.deactivate("laptop");
  await app.deactivate("desktop");
  for (const { token } of [laptop, app])
    expect((await call(stage, token, "../../download")).status).toBe(200);
  expect((await person.get("/api/download")).status).toBe(200);
  const ids = Object.fromEntries(
    Object.entries(await listDevices(person)).map(([name, one]) => [name, one.id]),
  );
  const trail = await auditTrail(stage.ctx, { about: id, limit: 50 });
  const of = (...actions: string[]) =>
    trail
      .filter(({ action }) => actions.includes(action))
      .toReversed()
      .map(({ actorKind, detail }) => [actorKind, detail?.["computer"] ?? null]);
  expect(of("device.bound", "device.signed_in")).toEqual([
    ["application", ids["desktop"]],
    ["application", ids["laptop"]],
    ["application", ids["laptop"]],
  ] as never);
  expect(of("device.deactivated")).toEqual([
    ["application", ids["laptop"]],
    ["application", ids["desktop"]],
  ] as never);
  expect(of("build.downloaded")).toEqual([
    ["application", ids["laptop"]],
    // the account's token doesn't say where it is used
    ["application", null],
    ["customer", null],
  ] as never);
});

test("a computer's name is its owner's once they chose one, and nobody else's to choose", async () => {
  await using stage = await openStage(roomy);
  const { person, app } = await customerWith(stage, 2);
  await app.activate("one", { label: "DESKTOP-4711" });
  const rename = async (id: string, label: unknown, who = person) =>
    (await who.post("/api/devices/rename", { id, label })).body;
  await app.activate("one", { label: "DESKTOP-0815" });
  const { id = "" } = (await listDevices(person))["DESKTOP-0815"] ?? {};
  expect(await rename(id, " My\nstudy ")).toEqual({ status: 200, data: null });
  await app.activate("one", { label: "DESKTOP-9999", version: "2.0.0" });
  expect((await listDevices(person))["My study"]).toMatchObject({ id, version: "2.0.0" });
  for (const wrong of ["", " \u202e ", "x".repeat(65), 7, null])
    expect(await rename(id, wrong)).toMatchObject({ status: 400, field: "label" });
  expect(await rename("nobody's", "x")).toMatchObject({ status: 404, code: "device_unknown" });
  const eve = await member(stage, "eve");
  expect(await rename(id, "mine", eve)).toMatchObject({ status: 404, code: "device_unknown" });
  expect((await eve.post("/api/devices/remove", { id })).body).toMatchObject({ code: "device_unknown" });
  expect(Object.keys(await listDevices(person))).toEqual(["My study"]);
});

test("the export tells every computer, and erasing the account leaves none", async () => {
  await using stage = await openStage(roomy);
  const { person, app } = await customerWith(stage, 2);
  for (const name of ["one", "two"]) await app.activate(name);
  await remove(person, "one");
  await app.activate("three");
  const { devices: told, device } =
    (await person.get("/api/user/export")).body.data ?? (await person.get("/api/user/export")).body;
  expect(told.map(({ label }: { label: string }) => label).toSorted()).toEqual(["three", "two"]);
  expect(device.label).toBe("three");
  expect(JSON.stringify(told)).not.toContain("hash");
  const erased = await person.post("/api/user/delete", { password: "a long enough phrase" });
  expect(erased.status).toBe(200);
  for (const table of ["devices", "device_removals"])
    expect((await stage.ctx.store.client.execute(`SELECT * FROM ${table}`)).rows).toEqual([]);
});
