/** Servers that a benchmark compares, each in a process of its own, and the load on them, which comes from another. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { median } from "../support/checks/percentile";
import type { Load } from "./load";
import { processorSeconds } from "./of-process";

type Server = { url: string; cookie: string; token: string; pid: number };
export type Target = { name: string; url: string; header: string; body?: string; pid: number };
type Round = Load & { processorMicroseconds: number };
export type Results = Map<string, Round[]>;

const here = (file: string) => resolve(import.meta.dir, file);
export const connections = 16;

export async function openServers() {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-bench-"));
  const children: Bun.Subprocess[] = [];
  return {
    folder,
    /** Starts a server, and reads the line that says where it is. */
    async start(...args: [file: string, ...string[]]): Promise<Server> {
      const [file, ...rest] = args;
      const child = Bun.spawn([process.execPath, here(file), ...rest], {
        stdin: "ignore",
        stdout: "pipe",
        stderr: "inherit",
        env: { ...process.env, NODE_ENV: "production" },
      });
      children.push(child);
      const decoder = new TextDecoder();
      let output = "";
      for await (const bytes of child.stdout) {
        output += decoder.decode(bytes, { stream: true });
        const line = output.split("\n").find((one) => one.startsWith('{"url"'));
        if (line) return { ...JSON.parse(line), pid: child.pid };
      }
      throw new Error(`${file} did not start`);
    },
    async [Symbol.asyncDispose]() {
      for (const child of children) child.kill("SIGKILL");
      await Promise.all(children.map((child) => child.exited));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The targets take turns in short rounds. */
export async function measure(targets: Target[], rounds: number, seconds: number): Promise<Results> {
  const results: Results = new Map(targets.map(({ name }) => [name, []]));
  for (const target of targets) await loadOf(target, 1);
  for (let round = 0; round < rounds; round += 1) {
    for (const target of targets) results.get(target.name)?.push(await loadOf(target, seconds));
  }
  return results;
}

async function loadOf({ url, header, body = "", pid }: Target, seconds: number): Promise<Round> {
  const before = processorSeconds(pid);
  const command = [here("load.ts"), url, `${seconds}`, `${connections}`, header, body];
  const child = Bun.spawn([process.execPath, ...command], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  const output = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`${url} could not be measured`);
  const load: Load = JSON.parse(output);
  const spent = processorSeconds(pid) - before;
  await untilIdle(pid);
  return { ...load, processorMicroseconds: (spent * 1e6) / (load.perSecond * seconds) };
}

/** What was asked last is still worked on when a load ends, and would take from the next target's round. */
async function untilIdle(pid: number): Promise<void> {
  for (let looks = 0; looks < 20; looks += 1) {
    const before = processorSeconds(pid);
    await Bun.sleep(100);
    if (!(processorSeconds(pid) - before > 0.02)) return;
  }
}

export const percent = (share: number) => `${(share * 100).toFixed(0)} %`;

/** A target's requests a second as a share of another's: the median of the rounds' shares. */
export const share = (results: Results, mine: string, theirs: string) =>
  shareOf(results, { mine, theirs }, ({ perSecond }) => perSecond);

/** The same of what a second of the processor would answer, which hardly depends on what else the machine is doing. */
export const processorShare = (results: Results, mine: string, theirs: string) =>
  shareOf(results, { mine, theirs }, ({ processorMicroseconds }) => 1 / processorMicroseconds);

function shareOf(
  results: Results,
  { mine, theirs }: { mine: string; theirs: string },
  figure: (round: Round) => number,
): number {
  const of = (name: string) => (results.get(name) ?? []).map(figure);
  return median(of(mine).map((value, at) => value / (of(theirs)[at] ?? 1)));
}

/** Prints what was measured, each also as a share of some of them, by the heading of its column. */
export function printTable(results: Results, shares: Record<string, string>): void {
  console.table(
    Object.fromEntries(
      [...results].map(([name, loads]) => [
        name,
        {
          "requests/s": median(loads.map(({ perSecond }) => perSecond)),
          "p50 ms": median(loads.map(({ p50 }) => p50)),
          "p99 ms": median(loads.map(({ p99 }) => p99)),
          "processor µs": Math.round(median(loads.map((load) => load.processorMicroseconds))),
          ...Object.fromEntries(
            Object.entries(shares).map(([heading, other]) => [heading, percent(share(results, name, other))]),
          ),
        },
      ]),
    ),
  );
}
