import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { backedUp } from "@/core/backup/backup";
import { theShop } from "@/core/base/actor";
import { backUp } from "@/domain/backups/make";
import { createBackupPlace } from "@/gateways/storage/backup-place";
import type { Stage } from "./stage";

/** Backs up a stage's shop into a folder as it does by itself, at the story's time; resolves to the backup's name. */
export async function backUpStage({ ctx, dataDir }: Stage, folder: string): Promise<string> {
  const database = { url: pathToFileURL(join(dataDir, "shop.db")).href, authToken: undefined };
  const made = await backUp(
    ctx,
    {
      database: backedUp({ database, dataDir }),
      keys: { backupKey: null, secretKey: Buffer.alloc(32, 7) },
      host: "shop.example.com",
      place: createBackupPlace({ folder }),
      keep: null,
    },
    { actor: theShop },
  );
  return made.name;
}
