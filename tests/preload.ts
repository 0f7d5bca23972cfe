/**
 * Loaded before every test file: a test during which something wrote to `console.error` fails.
 * A test that expects it puts `spyOn(console, "error").mockImplementation(() => {})` in the way, and looks at the spy.
 */
import { afterEach, setDefaultTimeout } from "bun:test";
import { format } from "node:util";

const print = console.error.bind(console);
const written: string[] = [];

function record(...args: unknown[]): void {
  written.push(format(...args));
  print(...args);
}

console.error = record;
// Generous, because a story starts real servers on a machine that may be busy; nothing waits for it to pass.
setDefaultTimeout(120_000);

afterEach(() => {
  console.error = record;
  const unexpected = written.splice(0);
  if (unexpected.length > 0) throw new Error(`unexpected console.error: ${unexpected.join("\n")}`);
});
