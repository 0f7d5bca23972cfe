import { bech32 } from "@scure/base";
import { identityToRecipient } from "age-encryption";
import { createHash, hkdfSync } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Config, ConfigError } from "../settings/config";
import { fileClient } from "../database/file-client";
import { fileOf } from "../settings/storage-location";
import { release } from "../database/release";
import { copyFact, type RestoredCopy } from "../database/restored-copy";
import { type Head, headOf, openSealed, SealBroken, type ShopMark } from "./sealed-file";
import type { BackedUp, SnapshotOrder, SnapshotProgress } from "./snapshot";

/** The keys that encrypt backups: BACKUP_KEY, or SECRET_KEY if that is not set. */
export type BackupKeys = {
  backupKey: Uint8Array | null;
  secretKey: Uint8Array;
  /** Opens backups made before `secretKey` replaced it. */
  secretKeyOld?: Uint8Array | null;
};

/** A backup could not be made or kept; the message is a sentence for the operator. */
export class BackupFailed extends Error {
  override name = "BackupFailed";
}

export type SealedBackup = {
  made: string;
  number: number;
  /** Size of the sealed file, and of the database in it. */
  bytes: number;
  databaseBytes: number;
  sha256: string;
  /** The setting whose key opens it. */
  key: Head["key"];
  release: string;
};

/** A file is copied next to itself, a server's database into the data folder. */
export function backedUp({ database, dataDir }: Pick<Config, "database" | "dataDir">): BackedUp {
  const file = fileOf(database.url);
  return { ...database, copy: file ? `${file}.copy` : join(dataDir, "server.copy") };
}

export type SealOptions = {
  /** Other processes may be writing to it. */
  database: BackedUp;
  keys: BackupKeys;
  made: Date;
  shop: ShopMark;
  /** The number of the shop's last backup plus one. */
  number: number;
  signal?: AbortSignal | undefined;
  /** Reports how many bytes of the database have been sealed. */
  progress?: ((done: number, total: number) => void) | undefined;
};

/**
 * Takes a consistent copy of the database and passes it on encrypted, piece by piece. The copy is kept in one place
 * while this runs, so only one backup can run at a time. Throws {@link BackupFailed}.
 */
export async function sealBackup(
  { database, keys, made, shop, number, signal, progress }: SealOptions,
  put: (pieces: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<SealedBackup> {
  const { copy } = database;
  const key = keys.backupKey ? "BACKUP_KEY" : "SECRET_KEY";
  const head = { made: made.toISOString(), key, release: release.number, shop, number } as const;
  const recipient = await identityToRecipient(identityOf(keys.backupKey ?? keys.secretKey));
  await removeDatabase(copy);
  const snapshot = takeSnapshot({ database, recipient, head }, { signal, progress });
  try {
    const databaseBytes = await snapshot.copied;
    const hash = createHash("sha256");
    let bytes = 0;
    await put(
      (async function* () {
        for await (const piece of snapshot.pieces) {
          hash.update(piece);
          bytes += piece.length;
          yield piece;
        }
      })(),
    );
    const { shop: _, ...said } = head;
    return { ...said, bytes, databaseBytes, sha256: hash.digest("hex") };
  } finally {
    await snapshot.end();
    await removeDatabase(copy);
  }
}

/** Deletes a database file with everything that SQLite, or a shop, keeps next to it. */
export async function removeDatabase(file: string): Promise<void> {
  const ends = ["", "-wal", "-shm", "-journal", ".lock"];
  await Promise.all(ends.map((end) => rm(`${file}${end}`, { force: true })));
}

const snapshotProgram = fileURLToPath(new URL("./snapshot.ts", import.meta.url));

/** `copied` resolves to the size of the copy. Iterating the pieces throws if the snapshot ended early. */
function takeSnapshot(order: SnapshotOrder, { signal, progress }: Pick<SealOptions, "signal" | "progress">) {
  const begun = Promise.withResolvers<SnapshotProgress>();
  const child = Bun.spawn([process.execPath, snapshotProgram], {
    stdin: Buffer.from(JSON.stringify(order)),
    stdout: "pipe",
    stderr: "pipe",
    env: { BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0" },
    ipc(report: SnapshotProgress) {
      begun.resolve(report);
      progress?.(report.done, report.total);
    },
    ...(signal ? { signal } : {}),
  });
  const ended = endedWell(child, signal);
  return {
    copied: Promise.race([begun.promise, ended.then(() => begun.promise)]).then(({ total }) => total),
    pieces: (async function* () {
      yield* child.stdout;
      await ended;
    })(),
    /** Stops the program if it is still running. */
    async end() {
      child.kill();
      await ended.catch(() => {});
    },
  };
}

/** Resolves when the program ends well; otherwise throws why it failed. */
async function endedWell(
  child: Bun.Subprocess<Buffer, "pipe", "pipe">,
  signal: AbortSignal | undefined,
): Promise<void> {
  const [errors, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  signal?.throwIfAborted();
  if (code === 0) return;
  const why = /SQLITE_(FULL|IOERR)/.test(errors)
    ? "the disk is full or failing"
    : errors.trim().slice(0, 200);
  throw new BackupFailed(`The database could not be copied: ${why || `it ended with code ${code}`}.`);
}

/**
 * Decrypts a backup into a database file that must not exist yet, checks its integrity, and marks it as a copy.
 * Creates `target` only if the whole backup is intact. `name` is what a {@link ConfigError} calls the backup. Resolves
 * to the backup's time and release.
 */
export async function readBackup(
  { file, name, progress }: { file: Blob; name: string; progress?: SealOptions["progress"] },
  keys: BackupKeys,
  target: string,
): Promise<{ made: string; databaseBytes: number; release: string }> {
  expectFree(target);
  const aside = `${target}.restoring`;
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  try {
    const { made, key, release: by } = await headOf(file);
    if (key === "BACKUP_KEY" && !keys.backupKey) throw new ConfigError("The setting BACKUP_KEY is missing.");
    const databaseBytes = await writePrivateFile(aside, openSealed(file, identitiesOf(keys), progress));
    await expectIntact(aside);
    await markCopy(aside, { made, at: new Date().toISOString() });
    await rename(aside, target);
    return { made, databaseBytes, release: by };
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    throw new ConfigError(`The backup ${name} can't be opened: ${error.message}.`);
  } finally {
    await rm(aside, { force: true });
  }
}

/** A restore never overwrites a file. Throws {@link ConfigError}. */
export function expectFree(target: string): void {
  for (const taken of [target, `${target}-wal`]) {
    if (existsSync(taken))
      throw new ConfigError(`${taken} already exists, and a restore never overwrites anything.`);
  }
}

/** The age identities that open this shop's backups. */
export const identitiesOf = ({ backupKey, secretKey, secretKeyOld }: BackupKeys): string[] =>
  [backupKey, secretKey, secretKeyOld].flatMap((key) => (key ? [identityOf(key)] : []));

function identityOf(key: Uint8Array): string {
  const scalar = new Uint8Array(hkdfSync("sha256", key, "latchkey", "v1:backup", 32));
  return bech32.encodeFromBytes("AGE-SECRET-KEY-", scalar).toUpperCase();
}

/** Writes a new file that only its owner may read and flushes it to disk; resolves to its size. */
export async function writePrivateFile(path: string, pieces: AsyncIterable<Uint8Array>): Promise<number> {
  let bytes = 0;
  await rm(path, { force: true });
  const file = await open(path, "wx", 0o600);
  try {
    for await (const piece of pieces) {
      await file.writeFile(piece);
      bytes += piece.length;
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return bytes;
}

/** Runs before the file is renamed to its path, where a shop could start on it. */
async function markCopy(path: string, mark: RestoredCopy): Promise<void> {
  const client = fileClient(path, 1_000);
  const sql = "INSERT OR REPLACE INTO installation (name, value) VALUES (?, ?)";
  await client.execute({ sql, args: [copyFact, JSON.stringify(mark)] }).finally(() => client.close());
}

async function expectIntact(path: string): Promise<void> {
  const client = fileClient(path, 1_000);
  try {
    const { rows } = await client.execute("PRAGMA integrity_check(1)");
    if (rows[0]?.["integrity_check"] !== "ok") throw new SealBroken("its database is damaged");
  } finally {
    client.close();
  }
}
