import { createHash, hkdfSync } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { ConfigError } from "./config";
import { fileClient } from "./file-client";
import { type Head, headOf, opened, SealBroken } from "./sealed-file";
import type { SnapshotOrder, SnapshotProgress } from "./snapshot";

/** What backups are sealed with. Where BACKUP_KEY is not set, SECRET_KEY alone opens them. */
export type BackupKeys = {
  backupKey: Uint8Array | null;
  secretKey: Uint8Array;
  /** Opens backups of a time before `secretKey`. */
  secretKeyOld?: Uint8Array | null;
};

/** A backup could not be made or kept; the message is a sentence for the operator. */
export class BackupFailed extends Error {
  override name = "BackupFailed";
}

export type SealedBackup = {
  made: string;
  /** Of the sealed file, and of the database within it. */
  bytes: number;
  databaseBytes: number;
  sha256: string;
  /** The setting that opens it. */
  key: Head["key"];
};

export type Sealing = {
  /** The database's file, of which others may be writing. */
  database: string;
  keys: BackupKeys;
  made: Date;
  signal?: AbortSignal | undefined;
  /** How much of the database has been sealed, in bytes. */
  progress?: ((done: number, total: number) => void) | undefined;
};

/**
 * Makes a consistent copy of the database as it is at one moment and hands it over sealed, piece by piece.
 * The copy lies beside the database meanwhile, so one runs at a time. Throws {@link BackupFailed}.
 */
export async function sealBackup(
  { database, keys, made, signal, progress }: Sealing,
  put: (pieces: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<SealedBackup> {
  const copy = `${database}.copy`;
  const named = keys.backupKey ? "BACKUP_KEY" : "SECRET_KEY";
  const head = { made: made.toISOString(), key: named } as const;
  const key = sealingKey(keys, named).toString("base64");
  await rm(copy, { force: true });
  const snapshot = takeSnapshot({ database, copy, key, head }, { signal, progress });
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
    return { ...head, bytes, databaseBytes, sha256: hash.digest("hex") };
  } finally {
    await snapshot.end();
    await rm(copy, { force: true });
  }
}

const snapshotProgram = fileURLToPath(new URL("./snapshot.ts", import.meta.url));

/** `copied` resolves to its bytes. The pieces come as they are taken, and throw where not all of them came. */
function takeSnapshot(order: SnapshotOrder, { signal, progress }: Pick<Sealing, "signal" | "progress">) {
  const begun = Promise.withResolvers<SnapshotProgress>();
  const child = Bun.spawn([process.execPath, snapshotProgram], {
    stdin: Buffer.from(JSON.stringify(order)),
    stdout: "pipe",
    stderr: "pipe",
    env: { BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0" },
    ipc(told: SnapshotProgress) {
      begun.resolve(told);
      progress?.(told.done, told.total);
    },
    ...(signal ? { signal } : {}),
  });
  const well = wellEnded(child, signal);
  return {
    copied: Promise.race([begun.promise, well.then(() => begun.promise)]).then(({ total }) => total),
    pieces: (async function* () {
      yield* child.stdout;
      await well;
    })(),
    /** Ends it, if it still runs. */
    async end() {
      child.kill();
      await well.catch(() => {});
    },
  };
}

/** Settles with its end; throws what it failed for. */
async function wellEnded(
  child: Bun.Subprocess<Buffer, "pipe", "pipe">,
  signal: AbortSignal | undefined,
): Promise<void> {
  const [said, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
  signal?.throwIfAborted();
  if (code === 0) return;
  const why = /SQLITE_(FULL|IOERR)/.test(said) ? "the disk is full or failing" : said.trim().slice(0, 200);
  throw new BackupFailed(`The database could not be copied: ${why || `it ended with ${code}`}.`);
}

/**
 * Opens a backup into a database file that must not exist yet, and looks through it. Nothing appears at
 * `target` unless all of it is sound. `name` is what it is called in the sentences of a {@link ConfigError}.
 */
export async function readBackup(
  { file, name, progress }: { file: Blob; name: string; progress?: Sealing["progress"] },
  keys: BackupKeys,
  target: string,
): Promise<{ made: string; databaseBytes: number }> {
  expectFree(target);
  const aside = `${target}.restoring`;
  await mkdir(dirname(target), { recursive: true });
  try {
    const { head } = await headOf(file);
    const bytes = await writeDown(aside, opened(file, await openingKey(file, keys, head), progress));
    await expectWhole(aside);
    await rename(aside, target);
    return { made: head.made, databaseBytes: bytes };
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    throw new ConfigError(`The backup ${name} can't be opened: ${error.message}.`);
  } finally {
    await rm(aside, { force: true });
  }
}

/** A restore writes over nothing. Throws {@link ConfigError}. */
export function expectFree(target: string): void {
  for (const taken of [target, `${target}-wal`]) {
    if (existsSync(taken)) throw new ConfigError(`${taken} exists, and a restore writes over nothing.`);
  }
}

/** The key that a backup was sealed with; of two secrets it shows at the first piece which one it was. */
async function openingKey(file: Blob, keys: BackupKeys, head: Head): Promise<Buffer> {
  const key = sealingKey(keys, head.key);
  if (head.key === "BACKUP_KEY" || !keys.secretKeyOld) return key;
  const opensIt = await opened(file, key)
    .next()
    .then(
      () => true,
      () => false,
    );
  return opensIt ? key : sealingKey({ ...keys, secretKey: keys.secretKeyOld }, head.key);
}

function sealingKey({ backupKey, secretKey }: BackupKeys, named: Head["key"]): Buffer {
  if (named === "BACKUP_KEY" && !backupKey) throw new ConfigError("The setting BACKUP_KEY is missing.");
  const root = named === "BACKUP_KEY" && backupKey ? backupKey : secretKey;
  return Buffer.from(hkdfSync("sha256", root, "latchkey", "v1:backup", 32));
}

/** Writes a file anew that only its owner may read, flushed to disk; resolves to its bytes. */
export async function writeDown(path: string, pieces: AsyncIterable<Uint8Array>): Promise<number> {
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

async function expectWhole(path: string): Promise<void> {
  const client = fileClient(path, 1_000);
  try {
    const { rows } = await client.execute("PRAGMA integrity_check(1)");
    if (rows[0]?.["integrity_check"] !== "ok") throw new SealBroken("its database is damaged");
  } finally {
    client.close();
  }
}
