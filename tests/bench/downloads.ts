/**
 * How fast a large file is served, and how much memory that takes:
 *
 *     bun tests/bench/downloads.ts [connections=50] [megabytes=200] [rounds=3]
 *
 * The shop sends one licensed account the same file over many connections at once; it is compared with a bare
 * `Bun.serve(() => new Response(Bun.file(path)))` on the same machine. They take turns; each is a process of its
 * own, and so is the reader. What counts is the median of the rounds' ratios, because a busy machine slows both alike.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { median } from "../support/checks/percentile";

const parts = join(import.meta.dir, "download-parts.ts");

type Served = { url: string; path: string; authorization: string; pid: number; stop(): Promise<void> };
type Run = { megabytesPerSecond: number; residentMegabytes: number };

/** Prints both rates, their ratio and the peak memory of each; resolves to the ratio. */
export async function compareDownloads(connections = 50, megabytes = 200, rounds = 3): Promise<number> {
  const dir = await mkdtemp(join(tmpdir(), "latchkey-bench-"));
  const file = join(dir, "large.bin");
  await writeRandom(file, megabytes);
  const [bare, shop] = [await start("bare", file), await start("shop", file)];
  try {
    const runs: Record<"bare" | "shop", Run[]> = { bare: [], shop: [] };
    await Promise.all([readAll(bare, 2), readAll(shop, 2)]);
    const idle = { bare: await resident(bare.pid), shop: await resident(shop.pid) };
    for (let round = 0; round < rounds; round += 1) {
      runs.bare.push(await measure(bare, connections, megabytes));
      runs.shop.push(await measure(shop, connections, megabytes));
    }
    const rates = (name: "bare" | "shop") => runs[name].map((run) => run.megabytesPerSecond);
    const most = (all: Run[]) => Math.max(...all.map((run) => run.residentMegabytes));
    const ratio = median(rates("shop").map((rate, at) => rate / (rates("bare")[at] ?? 1)));
    console.log(
      `downloads: ${megabytes} MB over ${connections} connections, medians of ${rounds} rounds, ${cpus().length} cores`,
    );
    for (const name of ["bare", "shop"] as const) {
      const line = `${median(rates(name)).toFixed(0).padStart(6)} MB/s, memory ${idle[name].toFixed(0)} MB idle, ${most(runs[name]).toFixed(0)} MB at most`;
      console.log(`  ${name.padEnd(5)} ${line}`);
    }
    console.log(`  ratio ${(ratio * 100).toFixed(0)} % (goal 80 %)`);
    return ratio;
  } finally {
    await Promise.all([bare.stop(), shop.stop()]);
    await rm(dir, { recursive: true, force: true });
  }
}

async function measure(served: Served, connections: number, megabytes: number): Promise<Run> {
  let most = 0;
  const watch = setInterval(() => void resident(served.pid).then((now) => (most = Math.max(most, now))), 20);
  const seconds = await readAll(served, connections);
  clearInterval(watch);
  return { megabytesPerSecond: (connections * megabytes) / seconds, residentMegabytes: most };
}

/** Resident memory in megabytes, according to the kernel. */
async function resident(pid: number): Promise<number> {
  const status = await Bun.file(`/proc/${pid}/status`).text();
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** Reads the file over this many connections, in a process of its own; resolves to the seconds it took. */
async function readAll({ url, path, authorization }: Served, connections: number): Promise<number> {
  const command = [process.execPath, parts, "read", url, path, authorization, String(connections)];
  const child = Bun.spawn(command, { stdout: "pipe", stderr: "inherit" });
  const seconds = Number(await new Response(child.stdout).text());
  if ((await child.exited) !== 0 || !seconds) throw new Error("the reader failed");
  return seconds;
}

async function start(name: "bare" | "shop", file: string): Promise<Served> {
  const child = Bun.spawn([process.execPath, parts, name, file], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let output = "";
  while (!output.includes("\n")) {
    const { value, done } = await lines.read();
    if (done) throw new Error(`${name} did not start`);
    output += value;
  }
  const { url, path, authorization } = JSON.parse(output);
  return {
    url,
    path,
    authorization,
    pid: child.pid,
    async stop() {
      // the server exits when its input ends, so that it never outlives this process
      await child.stdin.end();
      await child.exited;
    },
  };
}

async function writeRandom(file: string, megabytes: number): Promise<void> {
  const writer = Bun.file(file).writer();
  for (let at = 0; at < megabytes; at += 1) {
    await writer.write(crypto.getRandomValues(new Uint8Array(65_536)));
    for (let more = 0; more < 15; more += 1) await writer.write(new Uint8Array(65_536).fill(at + more));
    await writer.flush();
  }
  await writer.end();
}

if (import.meta.main) await compareDownloads(...process.argv.slice(2).map(Number));
