import type { StorageLocation } from "@/core/settings/storage-location";
import type { BackupPlace } from "@/domain/backups/place";
import { backupBucket } from "./backup-bucket";
import { backupFolder } from "./backup-folder";

/** The backup place of a setting or command. Creates and contacts nothing until used. */
export const createBackupPlace = (place: StorageLocation): BackupPlace =>
  "folder" in place ? backupFolder(place.folder) : backupBucket(place);
