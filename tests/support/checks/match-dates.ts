import { expect } from "bun:test";

/** Bun's `toMatchObject` takes any date for equal to any other: this compares their times. Called once, before the tests. */
export function matchDates(): void {
  expect.extend({
    toBeTime: (actual: unknown, wanted: Date) => ({
      pass: actual instanceof Date && actual.getTime() === wanted.getTime(),
      message: () => `${String(actual)} is not ${wanted.toISOString()}`,
    }),
  });
  const matchers = Object.getPrototypeOf(expect(0)) as Record<"toMatchObject", (wanted: unknown) => unknown>;
  const { toMatchObject } = matchers;
  matchers.toMatchObject = function (wanted) {
    return toMatchObject.call(this, withTimes(wanted));
  };
}

const timed = expect as unknown as { toBeTime: (wanted: Date) => unknown };

function withTimes(wanted: unknown): unknown {
  if (wanted instanceof Date) return timed.toBeTime(wanted);
  if (Array.isArray(wanted)) return wanted.map(withTimes);
  const isPlain =
    typeof wanted === "object" && wanted !== null && Object.getPrototypeOf(wanted) === Object.prototype;
  if (!isPlain) return wanted;
  return Object.fromEntries(Object.entries(wanted).map(([name, value]) => [name, withTimes(value)]));
}
