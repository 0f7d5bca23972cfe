import { existsSync } from "node:fs";
import { join } from "node:path";
import { operator } from "@/core/base/actor";
import { Command } from "commander";
import { backedUp, type BackupKeys, identitiesOf } from "@/core/backup/backup";
import { type Config, ConfigError, readConfig } from "@/core/settings/config";
import { rootKeysOf } from "@/core/database/open-secrets";
import { backUp } from "@/domain/backups/make";
import { type BackupPlace, isFuture } from "@/domain/backups/place";
import { createBackupPlace } from "@/gateways/storage/backup-place";
import { placeNamed, shopInWords } from "../files/backup-source";
import { withShop, print, withJson } from "../terminal/command-line";
import { progressBar } from "../terminal/progress";
import { bytesInWords, stamp, table } from "../terminal/table";
import { positiveNumber } from "../terminal/arguments";

type BackingUp = { to?: string; keep?: number; json?: boolean };

/** `shop backup` */
export const backupVerb = (): Command =>
  withJson(new Command("backup"), "backup --to s3://my-backups/shop --keep 30")
    .summary("write an encrypted copy of the database, to a folder or a bucket")
    .description("write a consistent, encrypted copy of the database while the shop runs")
    .option("--to <place>", "a folder or s3://bucket/prefix (default: BACKUP_TO, together with BACKUP_KEEP)")
    .option("--keep <number>", "delete the oldest backups so that this many are left", positiveNumber)
    .action(({ to, keep, json }: BackingUp) =>
      withShop(async ({ ctx, config }) => {
        const place = placeOf(config, to);
        const bar = progressBar("Encrypting the database", json);
        const kept = keep ?? (to === undefined ? config.backups.keep : null);
        const { host } = config.publicUrl;
        const plan = { database: backedUp(config), keys: await keysOf(config), host, place, keep: kept };
        const made = await backUp(ctx, plan, { actor: operator, progress: bar.at }).finally(bar.end);
        const opens =
          made.key === "BACKUP_KEY" ? "BACKUP_KEY, and the shop in it needs SECRET_KEY" : "SECRET_KEY";
        const gone = made.removed.length > 0 ? ` Deleted ${made.removed.length} older ones.` : "";
        print(
          json,
          { ...made, path: `${made.place}/${made.name}` },
          `${made.place}/${made.name}\n${bytesInWords(made.bytes)}. It opens with ${opens}: keep that in another place.${gone}`,
        );
      }),
    );

type ListOptions = { in?: string; identities?: boolean; json?: boolean };

/** `shop backups` */
export const backupsVerb = (): Command =>
  withJson(new Command("backups"), "backups --in /mnt/elsewhere", "backups --identities > identities.txt")
    .description("list the backups, oldest first")
    .option("--in <place>", "a folder or s3://bucket/prefix (default: BACKUP_TO)")
    .option("--identities", "print, instead, the secret with which the age tool opens them")
    .action(async ({ in: typed, identities, json }: ListOptions) => {
      // works without a shop: on a new machine it is the first command to run
      const config = readConfig();
      if (identities) {
        const open = identitiesOf(await keysOf(config));
        return print(json, { identities: open }, open.join("\n"));
      }
      const place = placeOf(config, typed);
      const all = await place.list();
      const now = new Date();
      const kept = all.map(({ shop, ...one }) => {
        return { ...one, shop: shop && { id: shop.id, host: shop.host }, future: isFuture(one.made, now) };
      });
      const several = kept.some(({ shop }) => shop?.id !== kept[0]?.shop?.id);
      const rows = kept.map(({ name, bytes, made, future, shop }) => [
        future ? `${stamp(made)} (in the future)` : stamp(made),
        bytesInWords(bytes),
        ...(several ? [shop ? shopInWords(shop) : "not said"] : []),
        name,
      ]);
      const heading = ["made", "size", ...(several ? ["shop"] : []), "name"];
      const lines = rows.length > 0 ? table(heading, rows) : "There are no backups.";
      print(json, { place: place.name, backups: kept }, `${place.name}\n${lines}`);
    });

const placeOf = (config: Config, typed: string | undefined): BackupPlace =>
  createBackupPlace(typed === undefined ? config.backups.place : placeNamed(config, typed));

/** Throws {@link ConfigError} rather than making a new SECRET_KEY, which opens nothing. */
export async function keysOf(config: Config): Promise<BackupKeys> {
  if (!config.secretKey && !existsSync(join(config.dataDir, "secret.key"))) {
    throw new ConfigError(
      `The setting SECRET_KEY is missing, and there is no secret.key in ${config.dataDir}.`,
    );
  }
  return { backupKey: config.backupKey, ...(await rootKeysOf(config)) };
}
