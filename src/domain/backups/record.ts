import type { Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import type { Gauge } from "@/core/log/metrics";
import { isFuture } from "./place";
import { factOf, keepFact } from "@/core/database/key-values";

const row = "last_backup";
/** Names the report to staff of a backup that failed, made once until one succeeds. */
export const backupReport = "backup";

/** The last backup recorded in this database. */
export type BackupNote = { at: Date; bytes: number; number: number; file: BackupFile };
export type BackupFile = { name: string; place: string };

type NewBackup = BackupFile & { bytes: number; number: number };
export const noteBackup = (ctx: Ctx, at: Date, backup: NewBackup): Write =>
  keepFact(ctx, row, JSON.stringify({ at, ...backup }));

/** Null before the first backup. Ignores a backup dated in the future: a wrong clock dated it. */
export async function lastBackup(ctx: Ctx): Promise<BackupNote | null> {
  const noted = await notedBackup(ctx);
  return noted && isFuture(noted.at, ctx.now()) ? null : noted;
}

/** The last backup as recorded, whatever its date. */
export async function notedBackup(ctx: Ctx): Promise<BackupNote | null> {
  const kept = await factOf(ctx, row);
  if (kept === null) return null;
  const { at, bytes, number, name, place } = JSON.parse(kept) as RecordedBackup;
  return { at: new Date(at), bytes, number, file: { name, place } };
}

type RecordedBackup = NewBackup & { at: string };

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
