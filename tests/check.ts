/** `bun run check [paths…]`: types, lint, format and dead code, side by side. Given paths, checks only those. */

import { runProcess } from "./support/operator/run-process";

export interface CheckResult {
  name: string;
  passed: boolean;
  seconds: number;
  output: string;
}

/** Runs all checks at once; `paths` (relative to the root) narrows them and leaves out the search for dead code. */
export async function check(paths: readonly string[] = []): Promise<CheckResult[]> {
  const checks = [
    runCheck("types", ["check", "--no-script", "--no-pretty", ...paths]),
    runCheck("lint", ["node_modules/oxlint/bin/oxlint", "--type-aware", "--format=unix", ...paths]),
    runCheck("format", ["fmt", "--no-script", "--check", ...paths]),
  ];
  if (paths.length === 0) checks.push(runCheck("dead code", ["node_modules/knip/bin/knip-bun.js"]));
  return Promise.all(checks);
}

async function runCheck(name: string, args: string[]): Promise<CheckResult> {
  const started = performance.now();
  const { out, err, code } = await runProcess([process.execPath, ...args]);
  const seconds = (performance.now() - started) / 1000;
  return { name, passed: code === 0, seconds, output: `${out}${err}`.trim() };
}

export function describeCheck({ name, passed, seconds, output }: CheckResult): string {
  const line = `${passed ? "ok  " : "FAIL"} ${name} ${seconds.toFixed(1)} s`;
  return passed ? line : `${line}\n${output}\n`;
}

if (import.meta.main) {
  const results = await check(process.argv.slice(2));
  for (const result of results) console.log(describeCheck(result));
  process.exit(results.every((result) => result.passed) ? 0 : 1);
}
