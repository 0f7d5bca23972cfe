/** Loaded into a shop: on SIGUSR2, writes which statements took longest to the file that the environment names. */
import { writeFileSync } from "node:fs";
import { watchStatements } from "../support/checks/statements";

export type Longest = { sql: string; runs: number; milliseconds: number };

const file = process.env.LATCHKEY_LONGEST;
if (file) {
  const longest = new Map<string, Longest>();
  watchStatements((sql, milliseconds) => {
    const known = longest.get(sql) ?? { sql, runs: 0, milliseconds: 0 };
    longest.set(sql, {
      sql,
      runs: known.runs + 1,
      milliseconds: Math.max(known.milliseconds, milliseconds),
    });
  });
  process.on("SIGUSR2", () => {
    const sorted = [...longest.values()].toSorted((a, b) => b.milliseconds - a.milliseconds);
    writeFileSync(file, JSON.stringify(sorted));
  });
}
