/**
 * How fast reads stay while sign-in is flooded with wrong passwords:
 *
 *     bun tests/bench/sign-in-flood.ts [SECONDS] [FLOODERS] [one|own]
 *
 * The shop is a process of its own. Another one floods it, each guess from a different address, so that no limit
 * reduces the load and every guess is hashed, until the queue of hashes is full and answers 503; or, with `one`,
 * all from the same address, so that nearly all are refused with 429; or, with `own`, all from thirty browsers that
 * signed in to the flooder's own account before, each guess from another address.
 * Meanwhile a few readers ask who is signed in, and a customer signs in from a browser that did so before.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "@/core/config";
import { createLog } from "@/core/log";
import { handOut } from "@/demo/cast";
import { startShop } from "@/shop";
import { percentile } from "../support/checks/percentile";

const goalMilliseconds = 50;
const password = "a long enough phrase";
const signInGoalMilliseconds = 2_000;
/** Within what a browser may try in a minute. */
const signIns = 4;
const readers = 4;

/** Where the guesses come from: many addresses, one, or browsers that know the flooder's own account. */
type Source = "many" | "one" | "own";
function sourceOf(typed: string | undefined): Source {
  return typed === "one" || typed === "own" ? typed : "many";
}

type Reads = { count: number; p50: number; p99: number; worst: number };
export type FloodReport = {
  quiet: Reads;
  flooded: Reads;
  /** Milliseconds that a customer's sign-in took at worst during the flood. */
  signIn: number;
  /** How many wrong passwords were answered with each status. */
  guesses: Record<number, number>;
  guessesPerSecond: number;
  /** The shop's resident memory in MiB: before, at its peak, and five seconds after. */
  memory: { before: number; most: number; after: number };
};

const [role, ...rest] = process.argv.slice(2);
if (import.meta.main) {
  if (role === "--shop") await serve(rest[0] ?? "");
  else if (role === "--flood")
    await flood(rest[0] ?? "", Number(rest[1]), Number(rest[2]), sourceOf(rest[3]));
  else report(await floodSignIn(Number(role ?? 10), Number(rest[0] ?? 64), sourceOf(rest[1])));
}

/** Measures reads without and with the flood; starts what it needs and stops it again. */
export async function floodSignIn(
  seconds = 10,
  flooders = 64,
  source: Source = "many",
): Promise<FloodReport> {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-flood-"));
  const shop = run("--shop", folder);
  try {
    const { url, cookie } = JSON.parse(await firstLine(shop.stdout)) as { url: string; cookie: string };
    const before = await memoryOf(shop.pid);
    const quiet = await read(url, cookie, seconds / 2);
    const attack = run("--flood", url, String(seconds), String(flooders), source);
    let most = 0;
    const watching = setInterval(
      () => void memoryOf(shop.pid).then((now) => (most = Math.max(most, now))),
      100,
    );
    const [flooded, signIn] = await Promise.all([
      read(url, cookie, seconds),
      worstSignIn(url, cookie, seconds),
    ]);
    const guesses = JSON.parse(await firstLine(attack.stdout)) as Record<number, number>;
    await attack.exited;
    clearInterval(watching);
    await Bun.sleep(5_000);
    const total = Object.values(guesses).reduce((sum, count) => sum + count, 0);
    return {
      quiet,
      flooded,
      signIn,
      guesses,
      guessesPerSecond: Math.round(total / seconds),
      memory: { before, most, after: await memoryOf(shop.pid) },
    };
  } finally {
    shop.kill("SIGKILL");
    await shop.exited;
    await rm(folder, { recursive: true, force: true });
  }
}

/** Prints both, and whether the goal was reached. */
export function report({ quiet, flooded, signIn, guesses, guessesPerSecond, memory }: FloodReport): void {
  console.table({ quiet, "while wrong passwords flood": flooded });
  console.log(`${guessesPerSecond} wrong passwords a second, answered ${JSON.stringify(guesses)}`);
  console.log(
    `the shop's memory: ${memory.before} MiB before, ${memory.most} at most, ${memory.after} after`,
  );
  console.log(`reads keep p99 at ${flooded.p99} ms; the goal is ${goalMilliseconds} ms`);
  console.log(
    `a known browser signed in within ${Math.round(signIn)} ms; the goal is ${signInGoalMilliseconds} ms`,
  );
}

function run(...args: string[]) {
  return Bun.spawn([process.execPath, import.meta.path, ...args], {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
    env: { ...process.env, NODE_ENV: "production" },
  });
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let output = "";
  for await (const bytes of stream) {
    output += decoder.decode(bytes, { stream: true });
    const line = output.split("\n").find((line) => line.startsWith("{") && output.includes(`${line}\n`));
    if (line) return line;
  }
  throw new Error(`the process ended early: ${output}`);
}

/** Resident memory of a process in MiB, from Linux's /proc. */
async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

/** A few readers, each of which asks again soon after it is answered. */
async function read(url: string, cookie: string, seconds: number): Promise<Reads> {
  const times: number[] = [];
  const until = performance.now() + seconds * 1000;
  await Promise.all(
    Array.from({ length: readers }, async () => {
      while (performance.now() < until) {
        const began = performance.now();
        const answer = await fetch(new URL("/api/user/me", url), { headers: { cookie } });
        await answer.arrayBuffer();
        if (answer.status !== 200) throw new Error(`a read was answered ${answer.status}`);
        times.push(performance.now() - began);
        // a page renders what it fetched; it does not fetch again at once
        await Bun.sleep(5);
      }
    }),
  );
  const at = (share: number) => Number(percentile(times, share).toFixed(1));
  return { count: times.length, p50: at(0.5), p99: at(0.99), worst: at(1) };
}

/** Signs in a few times, spread over the flood, from a browser that signed in before. */
async function worstSignIn(url: string, cookie: string, seconds: number): Promise<number> {
  const times: number[] = [];
  for (let time = 0; time < signIns; time += 1) {
    await Bun.sleep((seconds * 1000) / (signIns + 1));
    const began = performance.now();
    const answer = await attempt(url, {
      username: "bench",
      password,
      from: "192.0.2.200",
      cookie: knownIn(cookie),
    });
    if (answer.status !== 200) throw new Error(`a customer's sign-in was answered ${answer.status}`);
    times.push(performance.now() - began);
  }
  return Math.max(...times);
}

function knownIn(cookie: string): string {
  return cookie.split("; ").find((one) => one.startsWith("known=")) ?? "";
}

type Attempt = { username: string; password: string; from: string; cookie?: string };

async function attempt(url: string, { username, password, from, cookie = "" }: Attempt) {
  const answer = await fetch(new URL("/api/auth/login", url), {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "sec-fetch-site": "same-origin",
      "x-forwarded-for": from,
      cookie,
    },
    body: JSON.stringify({ username, password }),
  });
  await answer.arrayBuffer();
  return answer;
}

/** Thirty cookies of browsers that signed in to the flooder's account. */
async function ownCookies(url: string): Promise<string[]> {
  const cookies: string[] = [];
  for (let number = 0; number < 30; number += 1) {
    const answer = await attempt(url, { username: "flooder", password, from: `10.250.0.${number}` });
    cookies.push(
      knownIn(
        answer.headers
          .getSetCookie()
          .map((line) => line.split(";")[0])
          .join("; "),
      ),
    );
  }
  return cookies;
}

/** Guesses over and over, half of the time at an account that exists; prints how the guesses were answered. */
async function flood(url: string, seconds: number, flooders: number, source: Source): Promise<void> {
  const answers: Record<number, number> = {};
  const cookies = source === "own" ? await ownCookies(url) : [];
  const until = performance.now() + seconds * 1000;
  let guess = 0;
  await Promise.all(
    Array.from({ length: flooders }, async () => {
      while (performance.now() < until) {
        guess += 1;
        const stranger = guess % 2 ? "bench" : `nobody${guess}`;
        const answer = await attempt(url, {
          username: source === "own" ? "flooder" : stranger,
          password: "not this one",
          from:
            source === "one" ? "192.0.2.1" : `10.${(guess >> 16) & 255}.${(guess >> 8) & 255}.${guess & 255}`,
          cookie: cookies[guess % cookies.length] ?? "",
        });
        answers[answer.status] = (answers[answer.status] ?? 0) + 1;
      }
    }),
  );
  console.log(JSON.stringify(answers));
}

/** The shop with a signed-in customer and the flooder; prints where it is and the customer's cookies. */
async function serve(dataDir: string): Promise<void> {
  const config = readConfig({
    PORT: "0",
    DATA_DIR: dataDir,
    MAIL: "off",
    DISCORD: "off",
    TRUSTED_PROXIES: "1",
    STRIPE_SECRET_KEY: "sk_test_bench",
    STRIPE_PUBLISHABLE_KEY: "pk_test_bench",
    STRIPE_WEBHOOK_SECRET: "whsec_bench",
    // nothing listens there, and nobody pays here
    STRIPE_API_URL: "http://127.0.0.1:9",
    LIMITS: "own=1000000000/60",
  });
  const { stripe, mail, discord } = config;
  if (!stripe || !mail || !discord)
    throw new Error("the benchmark needs Stripe, and neither mail nor Discord");
  const shop = await startShop({ ...config, stripe, mail, discord }, { log: createLog("error") });
  const register = async (username: string) =>
    fetch(new URL("/api/auth/register", shop.url), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        username,
        email: `${username}@example.com`,
        password,
        key: await handOut(shop.ctx, null),
        timezone: "UTC",
      }),
    });
  await register("flooder");
  const registered = await register("bench");
  const cookie = registered.headers.getSetCookie().map((line) => line.split(";")[0]);
  console.log(JSON.stringify({ url: shop.url.href, cookie: cookie.join("; ") }));
}
