/**
 * `bun run bench`: how fast a signed-in call and the landing page are, compared with servers that do nothing else.
 *
 *     bun run bench [ROUNDS] [SECONDS]
 *     bun run bench growth [ACCOUNTS]     what grows with the number of customers: growth.ts
 *     bun run bench abuse [SECONDS]       what others notice of a customer's abuses: abuse.ts
 *     bun run bench processes [ROUNDS] [SECONDS]     one and two processes on a database server: processes.ts
 *     bun run bench desk [ACCOUNTS]       lists, filters, search and exports of the desk: desk.ts
 *     bun run bench figures [PAYMENTS]    the figures of the desk: figures.ts
 *     bun run bench mail [EMAILS]         emails a second: mail.ts
 *     bun run bench webhooks [WAITING]    webhooks, and letters beside dead receivers: webhooks.ts
 *
 * Every server is a process of its own, and the load comes from another. They take turns in short rounds, and what
 * counts is the median of the rounds' ratios, because a busy machine slows both sides alike.
 */
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median } from "../support/checks/percentile";
import type { Load } from "./load";

type Server = { url: string; cookie: string; token: string; pid: number };
type Target = { name: string; url: string; header: string; body?: string; pid: number };
type Round = Load & { processorMicroseconds: number };

if (process.argv[2] === "growth") await import("./growth");
if (process.argv[2] === "abuse") await import("./abuse");
if (process.argv[2] === "processes") await import("./processes");
if (process.argv[2] === "desk") await import("./desk");
if (process.argv[2] === "figures") await import("./figures");
if (process.argv[2] === "mail") await import("./mail");
if (process.argv[2] === "webhooks") await import("./webhooks");
const [rounds = 5, seconds = 2] = process.argv.slice(2).map(Number);
const connections = 16;
/** The share that a call must reach of a bare Hono with a one-row join on `@libsql/client`. */
const goals = { "/api/user/me": 1.8, "/api/app/v1/validate": 1.2 };

const here = (file: string) => join(import.meta.dir, file);
const children: Bun.Subprocess[] = [];
const folder = await mkdtemp(join(tmpdir(), "latchkey-bench-"));
try {
  report(await measure(await servers()));
} finally {
  for (const child of children) child.kill("SIGKILL");
  await Promise.all(children.map((child) => child.exited));
  await rm(folder, { recursive: true, force: true });
}

async function servers(): Promise<Target[]> {
  const copy = join(folder, "copy.db");
  const shop = await start("shop.ts", join(folder, "data"), copy);
  const token = /session=([^;]+)/.exec(shop.cookie)?.[1] ?? "";
  const bare = async (kind: string) => ({ ...(await start("bare.ts", kind, copy, token)), header: "" });
  const { pid } = shop;
  const address = (path: string) => new URL(path, shop.url).href;
  return [
    { name: "bare Bun.serve", ...(await bare("bun")) },
    { name: "bare Hono, session ⋈ account", ...(await bare("join")) },
    { name: "bare Hono, the shop's own query", ...(await bare("query")) },
    { name: "/api/user/me", url: address("/api/user/me"), header: `cookie: ${shop.cookie}`, pid },
    {
      name: "/api/app/v1/validate",
      url: address("/api/app/v1/validate"),
      header: `authorization: Bearer ${shop.token}`,
      body: JSON.stringify({ hwid: "bench-machine", version: "1.0.0" }),
      pid,
    },
    { name: "landing page /", url: address("/"), header: "", pid },
  ];
}

/** Starts a server, and reads the line that says where it is. */
async function start(...args: [file: string, ...string[]]): Promise<Server> {
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
    const line = output.split("\n").find((line) => line.startsWith('{"url"'));
    if (line) return { ...JSON.parse(line), pid: child.pid };
  }
  throw new Error(`${file} did not start`);
}

async function measure(targets: Target[]): Promise<Map<string, Round[]>> {
  const results = new Map<string, Round[]>(targets.map(({ name }) => [name, []]));
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
  return { ...load, processorMicroseconds: (spent * 1e6) / (load.perSecond * seconds) };
}

/** A process's processor time so far, as Linux counts it (proc_pid_stat(5), in hundredths); NaN elsewhere. */
function processorSeconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1]?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return Number.NaN;
  }
}

function report(results: Map<string, Round[]>): void {
  const of = (name: string) => (results.get(name) ?? []).map(({ perSecond }) => perSecond);
  const joined = of("bare Hono, session ⋈ account");
  const bare = of("bare Bun.serve");
  const ratio = (mine: number[], theirs: number[]) =>
    median(mine.map((value, at) => value / (theirs[at] ?? 1)));
  const percent = (share: number) => `${(share * 100).toFixed(0)} %`;
  console.table(
    Object.fromEntries(
      [...results].map(([name, loads]) => [
        name,
        {
          "requests/s": median(of(name)),
          "p50 ms": median(loads.map(({ p50 }) => p50)),
          "p99 ms": median(loads.map(({ p99 }) => p99)),
          "processor µs": Math.round(median(loads.map((load) => load.processorMicroseconds))),
          "of bare Bun": percent(ratio(of(name), bare)),
          "of the join": percent(ratio(of(name), joined)),
        },
      ]),
    ),
  );
  console.log(`${rounds} rounds of ${seconds} s, ${connections} connections; medians.`);
  for (const [name, goal] of Object.entries(goals)) {
    const reached = percent(ratio(of(name), joined));
    console.log(`${name} reaches ${reached} of the bare join; the goal is ${percent(goal)}.`);
  }
}
