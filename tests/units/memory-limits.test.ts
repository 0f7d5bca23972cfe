import { expect, test } from "bun:test";
import { createMemoryLimits } from "@/api/memory-limits";
import { minute } from "@/contract/vocabulary/time";
import { refusalIn } from "@/core/base/refusal";

const limit = { name: "public", most: 10, seconds: 60 };
const other = { name: "other", most: 10, seconds: 60 };
/** More callers than any limit remembers. */
const flood = 60_000;

function openLimits() {
  const clock = { at: 0 };
  const memory = createMemoryLimits(() => new Date(clock.at));
  const refused = (attempt: () => unknown) => {
    try {
      attempt();
      return false;
    } catch (error) {
      expect(refusalIn(error)?.code).toBe("rate_limited");
      return true;
    }
  };
  return { clock, memory, refused, over: (who: string) => refused(() => memory.spend(limit, who)) };
}

const times = (count: number, run: (time: number) => unknown) => {
  for (let time = 0; time < count; time += 1) run(time);
};

test("a flood of new callers resets nobody's used-up limit, and is still served", () => {
  const { memory, over } = openLimits();
  times(10, () => memory.spend(limit, "full"));
  times(9, () => memory.spend(limit, "nearly full"));
  times(2, () => memory.spend(limit, "hardly begun"));
  times(flood, (time) => memory.spend(limit, `stranger ${time}`));
  expect(over("full")).toBeTrue();
  expect(over("nearly full")).toBeFalse();
  expect(over("nearly full")).toBeTrue();
  times(8, () => memory.spend(limit, "hardly begun"));
  expect(over("hardly begun")).toBeTrue();
});

test("among equally little used counters the oldest is dropped first", () => {
  const { memory, over } = openLimits();
  times(5, () => memory.spend(limit, "early"));
  times(flood, (time) => times(5, () => memory.spend(limit, `stranger ${time}`)));
  times(10, () => memory.spend(limit, "early"));
  times(5, () => memory.spend(limit, `stranger ${flood - 1}`));
  expect(over(`stranger ${flood - 1}`)).toBeTrue();
});

test("expired counters are dropped before live ones", () => {
  const { clock, memory, over } = openLimits();
  times(flood, (time) => times(10, () => memory.spend(limit, `old ${time}`)));
  clock.at += minute;
  memory.spend(limit, "new");
  times(15_000, (time) => times(2, () => memory.spend(limit, `stranger ${time}`)));
  times(9, () => memory.spend(limit, "new"));
  expect(over("new")).toBeTrue();
});

test("a flood of one limit does not affect another", () => {
  const { memory, over } = openLimits();
  memory.spend(limit, "ada");
  times(flood, (time) => times(2, () => memory.spend(other, `stranger ${time}`)));
  times(9, () => memory.spend(limit, "ada"));
  expect(over("ada")).toBeTrue();
});

test("an address counts towards its /64, /56 and /48, and is refused before it counts towards any", () => {
  const { clock, memory, refused } = openLimits();
  const from = (subnet: number) => () =>
    memory.spendByAddress(limit, `2001:db8:0:${subnet.toString(16)}::/64`);
  times(10, from(0));
  times(50, () => expect(refused(from(0))).toBeTrue());
  times(30, (time) => from(1 + time)());
  expect(refused(from(0xff))).toBeTrue();
  times(120, (time) => from(0x100 * (1 + (time % 3)) + time)());
  expect(refused(from(0xffff))).toBeTrue();
  expect(refused(() => memory.spendByAddress(limit, "2001:db8:1:0::/64"))).toBeFalse();
  clock.at += minute;
  expect(refused(from(0))).toBeFalse();
});

test("a refunded attempt counts towards nothing", () => {
  const { memory, over } = openLimits();
  times(30, () => memory.spend(limit, "ada")());
  times(10, () => memory.spend(limit, "ada"));
  expect(over("ada")).toBeTrue();
});
