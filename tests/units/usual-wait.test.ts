import { expect, test } from "bun:test";
import { hour, minute } from "@/contract/vocabulary/time";
import { usualHours } from "@/domain/tickets/reading/usual-wait";

const hours = { timezone: "Europe/Berlin", from: 9, to: 21, days: [1, 2, 3, 4, 5] };
/** Wednesday noon in Berlin. */
const noon = Date.parse("2027-01-13T11:00:00Z");

/** Ten tickets opened at that moment, and answered after these. */
const usual = (opened: number, ...waits: number[]) =>
  usualHours(
    Array.from({ length: 10 }, (_, at) => {
      const wait = waits[at % waits.length] ?? 0;
      return { from: opened, until: opened + wait };
    }),
    hours,
  );

test("nine first answers say nothing, and ten do", () => {
  const one = { from: noon, until: noon + hour };
  expect(
    usualHours(
      Array.from({ length: 9 }, () => one),
      hours,
    ),
  ).toBeNull();
  expect(
    usualHours(
      Array.from({ length: 10 }, () => one),
      hours,
    ),
  ).toBe(1);
});

for (const [what, opened, waits, expected] of [
  ["a minute is rounded up", noon, [minute], 1],
  ["half of them are answered by the median", noon, [hour, 5 * hour], 1],
  ["two hours and a bit are rounded up", noon, [2 * hour + minute], 3],
  // from midnight to 9:30
  ["the night doesn't count", noon + 12 * hour, [9.5 * hour], 1],
  // from Friday 8 PM to Monday 11 AM
  ["the weekend doesn't count", noon + 56 * hour, [63 * hour], 3],
  ["an answer in the night counts as one hour", noon + 12 * hour, [hour], 1],
] as const) {
  test(what, () => {
    expect(usual(opened, ...waits)).toBe(expected);
  });
}

test("hours may end at midnight", () => {
  const waits = Array.from({ length: 10 }, () => ({ from: noon + 10 * hour, until: noon + 30 * hour }));
  expect(usualHours(waits, { ...hours, from: 20, to: 24, days: [3] })).toBe(2);
});
