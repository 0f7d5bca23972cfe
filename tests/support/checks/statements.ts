import { appendFileSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { isShopsWork } from "@/core/trace";

type Statement = { all: (...args: unknown[]) => unknown; run: (...args: unknown[]) => unknown };

/**
 * Observes every statement that a shop in this process runs for a request, a job or a timer, and how long it took,
 * without the time that other processes took meanwhile, and how many rows it answered.
 */
export function watchStatements(
  onStatement: (sql: string, milliseconds: number, rows: number) => void,
): void {
  // oxlint-disable-next-line typescript/unbound-method -- called with the database that it was taken from
  const { prepare } = Database.prototype;
  const watching = function (this: InstanceType<typeof Database>, sql: string) {
    const statement = prepare.call(this, sql) as Statement;
    const watched = <A extends unknown[], R>(run: (...args: A) => R) =>
      function (...args: A): R {
        if (!isShopsWork()) return run.apply(statement, args);
        const began = performance.now();
        const before = process.cpuUsage();
        let rows = 0;
        try {
          const answer = run.apply(statement, args);
          rows = Array.isArray(answer) ? answer.length : 0;
          return answer;
        } finally {
          const { user, system } = process.cpuUsage(before);
          onStatement(sql, Math.min(performance.now() - began, (user + system) / 1000), rows);
        }
      };
    return Object.assign(statement, { all: watched(statement.all), run: watched(statement.run) });
  };
  Database.prototype.prepare = watching as typeof prepare;
}

/** Names the folder that every process of a run writes its statements to. */
const setting = "LATCHKEY_STATEMENTS";

/** Records the statements of the shops in this process, for the run of tests that it is part of. */
export function recordStatements(): void {
  const folder = process.env[setting];
  if (!folder) return;
  const file = join(folder, crypto.randomUUID());
  const known = new Set<string>();
  const note = (sql: string) => {
    if (known.has(sql) || !isShopsWork()) return;
    known.add(sql);
    appendFileSync(file, `${JSON.stringify(sql)}\n`);
  };
  // oxlint-disable-next-line typescript/unbound-method -- called with the database that it was taken from
  const { prepare } = Database.prototype;
  const noting = function (this: InstanceType<typeof Database>, sql: string) {
    const statement = prepare.call(this, sql) as Statement;
    if (known.has(sql)) return statement;
    const { all, run } = statement;
    const noted = <A extends unknown[], R>(how: (...args: A) => R) =>
      function (...args: A): R {
        note(sql);
        return how.apply(statement, args);
      };
    return Object.assign(statement, { all: noted(all), run: noted(run) });
  };
  Database.prototype.prepare = noting as typeof prepare;
}

/** A folder for a run; `all` reads the distinct statements and removes it. */
export async function gatherStatements() {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-statements-"));
  return {
    env: { [setting]: folder },
    async all(): Promise<string[]> {
      const files = await Promise.all(
        (await readdir(folder)).map((name) => Bun.file(join(folder, name)).text()),
      );
      await rm(folder, { recursive: true, force: true });
      const lines = files.flatMap((text) => text.split("\n").filter(Boolean));
      // statements that differ only in the length of their lists count as one
      // and the longest is the hardest: SQLite turns a single value into an equality
      const sorted = lines.toSorted((one, other) => one.length - other.length);
      const byShape = new Map(sorted.map((line) => [line.replace(/\((\?, )+\?\)/g, "(?)"), line]));
      return [...byShape.values()].map((line) => JSON.parse(line) as string).toSorted();
    },
  };
}
