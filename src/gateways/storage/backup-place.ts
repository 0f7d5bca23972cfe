import type { StorageLocation } from "@/core/storage-location";
import type { BackupPlace } from "@/domain/backups/place";
import { backupBucket } from "./backup-bucket";
import { backupFolder } from "./backup-folder";

/** The place that a configuration or a command names. Nothing is created or asked until it is used. */
export const createBackupPlace = (place: StorageLocation): BackupPlace =>
  "folder" in place ? backupFolder(place.folder) : backupBucket(place);
