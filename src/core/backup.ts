import { createHash, hkdfSync } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { createClient } from "@libsql/client";
import { ConfigError } from "./config";
import type { Store } from "./database";
import { headOf, opened, sealed, type Head, SealBroken } from "./sealed-file";

/** What backups are sealed with. Where BACKUP_KEY is not set, SECRET_KEY alone opens them. */
export type BackupKeys = { backupKey: Uint8Array | null; secretKey: Uint8Array };

export type BackupReport = {
  path: string;
  made: string;
  /** Of the file as it lies there, and of the database within it. */
  bytes: number;
  databaseBytes: number;
  sha256: string;
  key: Head["key"];
};

/**
 * Writes a consistent copy of the database as it is at one moment, sealed, while shops go on writing to it
 * (`VACUUM INTO` reads one snapshot of the WAL). It appears at `path` whole or not at all.
 */
export async function writeBackup(
  store: Store,
  keys: BackupKeys,
  { path, made }: { path: string; made: Date },
): Promise<BackupReport> {
  await mkdir(dirname(path), { recursive: true });
  if (existsSync(path)) throw new ConfigError(`${path} exists already, and is not written over.`);
  const copy = `${path}.copy`;
  const aside = `${path}.part`;
  await rm(copy, { force: true });
  try {
    await store.client.execute({ sql: "VACUUM INTO ?", args: [copy] });
    const source = Bun.file(copy);
    const named = keys.backupKey ? "BACKUP_KEY" : "SECRET_KEY";
    const head = { made: made.toISOString(), key: named } as const;
    const written = await writeDown(aside, sealed(source, { key: sealingKey(keys, named), head }));
    await rename(aside, path);
    return { path, ...head, ...written, databaseBytes: source.size };
  } finally {
    // a copy of the database that nothing seals
    await Promise.all([rm(copy, { force: true }), rm(aside, { force: true })]);
  }
}

/**
 * Opens a backup into a database file that must not exist yet, and looks through it. Nothing appears at
 * `target` unless all of it is sound. Throws {@link ConfigError} with a sentence.
 */
export async function readBackup(
  path: string,
  keys: BackupKeys,
  target: string,
): Promise<{ made: string; databaseBytes: number }> {
  const file = Bun.file(path);
  if (!(await file.exists())) throw new ConfigError(`There is no backup at ${path}.`);
  for (const taken of [target, `${target}-wal`]) {
    if (existsSync(taken)) throw new ConfigError(`${taken} exists, and a restore writes over nothing.`);
  }
  const aside = `${target}.restoring`;
  await mkdir(dirname(target), { recursive: true });
  await rm(aside, { force: true });
  try {
    const { head } = await headOf(file);
    const { bytes } = await writeDown(aside, opened(file, sealingKey(keys, head.key)));
    await expectWhole(aside);
    await rename(aside, target);
    return { made: head.made, databaseBytes: bytes };
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    throw new ConfigError(`The backup ${path} can't be opened: ${error.message}.`);
  } finally {
    await rm(aside, { force: true });
  }
}

function sealingKey({ backupKey, secretKey }: BackupKeys, named: Head["key"]): Buffer {
  if (named === "BACKUP_KEY" && !backupKey) throw new ConfigError("The setting BACKUP_KEY is missing.");
  const root = named === "BACKUP_KEY" && backupKey ? backupKey : secretKey;
  return Buffer.from(hkdfSync("sha256", root, "latchkey", "v1:backup", 32));
}

/** Writes to a new file that only its owner may read, flushed to disk. */
async function writeDown(path: string, pieces: AsyncIterable<Uint8Array>) {
  const hash = createHash("sha256");
  let bytes = 0;
  await rm(path, { force: true });
  const file = await open(path, "wx", 0o600);
  try {
    for await (const piece of pieces) {
      await file.writeFile(piece);
      hash.update(piece);
      bytes += piece.length;
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { bytes, sha256: hash.digest("hex") };
}

async function expectWhole(path: string): Promise<void> {
  const client = createClient({ url: `file:${path}`, concurrency: 1 });
  try {
    const { rows } = await client.execute("PRAGMA integrity_check(1)");
    if (rows[0]?.["integrity_check"] !== "ok") throw new SealBroken("its database is damaged");
  } finally {
    client.close();
  }
}
