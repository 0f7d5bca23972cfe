/** The shop moves between its file and a libSQL server, with a command that is killed in the middle, and back. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { readConfig } from "@/core/config";
import { schemaOf, tablesIn } from "@/core/copy-rows";
import { connectTo } from "@/core/database";
import { createLog } from "@/core/log";
import { startShop } from "@/shop";
import { libsqlProgram, type LibsqlServer, startLibsqlServer } from "../../support/network/libsql-server";
import { Person } from "../../support/people/person";
import { operate, operateAlone, operateWith, settingsOf } from "../../support/operator/run-operator";
import { eventually, openStage, type Stage } from "../../support/shop/stage";

const found = libsqlProgram();
const scratch = await mkdtemp(join(tmpdir(), "latchkey-moving-"));
afterAll(() => rm(scratch, { recursive: true, force: true }));
const why = ["--reason", "two machines from now on"];

/** Everything in a database: the statements of its schema, and its rows with their rowids. */
async function contentsOf(url: string) {
  const client = await connectTo({ url });
  try {
    const objects = await schemaOf(client);
    const tables = await tablesIn(client, objects);
    const rows = await Promise.all(
      tables.map(async ({ name, columns }) => {
        const skipped = name === "installation" ? "WHERE name <> 'moved'" : "";
        const listed = columns.map((column) => `"${column}"`).join(", ");
        const { rows: all } = await client.execute(
          `SELECT rowid, ${listed} FROM "${name}" ${skipped} ORDER BY rowid`,
        );
        const cells = all.map((row) =>
          Array.from({ length: row.length }, (_, at) => {
            const cell = row[at];
            return cell instanceof ArrayBuffer ? Buffer.from(cell).toString("hex") : cell;
          }),
        );
        return [name, cells] as const;
      }),
    );
    const schema = objects.map(({ name, sql }) => `${name}: ${sql}`).toSorted();
    return { schema, rows: Object.fromEntries(rows) };
  } finally {
    client.close();
  }
}

/** A shop on the stage's simulators with these settings; the caller stops it. */
async function shopWith(stage: Stage, env: Record<string, string>, options: { isNew?: boolean } = {}) {
  const config = readConfig({ ...settingsOf(stage), PORT: "0", TRUSTED_PROXIES: "1", ...env });
  const { stripe, mail } = config;
  if (!stripe || !mail) throw new Error("the story has Stripe and mail");
  return startShop(
    { ...config, stripe, mail, discord: "off" },
    { log: createLog("error", () => {}), ...options },
  );
}

describe.skipIf("missing" in found)("a shop moves", () => {
  let server: LibsqlServer;
  beforeAll(async () => {
    server = await startLibsqlServer("program" in found ? found.program : "");
  });
  afterAll(() => server.stop());

  test("to a server with two kills on the way, and back: the same rows, keys and sessions, and no email twice", async () => {
    await using stage = await openStage();
    const { key, sessionId } = await stage.buy("owner@example.com");
    const owner = stage.person();
    await owner.register(key, "owner");
    await stage.shop.worker.drain();
    const { key: waiting } = await stage.buy("waits@example.com");
    await stage.shop.worker.drain();
    // many rows, a large value, and what a number could lose
    const { client } = stage.ctx.store;
    await client.batch(
      [
        "INSERT INTO news (id, date, title, content) SELECT value, 0, 'x', hex(randomblob(100)) FROM generate_series(1, 3000)",
        "INSERT INTO news (id, date, title, content) SELECT value, 0, 'large', hex(randomblob(400000)) FROM generate_series(5000, 5004)",
        "DELETE FROM news WHERE id BETWEEN 10 AND 20",
      ],
      "write",
    );
    // an email that waits in the outbox while the shop moves
    stage.mail.setFaults({ mode: "reject-4xx", at: "sender" });
    const late = await stage.buy("late@example.com");
    await stage.shop.worker.drain();
    const file = join(stage.dataDir, "shop.db");
    const settings = settingsOf(stage);
    const moving = ["move", "--to", server.url, ...why];

    const running = await operateWith(settings, ...moving);
    expect(running).toMatchObject({
      code: 1,
      err: expect.stringContaining("Another shop is running on the database"),
    });
    await stage.shop.stop({ noticeMilliseconds: 0 });
    const before = await contentsOf(pathToFileURL(file).href);

    for (const point of ["move.page-copied@4", "move.copied@1"]) {
      const killed = await operateAlone({ ...settings, FAILPOINT: point }, ...moving);
      expect(killed.code).toBe(137);
      const refused = await shopWith(stage, { DATABASE_URL: server.url }).catch(
        (error: Error) => error.message,
      );
      expect(refused).toContain("only partly in the database");
    }
    // the first kill left the file as it was, the second one after the file was given up
    const given = await shopWith(stage, {}).catch((error: Error) => error.message);
    expect(given).toContain(`was moved to ${server.url}`);

    const moved = await operateWith(settings, ...moving, "--json");
    expect(moved).toMatchObject({ code: 0, err: "" });
    const there = await contentsOf(server.url);
    expect(there.schema).toEqual(before.schema);
    const { audit_log: log = [], ...rest } = there.rows;
    const { audit_log: logBefore = [], ...restBefore } = before.rows;
    expect(rest).toEqual(restBefore);
    expect(log.slice(0, logBefore.length)).toEqual(logBefore);
    expect(log.slice(logBefore.length)).toEqual([expect.arrayContaining(["shop.moved"])]);

    const again = await operateWith(settings, ...moving);
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining("is not empty") });

    stage.mail.setFaults({ mode: "accept" });
    const shop = await shopWith(stage, { DATABASE_URL: server.url });
    try {
      await shop.worker.drain();
      const same = new Person(() => shop.url);
      for (const [name, value] of owner.cookies) same.cookies.set(name, value);
      expect((await same.get("/api/user/me")).body.data).toMatchObject({ username: "owner" });
      expect((await same.get("/api/licenses/me")).body.data[0].key).toBe(key);
      const registered = await new Person(() => shop.url).register(waiting, "waits");
      expect(registered.status).toBe(200);
      const { rows } = await shop.ctx.store.client.execute(
        "SELECT count FROM row_counts WHERE table_name = 'accounts'",
      );
      expect(rows[0]?.["count"]).toBe(2);
      expect(
        await operateWith({ ...settings, DATABASE_URL: server.url }, "payments", "show", sessionId),
      ).toMatchObject({
        code: 0,
      });
      const busy = await operateWith(
        { ...settings, DATABASE_URL: server.url },
        "move",
        "--to",
        join(scratch, "busy.db"),
        ...why,
      );
      expect(busy).toMatchObject({
        code: 1,
        err: expect.stringContaining("A shop is running on the database"),
      });
    } finally {
      await shop.stop();
    }
    for (const email of ["owner@example.com", "waits@example.com", "late@example.com"]) {
      expect(receiptsTo(stage, email)).toHaveLength(1);
    }
    expect(receiptsTo(stage, "late@example.com")[0]?.text).toContain(late.key);

    // and back, into the place where the old file was
    await rename(file, join(scratch, "before.db"));
    const onServer = { ...settings, DATABASE_URL: server.url };
    const killed = await operateAlone(
      { ...onServer, FAILPOINT: "move.page-copied@5" },
      "move",
      "--to",
      file,
      ...why,
    );
    expect(killed.code).toBe(137);
    expect(await shopWith(stage, {}).catch((error: Error) => error.message)).toContain(
      "only partly in the database",
    );
    const back = await operateWith(onServer, "move", "--to", file, ...why);
    expect(back).toMatchObject({ code: 0, err: "" });
    const last = await contentsOf(server.url);
    expect(await contentsOf(pathToFileURL(file).href)).toEqual(last);
    const home = await shopWith(stage, {});
    try {
      await home.worker.drain();
      expect((await new Person(() => home.url).register(late.key, "late")).status).toBe(200);
    } finally {
      await home.stop();
    }
    expect(receiptsTo(stage, "late@example.com")).toHaveLength(1);
    expect(await operateWith(settings, "doctor", "--json")).toMatchObject({ err: "" });
  });

  test("on a server is backed up at one moment while it sells, and restored to an empty one, a kill in between included", async () => {
    const source = await startLibsqlServer("program" in found ? found.program : "");
    const target = await startLibsqlServer("program" in found ? found.program : "");
    await using stage = await openStage({ env: { DATABASE_URL: source.url } });
    try {
      const backups = join(stage.dataDir, "kept");
      const onSource = { ...settingsOf(stage), DATABASE_URL: source.url, BACKUP_TO: backups };
      const { key } = await stage.buy("owner@example.com");
      const { client } = stage.ctx.store;
      // two rows that always change together, in the first and the last table that is read
      await client.batch(
        [
          "INSERT INTO installation VALUES ('pair', '0')",
          "INSERT INTO news (id, date, title, content) SELECT value, 0, 'x', hex(randomblob(100)) FROM generate_series(1, 5000)",
        ],
        "write",
      );
      let over = false;
      const load = (async () => {
        for (let at = 1; !over; at += 1) {
          const value = String(at);
          await client.batch(
            [
              { sql: "UPDATE installation SET value = ? WHERE name = 'pair'", args: [value] },
              { sql: "UPDATE news SET title = ? WHERE id IN (1, 5000)", args: [value] },
            ],
            "write",
          );
        }
      })();
      const made = await operateWith(onSource, "backup", "--json");
      over = true;
      await load;
      expect(made).toMatchObject({ code: 0, err: "" });
      await stage.shop.worker.drain();
      expect((await readdir(stage.dataDir)).filter((name) => name.startsWith("server.copy"))).toEqual([]);
      const late = await stage.buy("late@example.com");
      await stage.shop.worker.drain();
      await stage.shop.stop({ noticeMilliseconds: 0 });

      const dataDir = await mkdtemp(join(scratch, "machine-"));
      const onTarget = { ...onSource, DATABASE_URL: target.url, DATA_DIR: dataDir };
      expect(await shopWith(stage, onTarget).catch((error: Error) => error.message)).toContain(
        "there are backups in",
      );
      const restoring = ["restore", backups, ...why];
      const killed = await operateAlone({ ...onTarget, FAILPOINT: "move.page-copied@6" }, ...restoring);
      expect(killed.code).toBe(137);
      expect(await shopWith(stage, onTarget).catch((error: Error) => error.message)).toContain("only partly");
      const restored = await operateWith(onTarget, ...restoring, "--json");
      expect(restored).toMatchObject({ code: 0, err: "" });
      expect(JSON.parse(restored.out)).toMatchObject({ licences: 2, reconciliation: { finished: true } });
      expect((await readdir(dataDir)).filter((name) => name !== "site")).toEqual([]);
      const again = await operateWith(onTarget, ...restoring);
      expect(again).toMatchObject({ code: 1, err: expect.stringContaining("is not empty") });
      const buying = ({ url }: { url: URL }) =>
        new Person(() => url).post("/api/stripe/create-checkout-session", { currency: "usd" });
      const copy = await shopWith(stage, onTarget);
      expect((await buying(copy)).body.code).toBe("copy");
      await copy.stop();
      const now = `${new Date().toISOString().slice(0, 19)}Z`;
      const taken = await operateWith(onTarget, "take-over", "--stopped-at", now, ...why);
      expect(taken).toMatchObject({ code: 0, err: "" });

      const shop = await shopWith(stage, onTarget);
      try {
        const { rows } = await shop.ctx.store.client.execute(
          "SELECT value FROM installation WHERE name = 'pair' UNION SELECT title FROM news WHERE id IN (1, 5000)",
        );
        expect(rows).toHaveLength(1);
        expect((await new Person(() => shop.url).register(key, "owner")).status).toBe(200);
        expect((await new Person(() => shop.url).register(late.key, "late")).status).toBe(200);
        expect((await buying(shop)).status).toBe(200);
        await shop.worker.drain();
        expect(receiptsTo(stage, "late@example.com")).toHaveLength(1);
      } finally {
        await shop.stop();
      }
    } finally {
      await source.stop();
      await target.stop();
    }
  });

  test("a shop on a server makes the backup that is due", async () => {
    const source = await startLibsqlServer("program" in found ? found.program : "");
    try {
      const folder = join(scratch, "scheduled");
      await using stage = await openStage({
        env: { DATABASE_URL: source.url, BACKUP_EVERY: "24", BACKUP_TO: folder },
      });
      await eventually(
        () => readdir(folder).catch(() => []),
        (names) => names.some((name) => name.endsWith(".backup")),
        100_000,
      );
      const doctor = await operateWith(
        { ...settingsOf(stage), DATABASE_URL: source.url, BACKUP_TO: folder },
        "doctor",
        "--json",
      );
      expect(doctor.out).toMatch(/The last backup was made on 20.+ UTC, less than two hours ago\./);
    } finally {
      await source.stop();
    }
  });

  test("no new shop begins in an empty database beside the file of one, and no command opens it", async () => {
    await using stage = await openStage();
    await stage.shop.stop({ noticeMilliseconds: 0 });
    const empty = await startLibsqlServer("program" in found ? found.program : "");
    try {
      const env = { DATABASE_URL: empty.url };
      const refused = await shopWith(stage, env).catch((error: Error) => error.message);
      expect(refused).toBe(
        `The database ${empty.url} is empty, but ${join(stage.dataDir, "shop.db")} holds a shop. Bring the shop here with \`shop move\` or \`shop restore\`, or start once with --new to begin another.`,
      );
      const doctor = await operateWith({ ...settingsOf(stage), ...env }, "doctor");
      expect(doctor).toMatchObject({
        code: 1,
        err: expect.stringContaining(`There is no shop in ${empty.url}`),
      });
      expect((await contentsOf(empty.url)).schema).toEqual([]);
      const begun = await shopWith(stage, env, { isNew: true });
      await begun.stop();
    } finally {
      await empty.stop();
    }
    const home = await shopWith(stage, {});
    await home.stop();
  });
});

test("no new shop begins on an empty machine while Stripe has orders, or a folder backups, of an earlier one", async () => {
  await using stage = await openStage();
  const elsewhere = () => mkdtemp(join(scratch, "machine-"));
  const sentence = async (env: Record<string, string>) => {
    const started = await shopWith(stage, env).catch((error: Error) => error.message);
    if (typeof started === "string") return started;
    await started.stop();
    return "started";
  };
  expect(await sentence({ DATA_DIR: await elsewhere() })).toBe("started");
  const backups = join(scratch, "backups");
  await operate(stage, "backup", "--to", backups);
  const beside = { DATA_DIR: await elsewhere(), BACKUP_TO: backups };
  expect(await sentence(beside)).toContain(`is empty, but there are backups in ${backups}.`);
  await stage.buy();
  const dataDir = await elsewhere();
  expect(await sentence({ DATA_DIR: dataDir })).toContain("is empty, but Stripe has orders of this shop.");
  // orders that another secret sealed are another shop's
  const other = Buffer.alloc(32, 9).toString("base64");
  expect(await sentence({ DATA_DIR: await elsewhere(), SECRET_KEY: other })).toBe("started");
  expect(await sentence({ DATA_DIR: await elsewhere(), STRIPE_API_URL: "http://127.0.0.1:9" })).toBe(
    "started",
  );
  // the refused start left nothing in the way of the restore that it names
  const restored = await operateWith({ ...settingsOf(stage), DATA_DIR: dataDir }, "restore", backups, ...why);
  expect(restored).toMatchObject({ code: 0 });
  expect(await sentence({ DATA_DIR: dataDir })).toBe("started");
});

test("a shop can run again on a database it was moved from after a take-over", async () => {
  await using stage = await openStage();
  await stage.shop.stop({ noticeMilliseconds: 0 });
  const settings = settingsOf(stage);
  const other = join(await mkdtemp(join(scratch, "other-")), "shop.db");
  expect(await operateWith(settings, "move", "--to", other, ...why)).toMatchObject({ code: 0, err: "" });
  expect(await operateWith(settings, "doctor")).toMatchObject({
    code: 1,
    err: expect.stringContaining("was moved to"),
  });
  expect(await operateWith(settings, "take-over", ...why)).toMatchObject({ code: 0, err: "" });
  expect(await operateWith(settings, "take-over", ...why)).toMatchObject({ code: 1 });
  const shop = await shopWith(stage, {});
  await shop.stop();
});

const receiptsTo = (stage: Stage, to: string) =>
  stage.mail.messages(to).filter(({ subject }) => subject.includes("receipt"));
