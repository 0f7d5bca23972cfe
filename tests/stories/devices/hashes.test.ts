import { expect, test } from "bun:test";
import { day } from "@/contract/vocabulary/time";
import { customer } from "@/core/base/actor";
import { hwidHashOf } from "@/domain/blocks/hashes";
import { addBlock } from "@/domain/blocks/staff-actions";
import { takeSeat } from "@/domain/devices/take-seat";
import { devices } from "@/domain/schema/devices";
import { openStage, type Stage } from "../../support/shop/stage";
import { by, codeOf, computer, customerWith, listDevices } from "./computers";

const roomy = { env: { LIMITS: "app=1000/60" } };
const rowOf = async (stage: Stage) => (await stage.ctx.store.db.select().from(devices))[0];

test("a computer is stored under a keyed hash of its hwid_hash", async () => {
  await using stage = await openStage(roomy);
  const { app } = await customerWith(stage, 1);
  await app.activate("one");
  const { hwid } = computer("one");
  expect((await rowOf(stage))?.computerHash).toBe(stage.ctx.secrets.fingerprint("device", hwidHashOf(hwid)));
  expect(hwidHashOf(hwid)).toBe(new Bun.CryptoHasher("sha256").update(hwid).digest("base64url"));
});

test("a computer that came by an offline file is the same one online, and its longest file counts", async () => {
  await using stage = await openStage(roomy);
  const { app, id, person } = await customerWith(stage, 1);
  const { ctx } = stage;
  const { hwid } = computer("one");
  const bring = (until: Date) =>
    takeSeat(
      ctx,
      { accountId: id, seats: 1 },
      { hwidHash: hwidHashOf(hwid), label: "Attic", os: "Linux", version: null },
      { actor: customer(id), cause: "offline_file", fileUntil: () => until },
    );
  const later = new Date(ctx.now().getTime() + 20 * day);
  const { id: device } = await bring(later);
  expect(device).not.toBeNull();
  const { last_seen } = (await listDevices(person))["Attic"] ?? {};
  stage.advance(day);
  expect(await bring(new Date(ctx.now().getTime() + day))).toMatchObject({ id: device });
  expect((await listDevices(person))["Attic"]).toMatchObject({
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
  });
  expect(await codeOf(app.deactivate("one"))).toBe("NOT_ACTIVATED");
  expect((await app.activate("two")).body).toMatchObject({
    code: "HWID_MISMATCH",
    available_at: later.toISOString(),
  });
});

test("a computer that never went online is blocked by its hash, and then online too", async () => {
  await using stage = await openStage(roomy);
  const { app } = await customerWith(stage, 1);
  await app.activate("one");
  const { ctx } = stage;
  const computerHash = ctx.secrets.fingerprint("device", hwidHashOf(computer("one").hwid));
  await addBlock(ctx, { kind: "device", value: computerHash, label: "x" }, by);
  expect(await codeOf(app.validate("one"))).toBe("REVOKED");
});
