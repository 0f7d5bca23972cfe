import { expect, test } from "bun:test";
import { covers, coveringOf, foremost, forever, type Reach, untilCancelled } from "@/domain/levels/covers";
import { contains, featuresOf, levelIn, type Level } from "@/domain/levels/ladder";
import { seededRandom } from "../crash/random";

const level = (id: string, more: Partial<Level> = {}): Level => ({
  id,
  name: id,
  includesBefore: true,
  features: [],
  ...more,
});
const ladder = [
  level("personal", { features: ["export"] }),
  level("studio", { features: ["stems", "export"] }),
  level("school", { includesBefore: false, features: ["class"] }),
  level("campus"),
];

test("a level contains itself and each one before it, as far as it and those between include the one before", () => {
  const ids = ladder.map(({ id }) => id);
  const contained = Object.fromEntries(
    ids.map((one) => [one, ids.filter((other) => contains(ladder, one, other))]),
  );
  expect(contained).toEqual({
    personal: ["personal"],
    studio: ["personal", "studio"],
    school: ["school"],
    campus: ["school", "campus"],
  });
});

test("a level that the shop doesn't have contains itself alone", () => {
  expect([contains(ladder, "lost", "lost"), contains(ladder, "lost", "personal")]).toEqual([true, false]);
  expect(contains(ladder, "campus", "lost")).toBe(false);
});

test("of a level's licences those decide that no other one outdoes in computers and time", () => {
  const reach = (of: string, devices: number, until: number): Reach => ({ level: of, devices, until });
  const held = [
    reach("studio", 2, 100),
    reach("studio", 3, 100),
    reach("studio", 1, forever),
    reach("studio", 1, untilCancelled),
    reach("studio", 3, 50),
    reach("personal", 1, 50),
    reach("personal", 1, 50),
  ];
  expect(foremost(held)).toEqual([held[2], held[1], held[5]].map((one) => one as Reach));
});

test("a level has its own features and those of what it contains, each once", () => {
  expect(ladder.map(({ id }) => featuresOf(ladder, id))).toEqual([
    ["export"],
    ["export", "stems"],
    ["class"],
    ["class"],
  ]);
  expect(featuresOf(ladder, "lost")).toEqual([]);
});

test("the highest level is the last in the order", () => {
  expect(levelIn(ladder, [{ level: "studio" }, { level: "personal" }])?.id).toBe("studio");
  expect(levelIn(ladder, [])).toBeNull();
});

const one = (id: string, until: number, devices = 1): Reach => ({ level: id, until, devices });

test("a licence covers one of its level or of one that it contains, that ends no later, for as many computers", () => {
  const wanted = one("personal", 100);
  expect([
    covers(ladder, [one("personal", 100)], wanted),
    covers(ladder, [one("studio", 100)], wanted),
    covers(ladder, [one("studio", 99)], wanted),
    covers(ladder, [one("school", forever, 9)], wanted),
    covers(ladder, [one("studio", forever, 9)], { ...wanted, devices: 10 }),
    covers(ladder, [], wanted),
  ]).toEqual([true, true, false, false, false, false]);
});

test("no two licences together cover what neither covers alone", () => {
  const held = [one("studio", 50, 5), one("personal", forever, 1)];
  expect(covers(ladder, held, one("personal", 100, 5))).toBe(false);
});

test("a subscription covers what has an end, and a lifetime covers both", () => {
  const [held, forLife] = [one("studio", untilCancelled), one("studio", forever)];
  const wanted = [one("personal", 100), one("personal", untilCancelled), one("personal", forever)];
  expect(wanted.map((it) => covers(ladder, [held], it))).toEqual([true, false, false]);
  expect(wanted.map((it) => covers(ladder, [forLife], it))).toEqual([true, true, true]);
  expect(coveringOf(ladder, [held, forLife], one("personal", 100))).toEqual(forLife);
});

const seed = Number(process.env["MODEL_SEED"] ?? Date.now());
const steps = 10_000;

test(`${steps} random holdings are covered as the contract says`, () => {
  console.log(`levels: MODEL_SEED=${seed}`);
  const { whole, pick } = seededRandom(seed);
  for (let step = 0; step < steps; step += 1) {
    const shop = Array.from({ length: whole(1, 5) }, (_, at) =>
      level(`l${at}`, { includesBefore: whole(1, 3) > 1 }),
    );
    const some = (): Reach => ({
      level: pick([...shop.map(({ id }) => id), "lost"]),
      devices: whole(1, 3),
      until: pick([whole(1, 4), whole(1, 4), untilCancelled, forever]),
    });
    const held = Array.from({ length: whole(0, 3) }, some);
    const wanted = some();
    const told = JSON.stringify({ step, shop, held, wanted });
    expect(covers(shop, held, wanted), told).toBe(held.some((it) => coversByContract(shop, it, wanted)));
  }
});

/** Steps down from the held level one by one, and compares ends in words. */
function coversByContract(shop: Level[], held: Reach, wanted: Reach): boolean {
  let at = shop.findIndex(({ id }) => id === held.level);
  while (held.level !== wanted.level && shop[at]?.id !== wanted.level) {
    if (!shop[at]?.includesBefore || at === 0) return false;
    at -= 1;
  }
  if (held.devices < wanted.devices) return false;
  const kind = ({ until }: Reach) =>
    until === forever ? "lifetime" : until === untilCancelled ? "subscription" : "days";
  if (kind(held) === "lifetime") return true;
  if (kind(held) === "subscription") return kind(wanted) === "days";
  return kind(wanted) === "days" && !(held.until < wanted.until);
}
