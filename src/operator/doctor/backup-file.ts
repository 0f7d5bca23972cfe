import { refusalIn } from "@/core/base/refusal";
import { restoredCopy } from "@/core/database/restored-copy";
import { lastBackup } from "@/domain/backups/record";
import { createBackupPlace } from "@/gateways/storage/backup-place";
import type { Finding } from "@/domain/system/system";
import { placeNamed } from "../files/backup-source";
import type { OpenShop } from "../terminal/command-line";
import { warning, wrong } from "./finding";

/** Whether the last backup is still where it was made; silent if it is, and on a restored copy. */
export async function backupFile({ ctx, config }: OpenShop): Promise<Finding[]> {
  const last = await lastBackup(ctx);
  if (!last || (await restoredCopy(ctx))) return [];
  const { file, bytes } = last;
  const isScheduled = file.place === createBackupPlace(config.backups.place).name;
  const found = isScheduled ? wrong : warning;
  try {
    const kept = await createBackupPlace(placeNamed(config, file.place)).list();
    const there = kept.find(({ name }) => name === file.name);
    if (!there) return [found("backup", `The last one, ${file.name}, is gone from ${file.place}.`)];
    if (there.bytes === bytes) return [];
    return [found("backup", `The last one, ${file.name} in ${file.place}, is not as it was made.`)];
  } catch (error) {
    const sentence = refusalIn(error)?.detail.sentence;
    if (!sentence) throw error;
    return [found("backup", sentence)];
  }
}
