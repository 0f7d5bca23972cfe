/** A database or disk that is unreachable when the shop starts: the start waits for it, names it, and gives up after a while. */
import { afterEach, describe, expect, test } from "bun:test";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "@/core/database/database";
import { mayMount, withOwnMounts } from "../../support/checks/own-mounts";
import { freePort } from "../../support/shop/free-port";
import { holdLocked } from "../../support/network/hold-locked";
import { libsqlProgram, startLibsqlServer } from "../../support/network/libsql-server";
import { operateWith } from "../../support/operator/run-operator";
import { sharedSite, shareSite } from "../../support/shop/shared-site";
import { eventually } from "../../support/shop/stage";
import { startTroubledLine } from "../../support/network/faulty-line";

const root = join(import.meta.dir, "../../..");
const folders: string[] = [];
const children: Bun.Subprocess[] = [];
afterEach(async () => {
  for (const child of children.splice(0)) {
    child.kill("SIGKILL");
    await child.exited;
  }
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
});

const secret = Buffer.alloc(32, 7).toString("base64");
/** Nothing listens on port 9, and a start needs nothing there. */
const nobody = "http://127.0.0.1:9";

/** All that a shop needs, with an empty data folder. */
async function settings() {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-waiting-"));
  folders.push(folder);
  const port = await freePort();
  const DATA_DIR = join(folder, "data");
  await shareSite(DATA_DIR);
  return {
    PORT: String(port),
    DATA_DIR,
    SECRET_KEY: secret,
    STRIPE_SECRET_KEY: "sk_test_demo",
    STRIPE_PUBLISHABLE_KEY: "pk_test_demo",
    STRIPE_WEBHOOK_SECRET: "whsec_demo",
    STRIPE_API_URL: nobody,
    SMTP_URL: "smtp://127.0.0.1:9",
    MAIL_FROM: "shop@example.com",
    DISCORD: "off",
  };
}
type Settings = Record<string, string> & { PORT: string; DATA_DIR: string };

type Line = { level: string; message: string; reason?: string; milliseconds?: number };
type Started = ReturnType<typeof start>;

/** `bun src/main.ts`, with options of Bun's and through the command `before` if there is one. */
function start(env: Settings, { before = [], options = [] }: { before?: string[]; options?: string[] } = {}) {
  const child = Bun.spawn([...before, process.execPath, ...options, "src/main.ts"], {
    cwd: root,
    env: { PATH: process.env["PATH"] ?? "", ...env },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  children.push(child);
  const log: Line[] = [];
  const logged = readLines(child.stdout, (line) => log.push(JSON.parse(line) as Line));
  const err = new Response(child.stderr).text();
  const url = `http://127.0.0.1:${env.PORT}`;
  const ended = async () => ({ code: await child.exited, err: await err, log: await logged.then(() => log) });
  return { child, log, url, ended };
}

async function readLines(stream: ReadableStream<Uint8Array>, take: (line: string) => void) {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of stream) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    lines.forEach(take);
  }
}

const waits = ({ log }: Started) => log.filter(({ message }) => message === "the start waits");
const untilWaiting = async (shop: Started, reason: string) => {
  await eventually(
    () => waits(shop).length > 0 || shop.child.exitCode !== null,
    (over) => over,
  );
  expect(waits(shop)[0]).toMatchObject({ level: "warn", reason });
};
const ready = ({ url }: Started) =>
  fetch(`${url}/api/ready`).then(
    ({ status }) => status,
    () => 0,
  );
/** Waits until the same process is ready. */
async function untilReady(shop: Started) {
  await eventually(
    () => ready(shop),
    (status) => status === 200,
  );
  expect(shop.log.map(({ message }) => message)).toContain("the start goes on");
  expect(shop.child.exitCode).toBeNull();
}

const ask = (env: Settings, ...args: string[]) => operateWith(env, ...args);

/** A database without a row, which no process has open. */
async function emptyShop() {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-waiting-"));
  folders.push(folder);
  const made = join(folder, "made.db");
  const store = await openStore({ url: `file:${made}` });
  await store.client.execute("PRAGMA wal_checkpoint(TRUNCATE)");
  store.close();
  await copyFile(made, join(folder, "shop.db"));
  return { database: join(folder, "shop.db"), created: join(folder, ".created") };
}

test("a start waits for a database that another program holds, while a command says so at once", async () => {
  const env = await settings();
  const file = join(env.DATA_DIR, "shop.db");
  const shopBefore = await emptyShop();
  await copyFile(shopBefore.database, file);
  await copyFile(shopBefore.created, join(env.DATA_DIR, ".created"));
  const holder = await holdLocked(file);
  children.push(holder);
  const shop = start(env);
  await untilWaiting(shop, "another process holds it locked");
  expect(await ready(shop)).toBe(503);
  expect(await ask(env, "stats")).toEqual({
    out: "",
    err: `The database ${file} is locked by another process: wait until that one has finished.\n`,
    code: 1,
  });
  holder.kill("SIGKILL");
  await untilReady(shop);
});

const found = libsqlProgram();
describe.skipIf("missing" in found)("a database server", () => {
  test("is waited for, and named in the log and by a command", async () => {
    const server = await startLibsqlServer("program" in found ? found.program : "");
    const port = await freePort();
    try {
      const env = { ...(await settings()), DATABASE_URL: `http://127.0.0.1:${port}` };
      const shop = start(env);
      await untilWaiting(shop, "the database server 127.0.0.1 can't be reached");
      expect(await ready(shop)).toBe(503);
      expect(await ask(env, "stats")).toEqual({
        out: "",
        err: "The database can't be used: the server can't be reached. Nothing was changed; try again.\n",
        code: 1,
      });
      const line = startTroubledLine(server.url, port);
      await untilReady(shop);
      expect(JSON.stringify(shop.log)).not.toContain(String(port));
      shop.child.kill("SIGTERM");
      expect((await shop.ended()).code).toBe(0);
      line.stop();
    } finally {
      await server.stop();
    }
  });
});

test("a server that is silent is named by a command at once, and waited for by a start", async () => {
  const silent = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const env = { ...(await settings()), DATABASE_URL: `http://127.0.0.1:${silent.port}` };
  const shop = start(env);
  expect(await ask(env, "stats")).toEqual({
    out: "",
    err: "The database can't be used: the server doesn't answer. Nothing was changed; try again.\n",
    code: 1,
  });
  await untilWaiting(shop, "the database server 127.0.0.1 doesn't answer");
  silent.stop(true);
});

test("a waiting start ends at once on SIGTERM and SIGINT", async () => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    const shop = start({ ...(await settings()), DATABASE_URL: nobody });
    await untilWaiting(shop, "the database server 127.0.0.1 can't be reached");
    shop.child.kill(signal);
    expect(await shop.ended()).toMatchObject({ code: 0, err: "" });
  }
});

test("after two minutes the start gives up and names what is unreachable, which it logged every fifteen seconds", async () => {
  // each second counts as fourteen, so a busy machine misses some lines
  const shop = start(
    { ...(await settings()), DATABASE_URL: nobody },
    { options: ["--preload", "./tests/support/shop/fast-clock.ts"] },
  );
  const { code, err } = await shop.ended();
  expect(code).toBe(1);
  expect(err).toBe("The shop could not start: its database can't be used (the server can't be reached).\n");
  expect(new Set(waits(shop).map(({ reason }) => reason))).toEqual(
    new Set(["the database server 127.0.0.1 can't be reached"]),
  );
  const times = waits(shop).map(({ milliseconds = -1 }) => milliseconds);
  expect(times.at(-1)).toBeLessThanOrEqual(120_000);
  expect(times.length).toBeGreaterThan(2);
  expect(times.length).toBeLessThanOrEqual(8);
});

/** Faults that waiting can't fix. */
const permanent: [what: string, env: (given: Settings) => Promise<Record<string, string>>, says: RegExp][] = [
  [
    "a data folder that can't be made",
    () => Promise.resolve({ DATA_DIR: "/proc/no-such-place" }),
    /^The shop could not start: The folder \/proc\/no-such-place can't be used: it can't be created there\.\n$/,
  ],
  [
    "a database that is a folder",
    ({ DATA_DIR }) => Promise.resolve({ DATABASE_URL: `file:${DATA_DIR}` }),
    /^The database .* can't be opened: check its path and permissions\.\n$/,
  ],
  [
    "a file that is no database",
    async ({ DATA_DIR }) => {
      await Bun.write(join(DATA_DIR, "shop.db"), "Once upon a time there was a shop.".repeat(400));
      return {};
    },
    /^The database .* is damaged: restore it from a backup\.\n$/,
  ],
];
for (const [what, env, sentence] of permanent) {
  test(`a start doesn't wait for ${what}`, async () => {
    const given = await settings();
    const shop = start({ ...given, ...(await env(given)) });
    const { code, err } = await shop.ended();
    expect(err).toMatch(sentence);
    expect(code).toBe(1);
    expect(waits(shop)).toEqual([]);
  });
}

test("a start doesn't wait for a server that refuses, or that is no database server", async () => {
  const refusing = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) =>
      new Response("no", { status: request.headers.get("authorization") === null ? 404 : 401 }),
  });
  for (const [token, sentence] of [
    ["", "there is no database at that address"],
    ["some.token", "the server refuses DATABASE_AUTH_TOKEN"],
  ] as const) {
    const shop = start({
      ...(await settings()),
      DATABASE_URL: refusing.url.origin,
      DATABASE_AUTH_TOKEN: token,
    });
    const { code, err } = await shop.ended();
    expect(err).toBe(`The shop could not start: its database can't be used (${sentence}).\n`);
    expect(code).toBe(1);
    expect(waits(shop)).toEqual([]);
  }
  await refusing.stop(true);
});

/** Runs a shop whose data is on a disk of its own, eight megabytes large and full; unprivileged where that is allowed. */
const onFullDisk = [
  ...withOwnMounts,
  `mount -t tmpfs -o size=8m latchkey "$DATA_DIR"
   ln -s "$SITE" "$DATA_DIR/site"
   if [ -n "$SHOP" ]; then cp "$SHOP" "$DATA_DIR/shop.db"; cp "$CREATED" "$DATA_DIR/.created"; fi
   head -c 9M /dev/zero > "$DATA_DIR/fill" 2> /dev/null || true
   exec "$0" "$@"`,
];
test.skipIf(!mayMount)(
  "a start waits for a disk that is full, and makes or opens the shop once there is room",
  async () => {
    const { database, created } = await emptyShop();
    for (const how of ["made", "opened"]) {
      const { SECRET_KEY, ...rest } = await settings();
      const before = { SHOP: database, CREATED: created, SECRET_KEY };
      const env = { ...rest, SITE: sharedSite, ...(how === "opened" ? before : {}) };
      await rm(join(env.DATA_DIR, "site"));
      const shop = start(env, { before: onFullDisk });
      await eventually(
        () => waits(shop).length > 0 || shop.child.exitCode !== null,
        (over) => over,
      );
      expect(`${how}: ${waits(shop)[0]?.reason}`).toMatch(/^(made|opened): the disk is full( or failing)?$/);
      expect(await ready(shop)).toBe(503);
      const inside = `/proc/${shop.child.pid}/root${env.DATA_DIR}`;
      await rm(join(inside, "fill"));
      await untilReady(shop);
      const secrets = [...new Bun.Glob("secret.key*").scanSync({ cwd: inside })];
      expect(secrets).toEqual(how === "made" ? ["secret.key"] : []);
      shop.child.kill("SIGTERM");
      expect((await shop.ended()).code).toBe(0);
    }
  },
);
