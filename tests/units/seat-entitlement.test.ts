import { expect, test } from "bun:test";
import { entitlementOf } from "@/domain/application/seat-entitlement";
import type { Slot } from "@/domain/devices/seats";
import { forever, type Reach } from "@/domain/levels/covers";
import type { Level } from "@/domain/levels/ladder";
import { seededRandom } from "../crash/random";

const level = (id: string, features: string[], includesBefore = true): Level => ({
  id,
  name: id.toUpperCase(),
  includesBefore,
  features,
});
const ladder = [level("personal", ["open"]), level("team", ["export", "share"])];
const slot = (id: string, added: number, more: Partial<Slot> = {}): Slot => ({
  id,
  accountId: "ada",
  firstSeenAt: new Date(added),
  lastSeenAt: new Date(0),
  deactivatedAt: null,
  offlineUntil: null,
  offlineSince: null,
  doubted: false,
  ...more,
});
const licence = (of: string, devices: number, until = forever): Reach => ({ level: of, devices, until });

/** By the computer: its level, its end, and its features with theirs. */
const told = (active: Reach[], kept: Slot[], now = 100) =>
  Object.fromEntries(
    kept.map(({ id }) => {
      const {
        level: has,
        expiresAt,
        features,
      } = entitlementOf(ladder, active, { kept, id, removals: [] }, new Date(now));
      return [id, [has.id, expiresAt?.getTime() ?? forever, Object.fromEntries(features)]];
    }),
  );

const kept = [slot("a", 1), slot("b", 2), slot("c", 3)];
const team = { export: forever, open: forever, share: forever };

test("Personal for ten and Team for one don't give Team on ten", () => {
  expect(told([licence("personal", 10), licence("team", 1)], kept)).toEqual({
    a: ["team", forever, team],
    b: ["personal", forever, { open: forever }],
    c: ["personal", forever, { open: forever }],
  });
});

test("Team for a month beside Personal for life ends in time", () => {
  expect(told([licence("personal", 3), licence("team", 2, 500)], kept)).toMatchObject({
    a: ["team", forever, { export: 500, open: forever, share: 500 }],
    b: ["team", forever, { export: 500 }],
    c: ["personal", forever, { open: forever }],
  });
});

test("a feature lasts as long as the longest of the licences that give it", () => {
  const active = [licence("team", 3, 300), licence("team", 2, 400), licence("team", 1, 500)];
  expect(told(active, kept)).toMatchObject({
    a: ["team", 500, { share: 500 }],
    b: ["team", 400, { share: 400 }],
    c: ["team", 300, { share: 300 }],
  });
});

test("computers with a running offline file come first, whoever was used last", () => {
  const filed = [slot("a", 1, { lastSeenAt: new Date(99) }), slot("b", 2, { offlineUntil: new Date(200) })];
  // once its file has ended, the other one comes first
  expect(told([licence("personal", 2), licence("team", 1)], filed)).toMatchObject({
    a: ["personal", forever, { open: forever }],
    b: ["team", forever, { export: 200, open: forever }],
  });
});

test("a level that the shop doesn't have is told by its id", () => {
  const { level: has, features } = entitlementOf(
    ladder,
    [licence("lost", 1)],
    { kept: [], id: "a", removals: [] },
    new Date(),
  );
  expect([has, features.size]).toEqual([{ id: "lost", name: "lost" }, 0]);
});

const seed = Number(process.env["MODEL_SEED"] ?? Date.now());
const steps = 10_000;
const [start, horizon] = [100, 112];

test(`${steps} random accounts have what the contract says, at no moment on more computers than they have seats`, () => {
  console.log(`entitlements: MODEL_SEED=${seed}`);
  const { whole, pick } = seededRandom(seed);
  const slugs = ["f0", "f1", "f2", "f3"];
  for (let step = 0; step < steps; step += 1) {
    const shop = Array.from({ length: whole(1, 4) }, (_, at) =>
      level(
        `l${at}`,
        slugs.filter(() => whole(1, 3) === 1),
        whole(1, 3) > 1,
      ),
    );
    const active = Array.from({ length: whole(1, 5) }, () =>
      licence(pick(shop).id, whole(1, 4), pick([whole(start + 1, horizon), forever])),
    );
    const most = Math.max(...active.map(({ devices }) => devices));
    const computers = Array.from({ length: whole(1, most) }, (_, at) =>
      slot(`${pick(["x", "y"])}${at}`, whole(1, 3), {
        lastSeenAt: new Date(whole(1, 99)),
        offlineUntil: pick([null, new Date(whole(start - 2, horizon))]),
        offlineSince: pick([null, new Date(whole(1, 3))]),
      }),
    );
    const world = { shop, active, computers };
    const all = computers.map(({ id }) =>
      entitlementOf(shop, active, { kept: computers, id, removals: [] }, new Date(start)),
    );
    const said = JSON.stringify({ step, ...world });
    for (const [at, { id }] of computers.entries()) {
      const has = all[at];
      const ends = Object.fromEntries(has?.features ?? []);
      expect(ends, said).toEqual(endsByContract(world, id, slugs));
      expect(has?.expiresAt?.getTime() ?? forever, said).toBe(lastsByContract(world, id, active));
      expect(has?.level.id, said).toBe(levelByContract(world, id));
    }
    for (let at = start; at <= horizon; at += 1) {
      for (const slug of slugs) {
        const seats = seatsWith(world, slug, at);
        const having = all.filter(({ features }) => (features.get(slug) ?? 0) > at).length;
        expect(having, said).toBeLessThanOrEqual(seats);
      }
    }
  }
});

type World = { shop: Level[]; active: Reach[]; computers: Slot[] };

/** Lives through the time, one moment after the other, until the computer is not among the first ones. */
function lastsByContract({ computers }: World, id: string, giving: Reach[]): number {
  for (let at = start; at <= horizon; at += 1) {
    const runs = ({ offlineUntil }: Slot) => (offlineUntil?.getTime() ?? 0) > at;
    const byAge = computers
      .map((one) => [`${String(one.firstSeenAt.getTime()).padStart(9, "0")} ${one.id}`, one] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([, one]) => one);
    const since = ({ offlineSince }: Slot) => offlineSince?.getTime() ?? 0;
    const byFile = byAge.filter(runs).toSorted((one, other) => since(one) - since(other));
    const order = [...byFile, ...byAge.filter((one) => !runs(one))];
    const seats = giving.reduce(
      (most, one) => (one.until > at && one.devices > most ? one.devices : most),
      0,
    );
    if (!order.slice(0, seats).some((one) => one.id === id)) return at;
  }
  return forever;
}

function endsByContract(world: World, id: string, slugs: string[]): Record<string, number> {
  const ends = slugs.map((slug) => {
    const giving = world.active.filter((one) => stepsDown(world, one.level).includes(slug));
    return [slug, lastsByContract(world, id, giving)] as const;
  });
  return Object.fromEntries(ends.filter(([, end]) => end > start));
}

/** The features that one meets from a level down, as far as each includes the one before. */
function stepsDown({ shop }: World, from: string): string[] {
  const found: string[] = [];
  for (let at = shop.findIndex(({ id }) => id === from); at >= 0; at -= 1) {
    found.push(...(shop[at]?.features ?? []));
    if (!shop[at]?.includesBefore) break;
  }
  return found;
}

const levelByContract = (world: World, id: string) =>
  world.shop.findLast(
    (one) =>
      lastsByContract(
        world,
        id,
        world.active.filter((it) => it.level === one.id),
      ) > start,
  )?.id;

const seatsWith = (world: World, slug: string, at: number) =>
  Math.max(
    0,
    ...world.active
      .filter((one) => one.until > at && stepsDown(world, one.level).includes(slug))
      .map(({ devices }) => devices),
  );
