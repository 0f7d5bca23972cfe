import type { Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import type { Gauge } from "@/core/metrics";
import { isFuture } from "./place";
import { factOf, keepFact } from "@/core/installation";

const row = "last_backup";

/** The last backup recorded in this database. */
export type BackupNote = { at: Date; bytes: number; number: number };

export const noteBackup = (ctx: Ctx, { at, bytes, number }: BackupNote): Write =>
  keepFact(ctx, row, JSON.stringify({ at, bytes, number }));

/** Null before the first backup. One dated in the future was made while the clock was wrong, and counts as none. */
export async function lastBackup(ctx: Ctx): Promise<BackupNote | null> {
  const noted = await notedBackup(ctx);
  return noted && isFuture(noted.at, ctx.now()) ? null : noted;
}

/** The last backup as it was noted, whatever the clock said then. */
export async function notedBackup(ctx: Ctx): Promise<BackupNote | null> {
  const kept = await factOf(ctx, row);
  if (kept === null) return null;
  // earlier releases kept no number
  const { at, bytes, number = 0 } = JSON.parse(kept) as { at: string; bytes: number; number?: number };
  return { at: new Date(at), bytes, number };
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
