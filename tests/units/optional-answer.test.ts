import { expect, test } from "bun:test";
import { hour } from "@/contract/vocabulary/time";
import type { Ctx } from "@/core/database/context";
import { optionalAnswer } from "@/domain/payments/port/optional-answer";

const shop = () => {
  const at = { now: 0 };
  const log = { warn: () => {} };
  const ctx = { now: () => new Date(at.now), log } as unknown as Ctx;
  return { ctx, at };
};

/** Counts what is asked, and answers in turn. */
const answering = (...answers: (() => Promise<number>)[]) => {
  const asked = { times: 0 };
  const ask = () => {
    asked.times += 1;
    return answers.shift()?.() ?? Promise.reject(new Error("asked too often"));
  };
  return { asked, ask };
};
const says = (one: number) => () => Promise.resolve(one);
const fails = () => Promise.reject(new Error("refused"));

test("a side question's answer and its lack are kept for an hour, each under its key", async () => {
  const { ctx, at } = shop();
  const question = optionalAnswer<number>(ctx, { without: "left out" });
  const { asked, ask } = answering(says(1), fails, says(3));
  expect([await question("a", ask), await question("b", ask), await question("a", ask)]).toEqual([
    1,
    null,
    1,
  ]);
  expect(await question("b", ask)).toBeNull();
  at.now += hour;
  expect(await question("b", ask)).toBe(3);
  expect(asked.times).toBe(3);
});

test("when each answer must be fresh, only its absence is cached", async () => {
  const { ctx, at } = shop();
  const question = optionalAnswer<number>(ctx, { without: "left out", fresh: true });
  const { asked, ask } = answering(says(1), says(2), fails, says(4));
  expect([await question("a", ask), await question("a", ask)]).toEqual([1, 2]);
  expect([await question("a", ask), await question("a", ask)]).toEqual([null, null]);
  at.now += hour;
  expect(await question("a", ask)).toBe(4);
  expect(asked.times).toBe(4);
});

test("all who ask at once ask once, and wait two seconds at most", async () => {
  const { ctx } = shop();
  const question = optionalAnswer<number>(ctx, { without: "left out" });
  const { asked, ask } = answering(() => new Promise<never>(() => {}));
  const began = performance.now();
  const all = await Promise.all(Array.from({ length: 12 }, () => question("a", ask)));
  expect([new Set(all), asked.times]).toEqual([new Set([null]), 1]);
  // one after the other they would wait for 24
  expect(performance.now() - began).toBeLessThan(20_000);
});

test("of thousands of keys the oldest are forgotten", async () => {
  const { ctx } = shop();
  const question = optionalAnswer<number>(ctx, { without: "left out" });
  let asked = 0;
  const ask = () => Promise.resolve((asked += 1));
  for (let key = 0; key < 1_500; key += 1) await question(`${key}`, ask);
  expect([await question("1499", ask), await question("0", ask)]).toEqual([1_500, 1_501]);
});
