import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { day } from "@/contract/vocabulary/time";
import type { Ctx } from "@/core/database/context";
import { openStore } from "@/core/database/database";
import { createSecrets } from "@/core/secrets/secrets";
import { choosePlace, firstFree, judgePlaces } from "@/domain/devices/places";
import { findDevice } from "@/domain/devices/read";
import { hashOf } from "@/domain/blocks/hashes";
import { accounts } from "@/domain/schema/accounts";
import { type Device, devices } from "@/domain/schema/devices";

const now = new Date("2026-06-01T00:00:00Z");
const at = (days: number) => new Date(now.getTime() + days * day);
const secrets = createSecrets(new Uint8Array(32).fill(7));

const device = (id: string, place: number, more: Partial<Device> = {}): Device => ({
  id,
  accountId: "ada",
  place,
  computerHash: hashOf({ secrets }, { hwid: `hardware ${id}` }),
  label: id,
  renamed: false,
  os: "Linux",
  version: "1.0.0",
  firstSeenAt: at(-90),
  lastSeenAt: at(-place),
  deactivatedAt: null,
  offlineUntil: null,
  doubted: false,
  ...more,
});

const judged = (places: number, kept: Device[], freed: [number, Date][] = []) =>
  judgePlaces({ accountId: "ada", places, devices: kept, freed: new Map(freed) }, now);

test("thirty days to the moment after a place was freed, its owner may free it again", () => {
  const removable = (freedAt: Date) => judged(1, [device("a", 1)], [[1, freedAt]]).devices[0]?.removableAt;
  expect(removable(at(-30))).toBeNull();
  expect(removable(new Date(at(-30).getTime() + 1))).toEqual(new Date(now.getTime() + 1));
});

test("a file holds a computer's place until it ends, whatever the thirty days say and however few places there are", () => {
  const filed = device("a", 1, { offlineUntil: at(3) });
  for (const places of [0, 1]) expect(judged(places, [filed]).devices[0]?.removableAt).toEqual(at(3));
  expect(judged(1, [filed], [[1, at(-29)]]).devices[0]?.removableAt).toEqual(at(3));
  expect(judged(1, [filed], [[1, at(-20)]]).devices[0]?.removableAt).toEqual(at(10));
  expect(judged(0, [filed], [[1, at(-20)]]).devices[0]?.removableAt).toEqual(at(3));
  const over = device("a", 1, { offlineUntil: now });
  expect(judged(1, [over]).devices[0]?.removableAt).toBeNull();
});

test("a deactivated computer with a running file gives its place to nobody", () => {
  const kept = [device("a", 1, { deactivatedAt: at(-1), offlineUntil: at(3) })];
  expect(choosePlace(judged(1, kept))).toEqual({ place: null, availableAt: at(3) });
});

test("of several deactivated computers the newcomer takes the place never freed, then the one freed longest ago", () => {
  const off = { deactivatedAt: at(-1) };
  const kept = [device("a", 1, off), device("b", 2, off), device("c", 3, off), device("d", 4)];
  const chosen = (freed: [number, Date][]) => choosePlace(judged(4, kept, freed)).place;
  expect(chosen([[1, at(-40)]])).toBe(2);
  expect(
    chosen([
      [1, at(-40)],
      [2, at(-50)],
      [3, at(-60)],
    ]),
  ).toBe(3);
  expect(
    chosen([
      [1, at(-40)],
      [2, at(-5)],
      [3, at(-6)],
    ]),
  ).toBe(1);
});

test("a full account says when the first place may be freed, and counts no computer without a place", () => {
  const kept = [device("a", 1), device("b", 2), device("c", 3)];
  const freed: [number, Date][] = [
    [1, at(-10)],
    [2, at(-20)],
  ];
  expect(firstFree(judged(2, kept, freed))).toEqual(at(10));
  expect(firstFree(judged(3, kept, freed))).toBeNull();
  expect(firstFree(judged(0, kept, freed))).toBeNull();
});

test("the query and the rule always agree on which computers have a place", async () => {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-places-"));
  const store = await openStore({ url: `file:${join(folder, "shop.db")}` });
  try {
    const ctx = { store, secrets, now: () => now } as unknown as Ctx;
    const name = { username: "ada", usernameKey: "ada", email: "ada", emailKey: "ada" };
    await store.db
      .insert(accounts)
      .values({ id: "ada", ...name, passwordHash: "", timezone: "UTC", createdAt: now });
    let seed = 1;
    const draw = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    for (let round = 0; round < 60; round += 1) {
      const kept = Array.from({ length: draw(7) }, (_, place) =>
        device(`${draw(1000)}-${place}`, place + 1, {
          lastSeenAt: at(-draw(3)),
          offlineUntil: [null, at(-1), now, at(1)][draw(4)] ?? null,
        }),
      );
      await store.db.delete(devices);
      if (kept.length > 0) await store.db.insert(devices).values(kept);
      for (let places = 0; places <= 7; places += 1) {
        for (const { id, active } of judged(places, kept).devices) {
          const found = await findDevice(ctx, { accountId: "ada", places }, { hwid: `hardware ${id}` });
          expect([round, places, id, found?.active]).toEqual([round, places, id, active]);
        }
      }
    }
  } finally {
    store.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
