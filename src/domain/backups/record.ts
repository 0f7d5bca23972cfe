import { eq } from "drizzle-orm";
import type { Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { keepFact } from "@/core/installation";
import { installation } from "@/core/tables";

const row = "last_backup";

/** The last backup, as this database knows of it. */
export type BackupNote = { at: Date; bytes: number };

export const noteBackup = (ctx: Ctx, { at, bytes }: BackupNote): Write =>
  keepFact(ctx, row, JSON.stringify({ at, bytes }));

/** Null before the first. */
export async function lastBackup(ctx: Ctx): Promise<BackupNote | null> {
  const [found] = await ctx.store.db
    .select({ value: installation.value })
    .from(installation)
    .where(eq(installation.name, row));
  if (!found) return null;
  const { at, bytes } = JSON.parse(found.value) as { at: string; bytes: number };
  return { at: new Date(at), bytes };
}
