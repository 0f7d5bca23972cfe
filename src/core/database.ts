import { existsSync, statSync } from "node:fs";
import { chmod, mkdir, open, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Client } from "@libsql/client";
import { drizzle, type LibSQLDatabase } from "drizzle-orm/libsql";
import { ConfigError } from "./config";
import { fileClient, fileOf } from "./file-client";
import { applyMigrations } from "./migrations";
import { resilientClient, troubleOf } from "./resilient-client";

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

type Opening = { sole?: boolean; checkUpTo?: number; patient?: boolean };

/**
 * Opens the database and applies all migrations. A file that is missing, empty, damaged or not this shop's is
 * refused with one sentence ({@link ConfigError}) and never mistaken for a new shop. With `sole`, which a running
 * shop asks for, no second shop can run on the same file. A file of at most
 * `checkUpTo` bytes is checked for damage. With `patient`, for commands that read or write everything, a database
 * server may take minutes to answer.
 */
export async function openStore(
  database: { url: string; authToken?: string | undefined },
  { sole = false, checkUpTo = sole ? checkedAtStart : 0, patient = false }: Opening = {},
): Promise<Store> {
  const { url, authToken } = database;
  const file = fileOf(url);
  if (file) {
    await expectFile(file);
    await keepPrivate(file);
    if (sole) await keepPrivate(`${file}.lock`);
  }
  const release = file && sole ? await hold(file) : () => {};
  try {
    const client = resilientClient({ url, ...(authToken ? { authToken } : {}) }, { patient });
    const db = drizzle(client);
    if (file) await expectOwn(client, file);
    if (file && statSync(file).size <= checkUpTo) await expectUndamaged(client, file);
    await applyMigrations({ db, client });
    if (file && !existsSync(createdMark(file))) await writeFile(createdMark(file), mark, { mode: 0o600 });
    const close = () => {
      // so that a copy of the file alone is complete; a full disk leaves the log to the next start
      if (file && sole) client.executeMultiple("PRAGMA wal_checkpoint(TRUNCATE)").catch(() => {});
      client.close();
      release();
    };
    return { db, client, sole: file !== null && sole, remote: file === null, close };
  } catch (error) {
    release();
    throw inASentence(error, file ?? url);
  }
}

const createdMark = (file: string) => join(dirname(file), ".created");
const mark = "This database exists; its absence is a loss.\n";

async function expectFile(file: string) {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
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
      if (troubleOf(error) !== "busy") throw inASentence(error, file);
      if (Date.now() > deadline) {
        throw new ConfigError(`Another shop is running on the database ${file}: stop it first.`);
      }
      await Bun.sleep(100);
    }
  }
}

/** Refuses another program's database in the place of one that was in use before. */
async function expectOwn(client: Client, file: string) {
  await client.execute("PRAGMA journal_mode = WAL");
  if (!existsSync(createdMark(file))) return;
  const known = await client.execute("SELECT 1 FROM sqlite_master WHERE name = 'installation'");
  if (known.rows.length === 0) {
    throw new ConfigError(`The database ${file} does not belong to this shop: restore the right one.`);
  }
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
  if (says(/SQLITE_(CORRUPT|NOTADB)/)) return new ConfigError(damaged(where));
  if (says(/SQLITE_(BUSY|LOCKED)/)) {
    return new ConfigError(
      `The database ${where} is locked by another process: wait until that one has finished.`,
    );
  }
  if (says(/SQLITE_(FULL|IOERR)/)) {
    return new ConfigError(`The database ${where} can't be written: the disk is full or failing.`);
  }
  if (says(/SQLITE_(CANTOPEN|READONLY|PERM)|ConnectionFailed/)) {
    return new ConfigError(`The database ${where} can't be opened: check its path and permissions.`);
  }
  return error;
}

const causes = (error: unknown): string[] =>
  error instanceof Error
    ? [`${"code" in error ? String(error.code) : ""} ${error.message}`, ...causes(error.cause)]
    : [];
