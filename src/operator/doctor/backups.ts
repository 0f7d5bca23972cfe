import { hour } from "@/contract/vocabulary/time";
import { refusalIn } from "@/core/base/refusal";
import { isFuture } from "@/domain/backups/place";
import { backupReport, lastBackup, notedBackup } from "@/domain/backups/record";
import { isReported } from "@/domain/notices/report-once";
import { createBackupPlace } from "@/gateways/storage/backup-place";
import type { Finding } from "@/domain/system/system";
import type { OpenShop } from "../terminal/command-line";
import { stamp } from "../terminal/table";
import { backupFile } from "./backup-file";
import { warning, well, wrong } from "./finding";
import { inTime } from "./in-time";

const listingMilliseconds = 15_000;

/** Whether backups are made, how old the last one is, and whether its file is still there. */
export async function backups(shop: OpenShop): Promise<Finding[]> {
  const [place, file, failed, age] = await Promise.all([
    inTime("backup", listingMilliseconds, () => placeOfBackups(shop.config.backups)),
    inTime("backup", listingMilliseconds, () => backupFile(shop)),
    lastFailed(shop),
    ageOfLast(shop),
  ]);
  const ofFile = file.filter(({ sentence }) => place.every((one) => one.sentence !== sentence));
  // a lost file's age is no comfort
  const ofAge = age.state === "well" && file.length > 0 ? [] : [age];
  return [...place, ...failed, ...ofFile, ...ofAge, ...besideData(shop)];
}

async function lastFailed({ ctx }: OpenShop): Promise<Finding[]> {
  if (!(await isReported(ctx, backupReport))) return [];
  return [wrong("backup", "The last scheduled backup failed: run shop backup to see why.")];
}

async function ageOfLast({ ctx, config }: OpenShop): Promise<Finding> {
  const noted = await notedBackup(ctx);
  if (noted && isFuture(noted.at, ctx.now())) {
    const at = stamp(noted.at);
    return warning("backup", `The last one is dated ${at}, in the future: check this machine's clock.`);
  }
  const last = await lastBackup(ctx);
  if (!last && config.backups.everyHours !== null)
    return well("backup", "None was made yet: the shop makes the first one when it runs.");
  if (!last)
    return warning("backup", "The database knows of no backup: run shop backup, or set BACKUP_EVERY.");
  const hours = Math.floor((ctx.now().getTime() - last.at.getTime()) / hour);
  const ago = hours < 2 ? "less than two hours" : `${hours} hours`;
  const isLate = hours > 2 * (config.backups.everyHours ?? 24);
  return (isLate ? warning : well)("backup", `The last backup was made on ${stamp(last.at)}, ${ago} ago.`);
}

function besideData({ config: { backups: plan, dataDir } }: OpenShop): Finding[] {
  if (plan.everyHours === null || !("folder" in plan.place) || !liesIn(plan.place.folder, dataDir)) return [];
  return [warning("backup", "BACKUP_TO is inside DATA_DIR: whatever destroys one destroys the other.")];
}

const liesIn = (folder: string, outer: string) => `${folder}/`.startsWith(`${outer}/`);

/** Checked if backups are scheduled, so that a wrong place is found before the first is due. */
async function placeOfBackups({ place, everyHours }: OpenShop["config"]["backups"]): Promise<Finding[]> {
  if (everyHours === null) return [];
  try {
    await createBackupPlace(place).list();
    return [];
  } catch (error) {
    const sentence = refusalIn(error)?.detail.sentence;
    if (!sentence) throw error;
    return [wrong("backup", sentence)];
  }
}
