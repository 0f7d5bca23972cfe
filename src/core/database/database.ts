import { accessSync, constants, existsSync, statSync } from "node:fs";
import { chmod, mkdir, open, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Client } from "@libsql/client";
import { drizzle, type LibSQLDatabase } from "drizzle-orm/libsql";
import { ConfigError } from "../settings/config";
import { noteFile } from "./database-file";
import { faultOf } from "./database-fault";
import { fileClient } from "./file-client";
import { fileOf } from "../settings/storage-location";
import { applyMigrations, expectUpgradable } from "./migrations";
import { beingMoved } from "./move-database";
import { noteRelease } from "./release";
import { resilientClient } from "./resilient-client";

/** Reads go through `db`; writes through {@link commit} in `commit.ts`. */
export type Store = {
  db: LibSQLDatabase;
  client: Client;
  /** Whether this process has locked the database file, so that no other process can run a shop on it. */
  sole: boolean;
  /** Whether it is on a database server, whose answers can be late or lost. */
  remote: boolean;
  close(): void;
};

/** The start checks databases up to this size, at about 2 ms per megabyte: less than a second. */
const checkedAtStart = 128 * 1024 * 1024;
/** How long a start waits for the previous shop, which may still be shutting down, to release the lock. */
const handOverMilliseconds = 12_000;

type Address = { url: string; authToken?: string | undefined };
type OpenOptions = {
  sole?: boolean;
  checkUpTo?: number;
  patient?: boolean;
  /** Called before a new shop's tables are made; may refuse. */
  begin?: () => Promise<void>;
  /** Also opens a database whose shop has moved to another database. */
  evenMoved?: boolean;
};

/**
 * Opens the database and applies all migrations. Refuses a file that is missing, empty, damaged or not this shop's
 * ({@link ConfigError}), so that none is ever mistaken for a new shop. With `sole`, which a running shop asks for, no
 * second shop can run on the same file. Checks files of at most `checkUpTo` bytes for damage. With `patient`, for
 * commands that read or write everything, a database server may take minutes to answer.
 */
export async function openStore(database: Address, opening: OpenOptions = {}): Promise<Store> {
  const { url } = database;
  return storeAt(database, opening).catch((error: unknown) => {
    throw inASentence(error, fileOf(url) ?? url);
  });
}

async function storeAt(
  database: Address,
  {
    sole = false,
    checkUpTo = sole ? checkedAtStart : 0,
    patient = false,
    begin,
    evenMoved = false,
  }: OpenOptions,
): Promise<Store> {
  const { url, authToken } = database;
  const file = fileOf(url);
  if (!file && patient) await expectAnswer(database);
  const isNew = file !== null && !existsSync(file);
  if (file) {
    await expectFile(file);
    // before the file exists, because a restore would not overwrite it
    if (isNew) await begin?.();
    await keepPrivate(file);
    if (sole) await keepPrivate(`${file}.lock`);
  }
  const release = file && sole ? await lockDatabase(file) : () => {};
  let client: Client | undefined;
  try {
    client = resilientClient({ url, ...(authToken ? { authToken } : {}) }, { patient });
    const db = drizzle(client);
    if (file) await client.execute("PRAGMA journal_mode = WAL");
    const holds = await contentOf(client);
    if (holds === "unfinished") throw new ConfigError(unfinishedSentence(file ?? url));
    if (file) expectOwn(holds, file);
    if (holds === "nothing" && !isNew) await begin?.();
    if (file && statSync(file).size <= checkUpTo) await expectUndamaged(client, file);
    // before the migrations: a refused release changes nothing, and a release killed during them has left its number
    if (holds === "a shop") {
      await expectUpgradable(client, file ?? url);
      await noteRelease(client, file ?? url);
    }
    await applyMigrations({ db, client });
    if (holds === "nothing") await noteRelease(client, file ?? url);
    if (!evenMoved) await expectNotMoved(client, file ?? url);
    if (file && !existsSync(createdMark(file))) await writeFile(createdMark(file), mark, { mode: 0o600 });
    const opened = client;
    if (file) noteFile(opened, file);
    const close = () => {
      // makes a copy of the file alone complete; on a full disk the log waits for the next start
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

/** Fails at once if the server is away, because a patient command allows minutes for each call. */
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

/** Throws {@link ConfigError} if this shop's database file existed before and is now missing or empty. */
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
 * Lets only this user read the database; SQLite gives its side files the same mode. Never opens an existing file:
 * closing it would drop all locks that this process has on it (https://sqlite.org/howtocorrupt.html), and the next
 * program to close the database would remove the log from under the shop.
 */
async function keepPrivate(file: string) {
  try {
    if (!existsSync(file)) await (await open(file, "a", 0o600)).close();
    for (const suffix of ["", "-wal", "-shm", "-journal"]) {
      if (existsSync(file + suffix)) await chmod(file + suffix, 0o600);
    }
  } catch {
    // another user owns the file; opening it will show whether we can use it
  }
}

/** Takes an operating-system lock next to the file; the system releases it however this process ends. */
async function lockDatabase(file: string): Promise<() => void> {
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
 * Connects to a database without migrating it, for a move that fills it; each call may take minutes. Creates a missing
 * file, for this user only.
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

/** `unfinished`: a move or restore that was filling it was interrupted. */
async function contentOf(client: Client): Promise<"a shop" | "unfinished" | "nothing"> {
  const { rows } = await client.execute({
    sql: "SELECT name FROM sqlite_master WHERE name IN ('installation', ?)",
    args: [beingMoved],
  });
  if (rows.some(({ name }) => name === beingMoved)) return "unfinished";
  return rows.length > 0 ? "a shop" : "nothing";
}

const unfinishedSentence = (where: string) =>
  `The shop is only partly in the database ${where}: run the shop move or shop restore that was interrupted again.`;

/** Refuses another program's database at the path of this shop's. */
function expectOwn(holds: "a shop" | "nothing", file: string) {
  if (holds === "a shop" || !existsSync(createdMark(file))) return;
  throw new ConfigError(`The database ${file} does not belong to this shop: restore the right one.`);
}

/** The name of the fact that the shop moved to another database, as JSON. */
export const movedFact = "moved";
/** Where to, and when (ISO 8601). */
export type MovedDatabase = { to: string; at: string };

/** Two shops with the same orders would both send what is waiting, and sell the same keys. */
async function expectNotMoved(client: Client, where: string) {
  const { rows } = await client.execute({
    sql: "SELECT value FROM installation WHERE name = ?",
    args: [movedFact],
  });
  const value = rows[0]?.["value"] as string | undefined;
  if (value === undefined) return;
  const { to, at } = JSON.parse(value) as MovedDatabase;
  throw new ConfigError(
    `The shop in ${where} was moved to ${to} on ${at.slice(0, 10)}: set DATABASE_URL to that. (If the move was interrupted, run shop move again; to continue here after all, shop take-over.)`,
  );
}

/** Checks a database for damage, which should prevent startup rather than a sale. */
async function expectUndamaged(client: Client, file: string) {
  if (!existsSync(createdMark(file))) return;
  const { rows } = await client.execute("PRAGMA quick_check(1)");
  if (rows[0]?.quick_check !== "ok") throw new ConfigError(damagedSentence(file));
}

const damagedSentence = (file: string) => `The database ${file} is damaged: restore it from a backup.`;

/** Words why the database did not open, for the person who starts the shop. */
function inASentence(error: unknown, where: string): unknown {
  if (error instanceof ConfigError) return error;
  const chain = causes(error);
  const says = (pattern: RegExp) => chain.some((one) => pattern.test(one));
  const sentence = (text: string, cause = error) => new ConfigError(text, { cause });
  if (says(/SQLITE_(CORRUPT|NOTADB)/)) return sentence(damagedSentence(where));
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

/**
 * The lasting reason why this user can't use the file, since SQLite gives one error for all of them; null if there is
 * none.
 */
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
