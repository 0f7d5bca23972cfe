import { accessSync, constants, existsSync, statSync } from "node:fs";
import { chmod, mkdir, open, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Client } from "@libsql/client";
import { drizzle, type LibSQLDatabase } from "drizzle-orm/libsql";
import { ConfigError } from "./config";
import { noteFile } from "./database-file";
import { faultOf } from "./database-fault";
import { fileClient, fileOf } from "./file-client";
import { applyMigrations } from "./migrations";
import { beingMoved } from "./move-database";
import { noteRelease } from "./release";
import { resilientClient } from "./resilient-client";

/** Reads go through `db`; writes through {@link commit} in `commit.ts`. */
export type Store = {
  db: LibSQLDatabase;
  client: Client;
  /** Whether no other process can run a shop on this database, because it is a file that this one has locked. */
  sole: boolean;
  /** Whether it is on a database server, whose answers can be late or lost. */
  remote: boolean;
  close(): void;
};

/** Databases up to this size are checked at start: that takes about 2 ms per megabyte, and a start less than a second. */
const checkedAtStart = 128 * 1024 * 1024;
/** How long a start waits for the previous shop, which may still be shutting down, to release the lock. */
const handOverMilliseconds = 12_000;

type Address = { url: string; authToken?: string | undefined };
type Opening = {
  sole?: boolean;
  checkUpTo?: number;
  patient?: boolean;
  /** Called before the tables of a new shop are made, and may refuse. */
  begin?: () => Promise<void>;
  /** Opens also a database whose shop was moved to another one. */
  evenMoved?: boolean;
};

/**
 * Opens the database and applies all migrations. A file that is missing, empty, damaged or not this shop's is
 * refused with one sentence ({@link ConfigError}) and never mistaken for a new shop. With `sole`, which a running
 * shop asks for, no second shop can run on the same file. A file of at most
 * `checkUpTo` bytes is checked for damage. With `patient`, for commands that read or write everything, a database
 * server may take minutes to answer.
 */
export async function openStore(database: Address, opening: Opening = {}): Promise<Store> {
  const { url } = database;
  return storeAt(database, opening).catch((error: unknown) => {
    throw inASentence(error, fileOf(url) ?? url);
  });
}

async function storeAt(
  database: Address,
  { sole = false, checkUpTo = sole ? checkedAtStart : 0, patient = false, begin, evenMoved = false }: Opening,
): Promise<Store> {
  const { url, authToken } = database;
  const file = fileOf(url);
  if (!file && patient) await expectAnswer(database);
  const isNew = file !== null && !existsSync(file);
  if (file) {
    await expectFile(file);
    // asked before there is a file that a restore would then not overwrite
    if (isNew) await begin?.();
    await keepPrivate(file);
    if (sole) await keepPrivate(`${file}.lock`);
  }
  const release = file && sole ? await hold(file) : () => {};
  let client: Client | undefined;
  try {
    client = resilientClient({ url, ...(authToken ? { authToken } : {}) }, { patient });
    const db = drizzle(client);
    if (file) await client.execute("PRAGMA journal_mode = WAL");
    const holds = await contentOf(client);
    if (holds === "unfinished") throw new ConfigError(unfinished(file ?? url));
    if (file) expectOwn(holds, file);
    if (holds === "nothing" && !isNew) await begin?.();
    if (file && statSync(file).size <= checkUpTo) await expectUndamaged(client, file);
    // before the migrations: a release that must not run here changes nothing, and one killed within them is known
    if (holds === "a shop") await noteRelease(client, file ?? url);
    await applyMigrations({ db, client });
    if (holds === "nothing") await noteRelease(client, file ?? url);
    if (!evenMoved) await expectNotMoved(client, file ?? url);
    if (file && !existsSync(createdMark(file))) await writeFile(createdMark(file), mark, { mode: 0o600 });
    const opened = client;
    if (file) noteFile(opened, file);
    const close = () => {
      // so that a copy of the file alone is complete; a full disk leaves the log to the next start
      if (file && sole) opened.executeMultiple("PRAGMA wal_checkpoint(TRUNCATE)").catch(() => {});
      opened.close();
      release();
    };
    return { db, client, sole: file !== null && sole, remote: file === null, close };
  } catch (error) {
    client?.close();
    release();
    throw error;
  }
}

/** So that a command that gives each call minutes says at once that the server is away. */
async function expectAnswer({ url, authToken }: Address): Promise<void> {
  const client = resilientClient({ url, ...(authToken ? { authToken } : {}) });
  await client.execute("SELECT 1").finally(() => client.close());
}

const createdMark = (file: string) => join(dirname(file), ".created");
const mark = "This database exists; its absence is a loss.\n";

async function expectFile(file: string) {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  expectNotLost(file);
}

/** Throws {@link ConfigError} where a shop's database was and is no more, or is empty. */
export function expectNotLost(file: string): void {
  if (!existsSync(createdMark(file))) return;
  const remedy = `restore it, or remove ${createdMark(file)} to start a new shop`;
  if (!existsSync(file)) {
    throw new ConfigError(`The database ${file} is missing although it was created earlier: ${remedy}.`);
  }
  if (statSync(file).size === 0) {
    throw new ConfigError(`The database ${file} is empty although it was created earlier: ${remedy}.`);
  }
}

/**
 * Restricts the database to this user, however it was created; SQLite gives its side files the same mode. A file that
 * exists isn't opened: closing it would drop all locks that this process has on it (https://sqlite.org/howtocorrupt.html),
 * and the next program to close the database would remove the log from under the shop.
 */
async function keepPrivate(file: string) {
  try {
    if (!existsSync(file)) await (await open(file, "a", 0o600)).close();
    for (const suffix of ["", "-wal", "-shm", "-journal"]) {
      if (existsSync(file + suffix)) await chmod(file + suffix, 0o600);
    }
  } catch {
    // another user owns the file; opening it will show whether it can be used
  }
}

/** Takes an operating-system lock next to the file, which is released when this process ends, however it ends. */
async function hold(file: string): Promise<() => void> {
  const deadline = Date.now() + handOverMilliseconds;
  for (;;) {
    const client = fileClient(`${file}.lock`, 1);
    try {
      await client.executeMultiple("BEGIN IMMEDIATE");
      return () => client.close();
    } catch (error) {
      client.close();
      if (faultOf(error) !== "busy") throw error;
      if (Date.now() > deadline) {
        throw new ConfigError(`Another shop is running on the database ${file}: stop it first.`);
      }
      await Bun.sleep(100);
    }
  }
}

/**
 * Connects to a database as it is, for a move that fills it: without migrations, and with minutes for each call. A
 * file that does not exist is created, for this user only.
 */
export async function connectTo(database: Address): Promise<Client> {
  const { url, authToken } = database;
  const file = fileOf(url);
  try {
    if (file) {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await keepPrivate(file);
    } else await expectAnswer(database);
    const client = resilientClient({ url, ...(authToken ? { authToken } : {}) }, { patient: true });
    await client.execute(file ? "PRAGMA journal_mode = WAL" : "SELECT 1");
    return client;
  } catch (error) {
    throw inASentence(error, file ?? url);
  }
}

/** `unfinished`: a move that fills it was interrupted. */
async function contentOf(client: Client): Promise<"a shop" | "unfinished" | "nothing"> {
  const { rows } = await client.execute({
    sql: "SELECT name FROM sqlite_master WHERE name IN ('installation', ?)",
    args: [beingMoved],
  });
  if (rows.some(({ name }) => name === beingMoved)) return "unfinished";
  return rows.length > 0 ? "a shop" : "nothing";
}

const unfinished = (where: string) =>
  `The shop is only partly in the database ${where}: run the shop move or shop restore that was interrupted again.`;

/** Refuses another program's database in the place of one that was in use before. */
function expectOwn(holds: "a shop" | "nothing", file: string) {
  if (holds === "a shop" || !existsSync(createdMark(file))) return;
  throw new ConfigError(`The database ${file} does not belong to this shop: restore the right one.`);
}

/** The name of the fact that the shop goes on in another database, as JSON. */
export const movedFact = "moved";
/** Where to, and when (ISO 8601). */
export type Moved = { to: string; at: string };

/** Two shops with the same orders would both send what is waiting, and sell the same keys. */
async function expectNotMoved(client: Client, where: string) {
  const { rows } = await client.execute({
    sql: "SELECT value FROM installation WHERE name = ?",
    args: [movedFact],
  });
  const value = rows[0]?.["value"] as string | undefined;
  if (value === undefined) return;
  const { to, at } = JSON.parse(value) as Moved;
  throw new ConfigError(
    `The shop in ${where} was moved to ${to} on ${at.slice(0, 10)}: set DATABASE_URL to that. (If the move was interrupted, run shop move again; to go on here after all, shop take-over.)`,
  );
}

/** Checks a database that was in use before, so that damage stops the start and not a sale. */
async function expectUndamaged(client: Client, file: string) {
  if (!existsSync(createdMark(file))) return;
  const { rows } = await client.execute("PRAGMA quick_check(1)");
  if (rows[0]?.quick_check !== "ok") throw new ConfigError(damaged(file));
}

const damaged = (file: string) => `The database ${file} is damaged: restore it from a backup.`;

/** Says why a database could not be opened, for the person who starts the shop. */
function inASentence(error: unknown, where: string): unknown {
  if (error instanceof ConfigError) return error;
  const chain = causes(error);
  const says = (pattern: RegExp) => chain.some((one) => pattern.test(one));
  const sentence = (text: string, cause = error) => new ConfigError(text, { cause });
  if (says(/SQLITE_(CORRUPT|NOTADB)/)) return sentence(damaged(where));
  if (says(/SQLITE_(BUSY|LOCKED)/)) {
    return sentence(`The database ${where} is locked by another process: wait until that one has finished.`);
  }
  if (says(/SQLITE_(FULL|IOERR)|ENOSPC|EDQUOT|\bEIO\b/)) {
    return sentence(`The database ${where} can't be written: the disk is full or failing.`);
  }
  if (says(/SQLITE_(CANTOPEN|READONLY|PERM)|ConnectionFailed|EACCES|EPERM|EROFS|ENOENT|ENOTDIR/)) {
    const cause = permanentFault(where) ?? error;
    return sentence(`The database ${where} can't be opened: check its path and permissions.`, cause);
  }
  return error;
}

/** Why this user can't use the file, if it is not for a moment: SQLite calls everything the same. */
function permanentFault(file: string): unknown {
  const parts = ["", "-wal", "-shm", ".lock"].map((suffix) => file + suffix);
  try {
    for (const path of [dirname(file), ...parts.filter((part) => existsSync(part))]) {
      accessSync(path, constants.R_OK | constants.W_OK);
    }
  } catch (error) {
    return error;
  }
  const isFolder = existsSync(file) && statSync(file).isDirectory();
  return isFolder ? new Error("EISDIR: a folder is in its place") : null;
}

const causes = (error: unknown): string[] =>
  error instanceof Error
    ? [`${"code" in error ? String(error.code) : ""} ${error.message}`, ...causes(error.cause)]
    : [];
