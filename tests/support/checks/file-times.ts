import { afterAll, afterEach, beforeAll, beforeEach } from "bun:test";
import { appendFileSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { runTimes } from "./run-times";

/** Seconds of wall time, and of the processor by a process and those of its children that have ended. */
export interface Times {
  wall: number;
  cpu: number;
}

const root = new URL("../../..", import.meta.url).pathname;
/** Names the folder that every process of a run writes its times to. */
const setting = "LATCHKEY_FILE_TIMES";

/** Records what each test file takes, its imports included, for the run that this process is part of. */
export function recordFileTimes(): void {
  const folder = process.env[setting];
  if (!folder) return;
  const target = join(folder, crypto.randomUUID());
  let before = timesNow();
  const note = () => {
    const now = timesNow();
    const spent = [relative(root, Bun.main), now.wall - before.wall, now.cpu - before.cpu];
    appendFileSync(target, `${JSON.stringify(spent)}\n`);
    before = now;
  };
  beforeAll(note);
  beforeEach(note);
  afterEach(note);
  afterAll(note);
}

/** A folder for a run; `all` reads each file's times, the longest wall time first, and removes it. */
export async function gatherFileTimes() {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-times-"));
  return {
    env: { [setting]: folder },
    async all(): Promise<[file: string, times: Times][]> {
      const sums = new Map<string, Times>();
      for (const name of await readdir(folder)) {
        const lines = (await Bun.file(join(folder, name)).text()).split("\n").filter(Boolean);
        for (const line of lines) {
          const [file, wall, cpu] = JSON.parse(line) as [string, number, number];
          const sum = sums.get(file) ?? { wall: 0, cpu: 0 };
          sums.set(file, { wall: sum.wall + wall, cpu: sum.cpu + cpu });
        }
      }
      await rm(folder, { recursive: true, force: true });
      return [...sums].toSorted(([, one], [, other]) => other.wall - one.wall);
    },
  };
}

const cached = join(root, ".cache/timings.json");

/** The files of times for `bun test --timings`: the tracked one, and that of the last run here. */
export async function timingsHere(): Promise<string[]> {
  return ["tests/timings.json", ...((await Bun.file(cached).exists()) ? [cached] : [])];
}

/** Keeps each file's time for the next run here. */
export async function keepTimings(times: [file: string, times: Times][]): Promise<void> {
  const known: unknown = await Bun.file(cached)
    .json()
    .catch(() => null);
  const before = (known as { files: Record<string, number> } | null)?.files;
  const now = times.map(([file, { wall }]) => [file, Math.round(wall * 1000)]);
  await Bun.write(cached, JSON.stringify({ version: 1, files: { ...before, ...Object.fromEntries(now) } }));
}

export const secondsOf = (seconds: number) => seconds.toFixed(1).padStart(6);

/** Of this process, since it began. */
function timesNow(): Times {
  const { user, system } = runTimes();
  return { wall: performance.now() / 1000, cpu: user + system };
}
