import { expect, test } from "bun:test";
import { retryOnConflict } from "@/core/database/commit";
import { Refusal } from "@/core/base/refusal";

/** An attempt that loses this many times, and the arguments of its calls. */
function losing(times: number, error: Error = new Refusal("conflict")) {
  const calls: boolean[] = [];
  const attempt = async (again: boolean) => {
    calls.push(again);
    if (calls.length <= times) throw error;
    return "stored";
  };
  return { calls, attempt };
}

test("an operation that loses to another commit reads and decides again until it is stored", async () => {
  const { calls, attempt } = losing(2);
  expect(await retryOnConflict(attempt)).toBe("stored");
  expect(calls).toEqual([false, true, true]);
});

test("another failure is not retried, unless the caller says that it means the same", async () => {
  const taken = new Refusal("email_taken");
  const { calls, attempt } = losing(1, taken);
  expect(await retryOnConflict(attempt).catch((error: unknown) => error)).toBe(taken);
  expect(calls).toEqual([false]);
  expect(await retryOnConflict(losing(1, taken).attempt, (error) => error === taken)).toBe("stored");
});

test("a guard that can never hold ends the tries", async () => {
  const { calls, attempt } = losing(Infinity);
  expect(await retryOnConflict(attempt).catch((error: unknown) => error)).toEqual(new Refusal("conflict"));
  expect(calls).toHaveLength(250);
});
