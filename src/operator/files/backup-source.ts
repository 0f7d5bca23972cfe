import { rm, stat } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { type Config, ConfigError } from "@/core/settings/config";
import { type StorageLocation, parseLocation, locationPattern } from "@/core/settings/storage-location";
import { fingerprint, rootKeysOf } from "@/core/database/open-secrets";
import type { ShopMark } from "@/core/backup/sealed-file";
import { type BackupPlace, splitByClock, type KeptBackup, madeAt } from "@/domain/backups/place";
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
  const name = names ? basename(typed) : await newestOf(config, place);
  const aside = `${target}.incoming`;
  const end = () => rm(aside, { force: true });
  if (!(await place.download(name, aside))) {
    await end();
    throw new ConfigError(`There is no backup at ${place.name}/${name}.`);
  }
  return { file: Bun.file(aside), name: `${place.name}/${name}`, end };
}

/**
 * The newest backup that no wrong clock hides. If several shops keep backups there, the newest of the shop whose
 * SECRET_KEY is in the settings. Throws {@link ConfigError} if that doesn't identify a shop.
 */
async function newestOf(config: Config, place: BackupPlace): Promise<string> {
  const { backups, future } = splitByClock(await place.list(), new Date());
  const own = await ofOneShop(config, place, backups);
  const newest = own.at(-1);
  if (!newest) throw new ConfigError(`There is no backup in ${place.name}.`);
  if (future.length > 0) {
    const names = future.map(({ name }) => name).join(", ");
    console.error(`Left aside, because they are dated in the future: ${names}. Name one to restore it.`);
  }
  if (own.length < backups.length && newest.shop) {
    console.error(`There are backups of several shops; this is one of ${shopInWords(newest.shop)}.`);
  }
  return newest.name;
}

/** A damaged backup may be this shop's, and is not passed over in silence. */
async function ofOneShop(config: Config, place: BackupPlace, backups: KeptBackup[]): Promise<KeptBackup[]> {
  const shops = shopsOf(backups);
  if (shops.length < 2) return backups;
  const { secretKey, secretKeyOld } = await rootKeysOf(config);
  const prints = [secretKey, ...(secretKeyOld ? [secretKeyOld] : [])].map(fingerprint);
  const isOurs = ({ shop }: KeptBackup) => shop !== null && prints.includes(shop.secret);
  const [ours, another] = shopsOf(backups.filter(isOurs));
  if (ours && !another) return backups.filter(({ shop }) => shop === null || shop.id === ours.shop?.id);
  const each = shops.map(({ shop, name }) => `\n  ${shop ? shopInWords(shop) : ""}: ${name}`).join("");
  throw new ConfigError(
    `There are backups of several shops in ${place.name}: name one of them. The newest of each:${each}`,
  );
}

/** The newest backup of each shop that has any. */
const shopsOf = (backups: KeptBackup[]): KeptBackup[] => [
  ...new Map(backups.flatMap((one) => (one.shop ? [[one.shop.id, one]] : []))).values(),
];

export const shopInWords = ({ id, host }: Pick<ShopMark, "id" | "host">) => `${host} (${id})`;
