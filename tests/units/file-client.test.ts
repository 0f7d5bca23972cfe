import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "bun:test";
import { type Client, LibsqlBatchError, LibsqlError } from "@libsql/client";
import Database from "libsql";
import { openStore } from "@/core/database/database";
import { fileClient } from "@/core/database/file-client";

const folder = mkdtempSync(join(tmpdir(), "latchkey-file-client-"));
afterAll(() => rmSync(folder, { recursive: true }));

let made = 0;
async function notes() {
  const path = join(folder, `${(made += 1)}.db`);
  const client = fileClient(path, 5);
  await client.execute("PRAGMA journal_mode = WAL");
  await client.execute("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT UNIQUE, data BLOB)");
  return { path, client };
}

const insert = "INSERT INTO notes (text) VALUES (?)";
const texts = async (client: Client) =>
  (await client.execute("SELECT text FROM notes ORDER BY id")).rows.map((row) => row["text"] as string);

/** What a third, independent connection reads. */
const stored = async (path: string) => {
  const client = fileClient(path, 5);
  const found = await texts(client);
  client.close();
  return found;
};

test("the libsql package loses a write after SQLITE_BUSY if the busy statement is kept", async () => {
  const { path } = await notes();
  const [first, other] = [1, 2].map(() => new Database(path, { timeout: 5 }));
  const busy = first!.prepare(insert);
  other!.exec("BEGIN IMMEDIATE");
  expect(() => busy.run(["busy"])).toThrow("database is locked");
  other!.exec("COMMIT");
  expect(first!.prepare(insert).run(["lost"]).changes).toBe(1);
  expect(await stored(path)).toEqual([]);
  first!.close();
  other!.close();
});

test("no write is lost after SQLITE_BUSY, with cached statements and several in the same turn", async () => {
  const { path, client } = await notes();
  await client.execute({ sql: insert, args: ["before"] });
  const other = new Database(path, { timeout: 5 });
  other.exec("BEGIN IMMEDIATE");
  const busy = [1, 2, 3].map((n) => client.execute({ sql: insert, args: [`busy ${n}`] }));
  const batches = [client.batch([{ sql: insert, args: ["busy batch"] }], "write")];
  for (const result of await Promise.allSettled([...busy, ...batches]))
    expect(result).toMatchObject({ status: "rejected", reason: { code: "SQLITE_BUSY", rawCode: 5 } });
  other.exec("COMMIT");
  await client.execute({ sql: insert, args: ["after"] });
  await client.batch([{ sql: insert, args: ["batch after"] }], "write");
  expect(await stored(path)).toEqual(["before", "after", "batch after"]);
  other.exec("BEGIN IMMEDIATE");
  other.exec("ROLLBACK");
  other.close();
  client.close();
});

test("a write requested right after a busy one is stored", async () => {
  const { path, client } = await notes();
  const other = new Database(path, { timeout: 5 });
  other.exec("BEGIN IMMEDIATE");
  const busy = client.execute({ sql: insert, args: ["busy"] });
  other.exec("COMMIT");
  const next = client.execute("INSERT INTO notes (text) VALUES ('next')");
  await Promise.allSettled([busy, next]);
  expect(await stored(path)).toEqual(["next"]);
  other.close();
  client.close();
});

test("another connection's writes and schema changes are seen", async () => {
  const { path, client } = await notes();
  await client.execute({ sql: insert, args: ["one"] });
  const all = "SELECT * FROM notes";
  expect((await client.execute(all)).columns).toEqual(["id", "text", "data"]);
  const other = new Database(path, { timeout: 5 });
  other.exec("ALTER TABLE notes ADD COLUMN tag TEXT DEFAULT 'new'");
  other.exec("INSERT INTO notes (text) VALUES ('two')");
  const { columns, rows } = await client.execute(all);
  expect(columns).toEqual(["id", "text", "data", "tag"]);
  expect(rows.map((row) => [row["text"], row["tag"]])).toEqual([
    ["one", "new"],
    ["two", "new"],
  ]);
  other.close();
  client.close();
});

test("integers are exact or refused, and blobs are read back complete", async () => {
  const { client } = await notes();
  const data = new Uint8Array([0, 1, 255]).buffer;
  const largest = Number.MAX_SAFE_INTEGER;
  await client.execute({ sql: "INSERT INTO notes VALUES (?, ?, ?)", args: [largest, "n", data] });
  const { rows } = await client.execute("SELECT id, data, id AS again FROM notes");
  expect(rows[0]?.["id"]).toBe(largest);
  expect(rows[0]?.[2]).toBe(largest);
  expect(new Uint8Array(rows[0]?.["data"] as ArrayBuffer)).toEqual(new Uint8Array([0, 1, 255]));
  await client.execute({ sql: "UPDATE notes SET id = ?", args: [2n ** 60n] });
  expect(client.execute("SELECT id FROM notes")).rejects.toThrow("too large for a number");
  expect(client.execute({ sql: "SELECT ?", args: [2n ** 63n] })).rejects.toThrow("64 bits");
  expect(client.execute({ sql: "SELECT ?", args: [Number.NaN] })).rejects.toThrow("finite");
  expect((await client.execute({ sql: "SELECT :a AS a", args: { ":a": true } })).rows[0]?.["a"]).toBe(1);
  client.close();
});

test("a batch is all or nothing, and says which statement failed and why", async () => {
  const { path, client } = await notes();
  const failed: unknown = await client
    .batch(
      ["one", "two", "one"].map((text) => ({ sql: insert, args: [text] })),
      "write",
    )
    .catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(LibsqlBatchError);
  expect(failed).toMatchObject({
    statementIndex: 2,
    code: "SQLITE_CONSTRAINT",
    extendedCode: "SQLITE_CONSTRAINT_UNIQUE",
    message: expect.stringContaining("UNIQUE constraint failed: notes.text"),
  });
  expect(await stored(path)).toEqual([]);
  await client.batch([{ sql: insert, args: ["three"] }], "write");
  expect(await stored(path)).toEqual(["three"]);
  client.close();
});

test("a closed client refuses, and a reopened one works", async () => {
  const { client } = await notes();
  await client.execute({ sql: insert, args: ["one"] });
  client.close();
  const refused = client.execute({ sql: insert, args: ["two"] });
  expect(refused).rejects.toBeInstanceOf(LibsqlError);
  expect(refused).rejects.toMatchObject({ code: "CLIENT_CLOSED" });
  client.reconnect();
  expect(await texts(client)).toEqual(["one"]);
  client.close();
});

test("a writer killed halfway leaves complete batches, and another process's writes intact", async () => {
  const { path, client } = await notes();
  const program = `
    const { fileClient } = await import("@/core/database/file-client");
    const client = fileClient(process.argv.at(-1), 5);
    for (let n = 0; ; n += 1) {
      const pair = ["a", "b"].map((half) => ({ sql: "INSERT INTO notes (text) VALUES (?)", args: [n + half] }));
      try { await client.batch(pair, "write"); console.log(n); } catch (error) { if (error.code !== "SQLITE_BUSY") throw error; }
    }`;
  const cwd = new URL("../..", import.meta.url).pathname;
  const other = Bun.spawn([process.execPath, "-e", program, path], { cwd, stdout: "pipe" });
  const output: string[] = [];
  let mine = 0;
  const decoder = new TextDecoder();
  for await (const piece of other.stdout) {
    output.push(decoder.decode(piece));
    const text = `mine ${mine}`;
    // beside another writer, a write is stored or reported as failed
    await client.execute({ sql: insert, args: [text] }).then(
      () => (mine += 1),
      (error: unknown) => expect(error).toMatchObject({ code: "SQLITE_BUSY" }),
    );
    if (mine >= 20) break;
  }
  other.kill("SIGKILL");
  await other.exited;
  const found = await stored(path);
  const theirs = found.filter((text) => !text.startsWith("mine"));
  expect(found.filter((text) => text.startsWith("mine"))).toHaveLength(mine);
  expect(theirs.length % 2).toBe(0);
  const lines = output.join("").trim().split("\n").length;
  expect(theirs.length / 2).toBeGreaterThanOrEqual(lines - 1);
  client.close();
});

test("a process that opens its database again keeps its locks, so that no other program can lock it exclusively", async () => {
  const file = join(folder, "locks", "shop.db");
  const store = await openStore({ url: `file:${file}` });
  (await openStore({ url: `file:${file}` })).close();
  const program = `const { Database } = await import("bun:sqlite");
    const database = new Database(${JSON.stringify(file)});
    database.run("PRAGMA locking_mode = EXCLUSIVE");
    database.run("SELECT * FROM installation");`;
  const other = Bun.spawn([process.execPath, "-e", program], { stderr: "pipe" });
  expect(await new Response(other.stderr).text()).toContain("database is locked");
  store.close();
});
