import { rm, stat } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { type Config, ConfigError } from "@/core/config";
import { type StorageLocation, parseLocation, locationPattern } from "@/core/storage-location";
import { type BackupPlace, believed, madeAt } from "@/domain/backups/place";
import { createBackupPlace } from "@/gateways/storage/backup-place";

export type BackupSource = { file: Blob; name: string; end: () => Promise<void> };

/** The folder or bucket that the operator typed. Throws {@link ConfigError}. */
export function placeNamed(config: Pick<Config, "bucketAccess">, typed: string): StorageLocation {
  if (!locationPattern.test(typed)) throw new ConfigError(`${typed} must be a folder or s3://bucket/prefix.`);
  const place = parseLocation(typed, config.bucketAccess);
  if (place) return place;
  throw new ConfigError("A bucket needs the settings AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.");
}

/**
 * The backup that the operator named: a file, an object in a bucket, or the newest in a folder or bucket.
 * One from a bucket is copied next to `target` and deleted by `end`. Throws {@link ConfigError}.
 */
export async function backupNamed(config: Config, typed: string, target: string): Promise<BackupSource> {
  const isFile = !typed.startsWith("s3://") && (await stat(resolve(typed)).catch(() => null))?.isFile();
  if (isFile) return { file: Bun.file(resolve(typed)), name: resolve(typed), end: async () => {} };
  const names = madeAt(basename(typed)) !== null;
  const place = createBackupPlace(placeNamed(config, names ? dirname(typed) : typed));
  const name = names ? basename(typed) : await newestOf(place);
  const aside = `${target}.incoming`;
  const end = () => rm(aside, { force: true });
  if (!(await place.bring(name, aside))) {
    await end();
    throw new ConfigError(`There is no backup at ${place.name}/${name}.`);
  }
  return { file: Bun.file(aside), name: `${place.name}/${name}`, end };
}

/** The newest that a wrong clock did not date in the future. */
async function newestOf(place: BackupPlace): Promise<string> {
  const { backups, future } = believed(await place.list(), new Date());
  const newest = backups.at(-1);
  if (!newest) throw new ConfigError(`There is no backup in ${place.name}.`);
  if (future.length > 0) {
    const names = future.map(({ name }) => name).join(", ");
    console.error(`Left aside, because they are dated in the future: ${names}. Name one to restore it.`);
  }
  return newest.name;
}
