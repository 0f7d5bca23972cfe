/**
 * `bun run bench processes [ROUNDS] [SECONDS]`: `/api/user/me` with the data on a libSQL server, from one shop
 * process and from two, compared with the server's own limit: a client that does nothing but the same query. They
 * take turns in short rounds; the medians count. How much processor time a call costs the server and the shops hardly
 * depends on what else the machine is doing.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { drizzle } from "drizzle-orm/libsql";
import { createSecrets } from "@/core/secrets/secrets";
import { sessionReader } from "@/domain/accounts/sessions/sessions";
import { freePort } from "../support/shop/free-port";
import { libsqlProgram, startLibsqlServer } from "../support/network/libsql-server";
import { median } from "../support/checks/percentile";
import { Person } from "../support/people/person";
import { shareSite } from "../support/shop/shared-site";
import type { Load } from "./load";
import { processorSeconds } from "./of-process";
import { unlimited } from "../support/shop/unlimited";

const [rounds = 5, seconds = 3] = process.argv.slice(3).map(Number);
const connections = 16;
const root = join(import.meta.dir, "../..");
const found = libsqlProgram();
if ("missing" in found) throw new Error(found.missing);

type Round = { perSecond: number; server: number; shop: number };

const folder = await mkdtemp(join(tmpdir(), "latchkey-bench-processes-"));
const server = await startLibsqlServer(found.program);
const children: Bun.Subprocess[] = [];
try {
  const shops = [await startShop("first"), await startShop("second")];
  const token = await signIn(shops[0] ?? "");
  const contenders: Record<string, () => Promise<number>> = {
    "the bare query": () => bareQueries(token),
    "one process": () => asked(shops.slice(0, 1), token),
    "two processes": () => asked(shops, token),
  };
  const results = new Map(Object.keys(contenders).map((name) => [name, [] as Round[]]));
  for (let round = -1; round < rounds; round += 1) {
    for (const [name, measure] of Object.entries(contenders)) {
      const before = [processorSeconds(server.pid), ...children.map(({ pid }) => processorSeconds(pid))];
      const perSecond = await measure();
      const [ofServer = 0, ...ofShops] = before.map(
        (spent, at) => processorSeconds(at === 0 ? server.pid : (children[at - 1]?.pid ?? 0)) - spent,
      );
      const each = (spent: number) => (spent * 1e6) / (perSecond * seconds);
      const shop = each(ofShops.reduce((sum, one) => sum + one, 0));
      // the first round is a warm-up
      if (round >= 0) results.get(name)?.push({ perSecond, server: each(ofServer), shop });
    }
  }
  const of = (name: string, figure: keyof Round) =>
    median((results.get(name) ?? []).map((one) => one[figure]));
  console.table(
    Object.fromEntries(
      [...results.keys()].map((name) => [
        name,
        {
          "calls/s": of(name, "perSecond"),
          "of the bare query": `${Math.round((of(name, "perSecond") / of("the bare query", "perSecond")) * 100)} %`,
          "processor µs, server": Math.round(of(name, "server")),
          "processor µs, shops": Math.round(of(name, "shop")),
        },
      ]),
    ),
  );
  console.log(`${rounds} rounds of ${seconds} s, ${connections} connections; medians.`);
} finally {
  for (const child of children) child.kill("SIGKILL");
  await Promise.all(children.map((child) => child.exited));
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
process.exit(0);

function environment(dataDir: string, port: number) {
  return {
    ...process.env,
    PORT: String(port),
    DATA_DIR: dataDir,
    DATABASE_URL: server.url,
    SECRET_KEY: Buffer.alloc(32, 1).toString("base64"),
    MAIL: "off",
    DISCORD: "off",
    STRIPE_SECRET_KEY: "sk_test_bench",
    STRIPE_PUBLISHABLE_KEY: "pk_test_bench",
    STRIPE_WEBHOOK_SECRET: "whsec_bench",
    // nothing listens there, and nobody pays here
    STRIPE_API_URL: "http://127.0.0.1:9",
    LOG_LEVEL: "error",
    ...unlimited,
  };
}

async function startShop(name: string): Promise<string> {
  const [dataDir, port] = [join(folder, name), await freePort()];
  await shareSite(dataDir);
  const env = environment(dataDir, port);
  const quiet = { cwd: root, env, stdin: "ignore", stdout: "ignore", stderr: "inherit" } as const;
  children.push(Bun.spawn([process.execPath, "src/main.ts"], quiet));
  const url = `http://127.0.0.1:${port}`;
  const answers = () =>
    fetch(`${url}/api/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await answers())) await Bun.sleep(50);
  return url;
}

/** Registers a customer with a key that the operator gave away; resolves to the session cookie. */
async function signIn(url: string): Promise<string> {
  const issue = ["licences", "issue", "--reason", "bench", "--json"];
  const child = Bun.spawn([process.execPath, "src/operator/main.ts", ...issue], {
    cwd: root,
    env: environment(join(folder, "first"), 0),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  const { key } = JSON.parse(await new Response(child.stdout).text()) as { key: string };
  const person = new Person(() => new URL(url));
  const { status } = await person.register(key, "bench");
  if (status !== 200) throw new Error(`registering answered ${status}`);
  return person.cookies.get("session") ?? "";
}

/** The load of all connections, divided among these shops. */
async function asked(shops: string[], token: string): Promise<number> {
  const each = String(connections / shops.length);
  const loads = shops.map(async (url) => {
    const command = [`${url}/api/user/me`, String(seconds), each, `cookie: session=${token}`];
    const child = Bun.spawn([process.execPath, join(import.meta.dir, "load.ts"), ...command], {
      stdin: "ignore",
      stdout: "pipe",
      stderr: "inherit",
    });
    return (JSON.parse(await new Response(child.stdout).text()) as Load).perSecond;
  });
  return (await Promise.all(loads)).reduce((sum, perSecond) => sum + perSecond);
}

async function bareQueries(token: string): Promise<number> {
  const client = createClient({ url: server.url });
  const db = drizzle(client);
  const readSession = sessionReader({
    store: { db, client, sole: false, remote: true, close: () => client.close() },
    log: { debug() {}, info() {}, warn() {}, error() {} },
    secrets: createSecrets(new Uint8Array(32)),
    now: () => new Date(),
    livemode: false,
    currency: "usd",
    timeZone: "UTC",
  });
  const began = performance.now();
  const deadline = began + seconds * 1000;
  let answered = 0;
  const lane = async () => {
    while (performance.now() < deadline) {
      if (!(await readSession(token))) throw new Error("there is no such session");
      answered += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, lane));
  client.close();
  return Math.round(answered / ((performance.now() - began) / 1000));
}
