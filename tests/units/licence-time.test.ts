import { expect, test } from "bun:test";
import { day } from "@/contract/vocabulary/time";
import { endsOf, type HeldLicence } from "@/domain/licences/entitlement/time";
import { endsByContract, type Sold } from "../support/checks/licence-time-by-contract";
import { seededRandom } from "../crash/random";

const seed = Number(process.env["MODEL_SEED"] ?? 24);
const steps = 10_000;
const at = (days: number) => new Date(days * day);

type Known = { name: string; days?: number | null; redeemed: number; refunded?: number; suspended?: number };

/** A valid licence with these changes; its name is its id. */
const licence = ({ name, days = 30, redeemed, refunded, suspended }: Known): HeldLicence => ({
  id: name,
  chain: "premium",
  livemode: null,
  days,
  fixedEndsAt: null,
  paidUntil: null,
  redeemedAt: at(redeemed),
  extensions: [],
  paymentStatus: refunded === undefined ? "good" : "refunded",
  paymentFellAt: refunded === undefined ? null : at(refunded),
  suspendedAt: suspended === undefined ? null : at(suspended),
  revokedAt: null,
});

/** The ends by name, in days. */
const endsIn = (held: HeldLicence[]) =>
  Object.fromEntries(
    [...endsOf(held, { livemode: false })].map(([id, end]) => [id, end && end.getTime() / day]),
  );

test("six keys of 30 days of which five were refunded are worth 30 days", () => {
  const names = ["a", "b", "c", "d", "e", "f"];
  const six = names.map((name) => licence({ name, redeemed: 1 }));
  expect(endsIn(six)).toMatchObject({ a: 31, f: 181 });
  const refunded = names.map((name) =>
    licence({ name, redeemed: 1, ...(name === "f" ? {} : { refunded: 1 }) }),
  );
  expect(endsIn(refunded)).toEqual({ a: 1, b: 1, c: 1, d: 1, e: 1, f: 31 });
});

test("time used before a licence was lost stays used, and its unused time is lost", () => {
  const first = { name: "a", redeemed: 0 };
  const second = licence({ name: "b", redeemed: 1 });
  expect(endsIn([licence(first), second])).toEqual({ a: 30, b: 60 });
  expect(endsIn([licence({ ...first, refunded: 10 }), second])).toEqual({ a: 10, b: 40 });
  // it had been used up
  expect(endsIn([licence({ ...first, refunded: 35 }), second])).toEqual({ a: 30, b: 60 });
  // it never began
  expect(endsIn([licence(first), { ...second, paymentStatus: "refunded", paymentFellAt: at(5) }])).toEqual({
    a: 30,
    b: 5,
  });
});

test("a suspended licence's clock keeps running, and a reinstated licence counts as if it had never been suspended", () => {
  const others = [licence({ name: "b", redeemed: 5 }), licence({ name: "c", redeemed: 100 })];
  const before = endsIn([licence({ name: "a", redeemed: 0 }), ...others]);
  expect(endsIn([licence({ name: "a", redeemed: 0, suspended: 3 }), ...others])).toEqual({
    a: 3,
    b: 35,
    c: 130,
  });
  expect(before).toEqual({ a: 30, b: 60, c: 130 });
});

test("days that staff add begin at the end of all earlier time, and are lost with their licence", () => {
  const extended: HeldLicence = {
    ...licence({ name: "a", redeemed: 0 }),
    extensions: [{ id: "x", days: 10, addedAt: at(20), beginsAt: null }],
  };
  const others = [licence({ name: "b", redeemed: 5 }), licence({ name: "c", redeemed: 25 })];
  expect(endsIn([extended, ...others])).toEqual({ b: 60, a: 70, c: 100 });
  const suspended = { ...extended, suspendedAt: at(28) };
  expect(endsIn([suspended, ...others])).toEqual({ a: 28, b: 58, c: 88 });
});

test("a lifetime takes no time, and an imported end is never moved", () => {
  const lifetime = licence({ name: "l", redeemed: 0, days: null });
  const imported = { ...licence({ name: "i", redeemed: 1, days: 30 }), fixedEndsAt: at(4) };
  expect(endsIn([lifetime, imported, licence({ name: "a", redeemed: 2 })])).toEqual({ l: null, i: 4, a: 34 });
});

test("a licence bought in the other Stripe mode delays none that counts", () => {
  const testing = { ...licence({ name: "t", redeemed: 0 }), livemode: false };
  const live = { ...licence({ name: "l", redeemed: 1 }), livemode: true };
  const given = licence({ name: "g", redeemed: 2 });
  expect(endsIn([testing, live, given])).toEqual({ t: 30, l: 31, g: 60 });
});

test(`${steps} random accounts have the contract's ends, in whatever order their licences are read`, () => {
  console.log(`licence time: MODEL_SEED=${seed}`);
  const random = seededRandom(seed);
  for (let step = 0; step < steps; step += 1) {
    const sold = Array.from({ length: random.whole(1, 7) }, (_, nth) => randomLicence(random, nth));
    const held = random.shuffled(sold.map(heldOf));
    expect(endsIn(held), JSON.stringify({ step, sold })).toEqual(endsByContract(sold, "test"));
  }
});

type Random = ReturnType<typeof seededRandom>;

function randomLicence({ whole, pick }: Random, nth: number): Sold {
  const redeemed = whole(0, 59);
  const maybe = (chance: number, value: () => number) => (whole(1, chance) === 1 ? [value()] : []);
  const later = () => redeemed + whole(-2, 57);
  const [fixed] = maybe(9, () => redeemed + whole(0, 39));
  return {
    name: `l${nth}`,
    level: pick(["pro", "pro", "team"]),
    days: whole(1, 8) === 1 ? null : whole(1, 30),
    redeemed,
    fixed,
    mode: pick(["test", "live", null]),
    causes: [...maybe(4, later), ...maybe(4, later), ...maybe(4, later)],
    extensions: Array.from({ length: Math.max(0, whole(-2, 2)) }, (_, which) => ({
      name: `x${nth}.${which}`,
      days: whole(1, 20),
      at: redeemed + whole(0, 49),
    })),
  };
}

function heldOf({ name, level, days, redeemed, fixed, mode, causes, extensions }: Sold): HeldLicence {
  const [paid, suspended, revoked] = causes.map(at);
  return {
    id: name,
    chain: level,
    days,
    livemode: mode === null ? null : mode === "live",
    redeemedAt: at(redeemed),
    fixedEndsAt: fixed === undefined ? null : at(fixed),
    paidUntil: null,
    paymentStatus: paid ? "refunded" : "good",
    paymentFellAt: paid ?? null,
    suspendedAt: suspended ?? null,
    revokedAt: revoked ?? null,
    extensions: extensions.map((one) => ({
      id: one.name,
      days: one.days,
      addedAt: at(one.at),
      beginsAt: null,
    })),
  };
}

test("a subscription stands outside the chain: its end is Stripe's, or that of staff's days beside it", () => {
  const subscription = { ...licence({ name: "s", redeemed: 0, days: null }), paidUntil: at(33) };
  const timed = licence({ name: "t", redeemed: 1, days: 10 });
  const added = { id: "x", days: 5, addedAt: at(2), beginsAt: at(30) };
  const endsWith = (paidUntil: Date, ...extensions: HeldLicence["extensions"]) =>
    endsOf([{ ...subscription, paidUntil, extensions }, timed], { livemode: false });
  const ends = endsWith(at(33), added);
  expect([ends.get("s"), ends.get("t")]).toEqual([at(35), at(11)]);
  // what is paid later runs beside them, and further days come after them
  expect(endsWith(at(63), added).get("s")).toEqual(at(63));
  expect(endsWith(at(33), added, { ...added, id: "y", addedAt: at(3) }).get("s")).toEqual(at(40));
  expect(endsWith(at(10), { ...added, addedAt: at(50), beginsAt: at(50) }).get("s")).toEqual(at(55));
});
