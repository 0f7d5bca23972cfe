import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { oneLine } from "@/contract/vocabulary/plain-words";
import { BackupFailed, type BackupKeys, readBackup, sealBackup } from "@/core/backup/backup";
import { refusalIn } from "@/core/base/refusal";
import { fileClient } from "@/core/database/file-client";
import { ConfigError } from "@/core/settings/config";
import type { Bucket, BucketAccess, StorageLocation } from "@/core/settings/storage-location";
import type { BackupPlace } from "@/domain/backups/place";
import { createBackupPlace } from "@/gateways/storage/backup-place";
import { rawAnswer } from "@/gateways/storage/s3";
import { placeNamed } from "../files/backup-source";
import { inSeconds, refused, type Tried, untested } from "./tried";

type PlaceWanted = {
  /** As BACKUP_TO is written: a folder or s3://bucket/prefix. */
  place: string;
  /** The bucket's key; null if there is none. */
  access: BucketAccess | null;
  keys: BackupKeys;
};

/**
 * Seals a small database with the shop's keys, stores it, reads it back, restores it into a folder of its own and
 * deletes it again. Its name is no backup's, so that no restore takes it for one.
 */
export async function tryBackupPlace({ place: typed, access, keys }: PlaceWanted): Promise<Tried> {
  let location: StorageLocation;
  try {
    location = placeNamed({ bucketAccess: access }, typed);
  } catch (error) {
    if (error instanceof ConfigError) return refused(error.message);
    throw error;
  }
  const place = createBackupPlace(location);
  const trial = roundTrip(place, keys).catch((error: unknown) => triedFrom(error, location, place));
  return inSeconds(mostSeconds, place.name, trial);
}

const mostSeconds = 60;

async function roundTrip(place: BackupPlace, keys: BackupKeys): Promise<Tried> {
  const scratch = await mkdtemp(join(tmpdir(), "latchkey-setup-"));
  // the same each time, so that an interrupted one's is removed too
  const name = "trial";
  const said = randomUUID();
  try {
    // also tells a folder that can't be one
    await place.list();
    try {
      await store(place, name, { keys, said, scratch });
      const back = join(scratch, "back");
      if (!(await place.download(name, back)))
        return refused(`${place.name} doesn't give back what it took.`);
      const restored = join(scratch, "restored.db");
      await readBackup({ file: Bun.file(back), name: "of the trial" }, keys, restored);
      if ((await read(restored)) !== said) return refused(`${place.name} gives back something else.`);
    } finally {
      await place.remove(name);
    }
    return { kind: "ok" };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

type Stored = { keys: BackupKeys; said: string; scratch: string };

async function store(place: BackupPlace, name: string, { keys, said, scratch }: Stored): Promise<void> {
  const file = join(scratch, "trial.db");
  const client = fileClient(file, 1_000);
  await client.execute("CREATE TABLE installation (name TEXT PRIMARY KEY, value TEXT)");
  await client.execute({ sql: "INSERT INTO installation VALUES ('trial', ?)", args: [said] });
  client.close();
  const database = { url: pathToFileURL(file).href, copy: join(scratch, "copy") };
  const shop = { id: "0".repeat(12), host: "trial", secret: "trial" };
  const order = { database, keys, made: new Date(), shop, number: 1 };
  await sealBackup(order, (pieces) => place.put(name, pieces));
}

async function read(file: string): Promise<unknown> {
  const client = fileClient(file, 1_000);
  try {
    const { rows } = await client.execute("SELECT value FROM installation WHERE name = 'trial'");
    return rows[0]?.["value"];
  } finally {
    client.close();
  }
}

async function triedFrom(error: unknown, location: StorageLocation, { name }: BackupPlace): Promise<Tried> {
  if (error instanceof BackupFailed || error instanceof ConfigError) return refused(error.message);
  const refusal = refusalIn(error);
  const sentence = refusal?.detail.sentence;
  if (!sentence) throw error;
  const { cause } = refusal;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  if (!(cause instanceof Error) || "folder" in location || code.startsWith("ERR_S3_"))
    return refused(sentence);
  if (withoutCode.test(code)) return unexplained(location, { name, sentence });
  if (passing.test(code) || cause.message === bunsOwn) return untested(sentence);
  return refusedWith({ name, code, message: cause.message });
}

/** Asks once more, for the answer itself. */
async function unexplained(
  location: Bucket,
  { name, sentence }: { name: string; sentence: string },
): Promise<Tried> {
  const answer = await rawAnswer(location);
  if (answer === null || answer.status >= 500) return untested(sentence);
  const { status, body } = answer;
  const [, code] = /<Code>(\w+)<\/Code>/.exec(body) ?? [];
  if (status < 300 || code === "NoSuchKey") return refused(sentence);
  if (code) return refusedWith({ name, code, message: /<Message>([^<]*)/.exec(body)?.[1] ?? "" });
  return refused(`What answers for ${name} is no bucket (${status}): check the bucket's host and name.`);
}

const refusedWith = ({ name, code, message }: { name: string; code: string; message: string }) =>
  refused(`The bucket ${name} refuses: ${oneLine(message).replace(/\.$/, "")} (${code}).`);

/** Bun's codes for an answer that says none. */
const withoutCode = /^(UnknownError|NoSuchKey)$/;
/** https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
const passing = /^(SlowDown|InternalError|ServiceUnavailable|RequestTimeout)$/;
/** Bun's message where nothing answered. */
const bunsOwn = "an unexpected error has occurred";
