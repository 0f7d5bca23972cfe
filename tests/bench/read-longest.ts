import { join } from "node:path";
import type { ShopProcess } from "../crash/processes";
import type { Longest } from "./longest-statements";

/** The settings of a shop process that notes its longest statements in this file, and loads these files first. */
export const watchingStatements = (file: string, ...preloads: string[]) => ({
  LATCHKEY_LONGEST: file,
  BUN_OPTIONS: [join(import.meta.dir, "longest-statements.ts"), ...preloads]
    .map((path) => `--preload=${path}`)
    .join(" "),
});

/** The longest statements of a shop's requests, jobs and timers so far, a line each. */
export async function longestOf(shop: ShopProcess, file: string): Promise<string> {
  shop.child.kill("SIGUSR2");
  while (!(await Bun.file(file).exists())) await Bun.sleep(20);
  await Bun.sleep(50);
  const longest = (await Bun.file(file).json()) as Longest[];
  return longest
    .slice(0, 5)
    .map(
      ({ sql, runs, milliseconds }) =>
        `  ${milliseconds.toFixed(1)} ms, ${runs} runs: ${sql.replaceAll(/\s+/g, " ").slice(0, 140)}`,
    )
    .join("\n");
}
