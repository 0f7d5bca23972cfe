import type { Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import type { Gauge } from "@/core/metrics";
import { factOf, keepFact } from "@/core/installation";

const row = "last_backup";

/** The last backup recorded in this database. */
export type BackupNote = { at: Date; bytes: number };

export const noteBackup = (ctx: Ctx, { at, bytes }: BackupNote): Write =>
  keepFact(ctx, row, JSON.stringify({ at, bytes }));

/** Null before the first backup. */
export async function lastBackup(ctx: Ctx): Promise<BackupNote | null> {
  const kept = await factOf(ctx, row);
  if (kept === null) return null;
  const { at, bytes } = JSON.parse(kept) as { at: string; bytes: number };
  return { at: new Date(at), bytes };
}

export async function backupGauges(ctx: Ctx): Promise<Gauge[]> {
  const last = await lastBackup(ctx);
  if (!last) return [];
  const age = (ctx.now().getTime() - last.at.getTime()) / 1000;
  return [
    {
      name: "latchkey_backup_age_seconds",
      help: "How long ago the last backup was made.",
      values: [{ value: age }],
    },
    { name: "latchkey_backup_bytes", help: "How large the last backup is.", values: [{ value: last.bytes }] },
  ];
}
