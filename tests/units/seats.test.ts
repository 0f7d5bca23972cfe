import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { day } from "@/contract/vocabulary/time";
import type { Ctx } from "@/core/database/context";
import { openStore } from "@/core/database/database";
import { createSecrets } from "@/core/secrets/secrets";
import { chooseSeat, firstSeatFreeAt, computeSeats, reachOf, removalsOf } from "@/domain/devices/seats";
import { findDevice } from "@/domain/devices/read";
import { hashOf } from "@/domain/blocks/hashes";
import { accounts } from "@/domain/schema/accounts";
import { type Device, devices } from "@/domain/schema/devices";

const now = new Date("2026-06-01T00:00:00Z");
const at = (days: number) => new Date(now.getTime() + days * day);
const secrets = createSecrets(new Uint8Array(32).fill(7));

const device = (id: string, age: number, more: Partial<Device> = {}): Device => ({
  id,
  accountId: "ada",
  computerHash: hashOf({ secrets }, { hwid: `hardware ${id}` }),
  label: id,
  renamed: false,
  os: "Linux",
  version: "1.0.0",
  firstSeenAt: at(-90 + age),
  lastSeenAt: at(-age),
  deactivatedAt: null,
  offlineUntil: null,
  offlineSince: null,
  doubted: false,
  ...more,
});

const seatsWith = (seats: number, kept: Device[], removals: Date[] = []) =>
  computeSeats(
    { accountId: "ada", seats, devices: kept, removals: removals.map((one) => ({ at: one, rank: 0 })) },
    now,
  );

test("an owner removes as many computers in thirty days as there are seats", () => {
  const removable = (seats: number, removals: Date[]) =>
    seatsWith(seats, [device("a", 1)], removals).devices[0]?.removableAt;
  expect(removable(1, [])).toBeNull();
  expect(removable(1, [at(-20)])).toEqual(at(10));
  expect(removable(2, [at(-20)])).toBeNull();
  expect(removable(2, [at(-20), at(-10)])).toEqual(at(10));
  // of three removals with more seats, two have to be forgotten before one seat lets go again
  expect(removable(2, [at(-20), at(-10), at(-5)])).toEqual(at(20));
});

test("a licence for fewer computers than there are seats moves as often as it is for computers", () => {
  const reach = (devices: number, ranks: number[]) =>
    reachOf(devices, { seats: 10, removals: ranks.map((rank) => ({ at: now, rank })) });
  expect([[], [0], [0, 0], [0, 0, 0]].map((ranks) => reach(1, ranks))).toEqual([1, 1, 0, 0]);
  expect(
    [
      [1, 1],
      [1, 1, 1],
      [1, 1, 1, 0],
    ].map((ranks) => reach(2, ranks)),
  ).toEqual([2, 1, 0]);
  // computers that didn't have it, or no longer
  expect(reach(2, [2, 3, 2, 9])).toBe(2);
  expect(reach(2, [1, 1, 1, 1, 1])).toBe(1);
  // a short file elsewhere doesn't hide that a removed computer came first
  const ten = seatsWith(10, [device("a", 1), device("b", 2, { offlineUntil: at(1) }), device("c", 3)]);
  const removed = ten.devices.filter(({ id }) => id === "a");
  expect(removalsOf(ten, removed, now)).toEqual([{ at: now, rank: 0 }]);
  // the account's own limit holds for as many computers as there are seats
  expect(reach(10, Array<number>(50).fill(0))).toBe(10);
});

test("a file holds a computer's seat until it ends, whatever the thirty days say and however few seats there are", () => {
  const filed = device("a", 1, { offlineUntil: at(3) });
  for (const seats of [0, 1]) expect(seatsWith(seats, [filed]).devices[0]?.removableAt).toEqual(at(3));
  expect(seatsWith(1, [filed], [at(-29)]).devices[0]?.removableAt).toEqual(at(3));
  expect(seatsWith(1, [filed], [at(-20)]).devices[0]?.removableAt).toEqual(at(10));
  expect(seatsWith(0, [filed], [at(-20)]).devices[0]?.removableAt).toEqual(at(3));
  const over = device("a", 1, { offlineUntil: now });
  expect(seatsWith(1, [over]).devices[0]?.removableAt).toBeNull();
});

test("a deactivated computer with a running file gives its seat to nobody", () => {
  const kept = [device("a", 1, { deactivatedAt: at(-1), offlineUntil: at(3) })];
  expect(chooseSeat(seatsWith(1, kept))).toEqual({ hasSeat: false, availableAt: at(3) });
});

test("of several deactivated computers the newcomer takes the seat of the one deactivated longest ago", () => {
  const kept = [
    device("a", 1),
    ...[-1, -3, -2].map((days) => device(`${days}`, 2, { deactivatedAt: at(days) })),
  ];
  expect(chooseSeat(seatsWith(4, kept))).toMatchObject({ hasSeat: true, replaces: { id: "-3" } });
});

test("a full account says when the first seat may be freed, and counts no computer without a seat", () => {
  const kept = [device("a", 1), device("b", 2), device("c", 3)];
  const removals = [at(-20), at(-10)];
  expect(firstSeatFreeAt(seatsWith(2, kept, removals))).toEqual(at(10));
  expect(firstSeatFreeAt(seatsWith(3, kept, removals))).toBeNull();
  expect(firstSeatFreeAt(seatsWith(0, kept, removals))).toBeNull();
});

test("the query and the rule always agree on which computers have a seat", async () => {
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
      const kept = Array.from({ length: draw(7) }, (_, nth) =>
        device(`${draw(1000)}-${nth}`, nth + 1, {
          lastSeenAt: at(-draw(3)),
          offlineUntil: [null, at(-1), now, at(1)][draw(4)] ?? null,
        }),
      );
      await store.db.delete(devices);
      if (kept.length > 0) await store.db.insert(devices).values(kept);
      for (let seats = 0; seats <= 7; seats += 1) {
        for (const { id, active } of seatsWith(seats, kept).devices) {
          const found = await findDevice(ctx, { accountId: "ada", seats }, { hwid: `hardware ${id}` });
          expect([round, seats, id, found?.active]).toEqual([round, seats, id, active]);
        }
      }
    }
  } finally {
    store.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
