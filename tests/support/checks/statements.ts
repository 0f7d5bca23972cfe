import { appendFileSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import { isShopsWork } from "@/core/log/trace";

type Run = (...args: unknown[]) => unknown;
type OnStatement = (sql: string, milliseconds: number, rows: number) => void;

const watchers = new Set<OnStatement>();
let isMeasured = false;

/**
 * Observes every statement that a shop in this process runs for a request, a job or a timer, and how long it took,
 * without the time that other processes took meanwhile, and how many rows it answered. Returns how to stop.
 */
export function watchStatements(onStatement: OnStatement): () => void {
  if (!isMeasured) wrapStatements(measured);
  isMeasured = true;
  watchers.add(onStatement);
  return () => void watchers.delete(onStatement);
}

const measured =
  (sql: string, run: Run): Run =>
  (...args) => {
    if (watchers.size === 0 || !isShopsWork()) return run(...args);
    const began = performance.now();
    const before = process.cpuUsage();
    let rows = 0;
    try {
      const answer = run(...args);
      rows = Array.isArray(answer) ? answer.length : 0;
      return answer;
    } finally {
      const { user, system } = process.cpuUsage(before);
      const milliseconds = Math.min(performance.now() - began, (user + system) / 1000);
      for (const onStatement of watchers) onStatement(sql, milliseconds, rows);
    }
  };

/** Has every statement that is prepared from now on run through `wrap`. */
function wrapStatements(wrap: (sql: string, run: Run) => Run): void {
  // oxlint-disable-next-line typescript/unbound-method -- called with the database that it was taken from
  const { prepare } = Database.prototype;
  const wrapping = function (this: InstanceType<typeof Database>, sql: string) {
    const statement = prepare.call(this, sql) as { all: Run; run: Run };
    const { all, run } = statement;
    return Object.assign(statement, {
      all: wrap(sql, all.bind(statement)),
      run: wrap(sql, run.bind(statement)),
    });
  };
  Database.prototype.prepare = wrapping as typeof prepare;
}

/** Names the folder that every process of a run writes its statements to. */
const setting = "LATCHKEY_STATEMENTS";

/** Records the statements of the shops in this process, for the run of tests that it is part of. */
export function recordStatements(): void {
  const folder = process.env[setting];
  if (!folder) return;
  const file = join(folder, crypto.randomUUID());
  const known = new Set<string>();
  wrapStatements((sql, run) =>
    known.has(sql)
      ? run
      : (...args) => {
          if (!known.has(sql) && isShopsWork()) {
            known.add(sql);
            appendFileSync(file, `${JSON.stringify(sql)}\n`);
          }
          return run(...args);
        },
  );
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
