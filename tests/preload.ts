/**
 * Loaded before the tests. A test fails if anything is written to `console.error` while it runs; one that
 * expects that replaces it with `spyOn(console, "error").mockImplementation(() => {})` and asserts on the spy.
 */
import "./support/checks/sample-brand";
import { afterEach, setDefaultTimeout } from "bun:test";
import { format } from "node:util";
import { hashCheaply } from "./support/shop/password-cost";
import { matchDates } from "./support/checks/match-dates";
import { recordFileTimes } from "./support/checks/file-times";
import { recordStatements } from "./support/checks/statements";
import { testTimeout } from "./support/checks/test-timeout";

const print = console.error.bind(console);
const written: string[] = [];

function record(...args: unknown[]): void {
  written.push(format(...args));
  print(...args);
}

console.error = record;
setDefaultTimeout(testTimeout);
hashCheaply();
matchDates();
recordStatements();
recordFileTimes();

afterEach(() => {
  console.error = record;
  const unexpected = written.splice(0);
  if (unexpected.length > 0) throw new Error(`unexpected console.error: ${unexpected.join("\n")}`);
});
