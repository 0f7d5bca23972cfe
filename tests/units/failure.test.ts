import { expect, test } from "bun:test";
import { join } from "node:path";
import { failureOf } from "@/core/log/failure";

const root = join(import.meta.dir, "../..");

test("an error is described by its class and the lines of our own code, never by its message", () => {
  const error = new TypeError(`typed\n    at typed (${root}/src/typed.ts:1:1)`);
  const { reason, at } = failureOf(error);
  expect(reason).toBe("TypeError");
  expect(at).toMatch(/^tests\/units\/failure\.test\.ts:\d+$/);
});

test("an error in others' code is described by the lines of its cause, if any", () => {
  const cause = new Error("-");
  const error = new Error("-", { cause });
  error.stack = `Error: -\n    at run (${root}/node_modules/hono/src/x.ts:1:1)\n    at native (unknown)`;
  expect(failureOf(error).at).toMatch(/^tests\/units\/failure\.test\.ts:\d+$/);
  cause.stack = "";
  expect(failureOf(error)).toEqual({ reason: "Error ← Error" });
  expect(failureOf("text")).toEqual({ reason: "unknown" });
});
