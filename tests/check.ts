/**
 * `bun run check [paths…]`: types, lint, format, dead code and the rules of the architecture, side by side. Given paths,
 * checks only those, without what needs the whole tree. Lint with types takes ten times as long as all others, so that
 * `npm test` leaves it out.
 */

import { runProcess } from "./support/operator/run-process";

export interface CheckResult {
  name: string;
  passed: boolean;
  seconds: number;
  output: string;
}

const commands = {
  types: ["check", "--no-script", "--no-pretty"],
  lint: ["node_modules/oxlint/bin/oxlint", "--format=unix"],
  "lint with types": ["node_modules/oxlint/bin/oxlint", "--type-aware", "--format=unix"],
  format: ["fmt", "--no-script", "--check"],
  "dead code": ["node_modules/knip/bin/knip-bun.js"],
  architecture: ["test", "tests/architecture.test.ts"],
};

export type CheckName = keyof typeof commands;

/** Runs checks at once; `paths` (relative to the root) narrows them. */
export const check = (names: CheckName[], paths: readonly string[] = []): Promise<CheckResult[]> =>
  Promise.all(names.map((name) => runCheck(name, [...commands[name], ...paths])));

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
  const paths = process.argv.slice(2);
  const names: CheckName[] = ["types", "lint with types", "format"];
  const results = await check(paths.length === 0 ? [...names, "dead code", "architecture"] : names, paths);
  for (const result of results) console.log(describeCheck(result));
  process.exit(results.every((result) => result.passed) ? 0 : 1);
}
