import { accessSync, constants } from "node:fs";
import { basename, join } from "node:path";
import type { SettingName } from "@/core/settings/settings";
import type { BucketAccess } from "@/core/settings/storage-location";
import { rootKeysOf } from "@/core/database/open-secrets";
import { tryBackupPlace } from "../backups";
import { outcomeOf, type Tried, untilRight } from "../ui/ui";
import { askFor, configSoFar, given, isOutside, save, type Setup } from "./state";

export const hasBackups = (setup: Setup): boolean => given(setup, "BACKUP_EVERY") !== "";

type Place = Partial<Record<SettingName, string>>;

/** Where backups go, proved by one that is read back, and how often. */
export async function backupsStep(setup: Setup): Promise<void> {
  const { ui } = setup;
  const place = await untilRight(ui, async (): Promise<Tried<Place>> => {
    const to = await askFor(setup, "BACKUP_TO", {
      asks: "Where backups go: a folder, best on another disk, or s3://bucket/prefix",
      proposal: given(setup, "BACKUP_TO") || proposedPlace(setup),
    });
    const bucket = to.startsWith("s3://") ? await bucketAccess(setup) : {};
    return prove(setup, { BACKUP_TO: to, ...bucket });
  });
  const hours = await askFor(setup, "BACKUP_EVERY", {
    asks: "How many hours between two backups",
    proposal: given(setup, "BACKUP_EVERY") || "24",
  });
  save(setup, { ...place, BACKUP_EVERY: hours });
}

function proposedPlace({ environment, dataDir }: Setup): string {
  if (environment["IN_CONTAINER"]) return "/backups";
  const outside = join("/var/backups", basename(dataDir));
  try {
    accessSync(outside, constants.W_OK);
    return outside;
  } catch {
    return join(dataDir, "backups");
  }
}

const bucketSettings = [
  { name: "AWS_ACCESS_KEY_ID", asks: "The bucket's access key id" },
  { name: "AWS_SECRET_ACCESS_KEY", asks: "Its secret access key", secret: true },
  { name: "AWS_ENDPOINT_URL_S3", asks: "The bucket's host", optional: "for Amazon's" },
  { name: "AWS_REGION", asks: "Its region", optional: "for the bucket's own" },
] as const;

async function bucketAccess(setup: Setup): Promise<Place> {
  const typed: Place = {};
  for (const { name, ...question } of bucketSettings) {
    if (!isOutside(setup, name)) typed[name] = await askFor(setup, name, question);
  }
  return typed;
}

async function prove(setup: Setup, place: Place): Promise<Tried<Place>> {
  const value = (name: SettingName) => place[name] ?? given(setup, name);
  const accessKeyId = value("AWS_ACCESS_KEY_ID");
  const access: BucketAccess = {
    accessKeyId,
    secretAccessKey: value("AWS_SECRET_ACCESS_KEY"),
    endpoint: value("AWS_ENDPOINT_URL_S3") || undefined,
    region: value("AWS_REGION") || undefined,
  };
  const to = place.BACKUP_TO ?? "";
  const config = configSoFar(setup);
  const keys = { ...(await rootKeysOf(config)), backupKey: config.backupKey };
  const tried = await setup.ui.work(`Backing up to ${to}`, () =>
    tryBackupPlace({ place: to, access: accessKeyId === "" ? null : access, keys }),
  );
  return outcomeOf(tried, place, `A backup was written to ${to}, read back and restored.`);
}
