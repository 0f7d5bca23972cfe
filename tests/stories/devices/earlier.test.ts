import { expect, test } from "bun:test";
import type { InValue } from "@libsql/client";
import { eq } from "drizzle-orm";
import { day } from "@/contract/time";
import { customer } from "@/core/actor";
import { hwidHashOf } from "@/domain/blocks/hashes";
import { addBlock } from "@/domain/blocks/staff-actions";
import { readTyped } from "@/domain/blocks/typed";
import { takePlace } from "@/domain/devices/take-place";
import { blocks } from "@/domain/schema/blocks";
import { devices } from "@/domain/schema/devices";
import { openStage, type Stage } from "../../support/shop/stage";
import { ask, call, decide, signIn } from "./signing-in";
import { by, codeOf, computer, counted, customerWith, listed, remove } from "./computers";

const roomy = { env: { LIMITS: "app=1000/60" } };
const run = (stage: Stage, sql: string, ...args: InValue[]) => stage.ctx.store.client.execute({ sql, args });
const rowOf = async (stage: Stage) => (await stage.ctx.store.db.select().from(devices))[0];

/** As the release before bound a computer: without an id, a place and the present hash. */
const boundBefore = (stage: Stage, id: string, hwid: string, at = stage.ctx.now().getTime()) =>
  run(
    stage,
    "INSERT INTO devices (account_id, hwid_hash, label, os, version, first_seen_at, last_seen_at) VALUES (?, ?, 'Old', 'Linux', '1.0.0', ?, ?)",
    id,
    stage.ctx.secrets.fingerprint("device", hwid),
    at,
    at,
  );

test("a computer is stored under a keyed hash of its hwid_hash", async () => {
  await using stage = await openStage(roomy);
  const { app } = await customerWith(stage, 1);
  await app.activate("one");
  const { hwid } = computer("one");
  expect((await rowOf(stage))?.computerHash).toBe(stage.ctx.secrets.fingerprint("device", hwidHashOf(hwid)));
  expect(hwidHashOf(hwid)).toBe(new Bun.CryptoHasher("sha256").update(hwid).digest("base64url"));
});

test("the one computer of the release before is the first place: it goes on, and is stored anew when it is seen", async () => {
  await using stage = await openStage(roomy);
  const { app, id, person } = await customerWith(stage, 2);
  const { hwid } = computer("one");
  await boundBefore(stage, id, hwid);
  expect((await rowOf(stage))?.computerHash).toBeNull();
  expect(await codeOf(app.validate("two"))).toBe("NOT_ACTIVATED");
  expect((await rowOf(stage))?.computerHash).toBeNull();
  expect(await codeOf(app.validate("one"))).toBe("VALID");
  expect(await rowOf(stage)).toMatchObject({
    place: 1,
    label: "Old",
    computerHash: stage.ctx.secrets.fingerprint("device", hwidHashOf(hwid)),
    // by which the release before still finds it
    hwidHash: stage.ctx.secrets.fingerprint("device", hwid),
  });
  expect(await codeOf(app.activate("two"))).toBe("VALID");
  expect(await counted(person)).toEqual({ used: 2, places: 2 });
});

test("what the release before changes meanwhile counts: another computer, a reset and its thirty days", async () => {
  await using stage = await openStage(roomy);
  const { app, id, person } = await customerWith(stage, 1);
  await app.activate("one");
  const hash = (name: string) => stage.ctx.secrets.fingerprint("device", computer(name).hwid);
  // it moves the row to another computer
  await run(stage, "UPDATE devices SET hwid_hash = ?, label = 'two' WHERE account_id = ?", hash("two"), id);
  expect(await codeOf(app.validate("one"))).toBe("HWID_MISMATCH");
  expect(await codeOf(app.validate("two"))).toBe("VALID");
  // its owner resets there
  const now = stage.ctx.now().getTime();
  await run(stage, "UPDATE accounts SET device_reset_at = ? WHERE id = ?", now, id);
  await run(stage, "DELETE FROM devices WHERE account_id = ?", id);
  await boundBefore(stage, id, computer("three").hwid);
  expect(await codeOf(app.validate("three"))).toBe("VALID");
  expect((await remove(person, "Old")).body).toMatchObject({
    code: "hwid_cooldown",
    available_at: new Date(now + 30 * day).toISOString(),
  });
  // what the shop frees itself counts once, for its own place
  stage.advance(31 * day);
  await person.post("/api/auth/login", { username: "ada", password: "a long enough phrase" });
  expect((await remove(person, "Old")).status).toBe(200);
  expect((await run(stage, "SELECT number FROM device_places")).rows).toHaveLength(1);
  expect(await listed(person)).toEqual({});
});

test("what the release before does with tokens counts: renewing the account's ends those of its computers, and a moved row's ends", async () => {
  await using stage = await openStage(roomy);
  const { id, person } = await customerWith(stage, 3);
  const hash = (name: string) => stage.ctx.secrets.fingerprint("device", computer(name).hwid);
  const status = async (token: string) => (await call(stage, token, "me")).status;
  const [laptop, study] = [await signIn(stage, person, "laptop"), await signIn(stage, person, "study")];
  // it moves a computer's row to another one
  await run(stage, "UPDATE devices SET hwid_hash = ? WHERE label = 'laptop'", hash("another"));
  expect([await status(laptop.token), await status(study.token)]).toEqual([401, 200]);
  // it notes that it saw the same computer
  await run(stage, "UPDATE devices SET hwid_hash = ?, last_seen_at = 1 WHERE label = 'study'", hash("study"));
  expect(await status(study.token)).toBe(200);
  // it renews the account's token; codes that the owner approved end too
  const asking = await ask(stage, "third");
  const pending = await ask(stage, "fourth");
  expect((await decide(person, asking.userCode)).status).toBe(200);
  await run(stage, "UPDATE accounts SET api_key_hash = 'another' WHERE id = ?", id);
  expect(await status(study.token)).toBe(401);
  expect((await asking.poll()).body).toEqual({ error: "invalid_grant" });
  expect((await pending.poll()).body).toEqual({ error: "authorization_pending" });
});

test("a block in the earlier form stops the computer, and is stored anew when the computer is seen", async () => {
  await using stage = await openStage(roomy);
  const { app } = await customerWith(stage, 2);
  const { hwid } = computer("one");
  await run(
    stage,
    "INSERT INTO blocks (id, kind, key, label, reason, created_at) VALUES ('b', 'device', ?, 'device', 'why', 1)",
    `device:${stage.ctx.secrets.fingerprint("device", hwid)}`,
  );
  const keyOf = async () => (await stage.ctx.store.db.select().from(blocks))[0]?.computerKey;
  expect(await codeOf(app.activate("two"))).toBe("VALID");
  expect(await keyOf()).toBeNull();
  expect(await codeOf(app.activate("one"))).toBe("REVOKED");
  expect(await keyOf()).toBe(`device:${stage.ctx.secrets.fingerprint("device", hwidHashOf(hwid))}`);
  expect(await codeOf(app.validate("one"))).toBe("REVOKED");
  const again = readTyped(stage.ctx, "device", hwid);
  if (!again) throw new Error("it is one");
  expect(await addBlock(stage.ctx, again, by).catch((error: unknown) => error)).toMatchObject({
    code: "block_exists",
  });
});

test("a computer that came by an offline file is the same one online, and its longest file counts", async () => {
  await using stage = await openStage(roomy);
  const { app, id, person } = await customerWith(stage, 1);
  const { ctx } = stage;
  const { hwid } = computer("one");
  const bring = (until: Date) =>
    takePlace(
      ctx,
      { accountId: id, places: 1 },
      { hwidHash: hwidHashOf(hwid), label: "Attic", os: "Linux", version: null },
      { actor: customer(id), cause: "offline_file", fileUntil: () => until },
    );
  const later = new Date(ctx.now().getTime() + 20 * day);
  const { id: device } = await bring(later);
  expect(device).not.toBeNull();
  const { last_seen } = (await listed(person))["Attic"] ?? {};
  stage.advance(day);
  expect(await bring(new Date(ctx.now().getTime() + day))).toMatchObject({ id: device });
  expect((await listed(person))["Attic"]).toMatchObject({
    version: null,
    last_seen,
    offline_until: later.toISOString(),
  });
  expect(await codeOf(app.activate("two"))).toBe("HWID_MISMATCH");
  expect(await codeOf(app.validate("one"))).toBe("VALID");
  expect(await rowOf(stage)).toMatchObject({
    id: device,
    version: "1.0.0",
    computerHash: ctx.secrets.fingerprint("device", hwidHashOf(hwid)),
    hwidHash: ctx.secrets.fingerprint("device", hwid),
  });
  expect(await codeOf(app.deactivate("one"))).toBe("NOT_ACTIVATED");
  expect((await app.activate("two")).body).toMatchObject({
    code: "HWID_MISMATCH",
    available_at: later.toISOString(),
  });
});

test("a computer that never went online is blocked by its hash, and then online too", async () => {
  await using stage = await openStage(roomy);
  const { app, id } = await customerWith(stage, 1);
  await app.activate("one");
  const { ctx } = stage;
  const computerHash = ctx.secrets.fingerprint("device", hwidHashOf(computer("one").hwid));
  await ctx.store.db.update(devices).set({ hwidHash: computerHash }).where(eq(devices.accountId, id));
  await ctx.store.db.update(devices).set({ computerHash }).where(eq(devices.accountId, id));
  await addBlock(ctx, { kind: "device", value: computerHash, computer: computerHash, label: "x" }, by);
  expect(await codeOf(app.validate("one"))).toBe("REVOKED");
});
