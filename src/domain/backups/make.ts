import { audit } from "@/core/audit";
import { type BackupKeys, sealBackup, type SealedBackup } from "@/core/backup";
import { commit } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { dropLease, holdLease } from "@/core/lease";
import { Refusal } from "@/core/refusal";
import type { BackedUp } from "@/core/snapshot";
import { backupName, type BackupPlace, believed } from "./place";
import { noteBackup } from "./record";

export type BackupPlan = {
  database: BackedUp;
  keys: BackupKeys;
  place: BackupPlace;
  /** How many backups to keep; null keeps all. */
  keep: number | null;
};

type Asked = {
  actor: string;
  signal?: AbortSignal;
  progress?: (done: number, total: number) => void;
};

export type MadeBackup = SealedBackup & { name: string; place: string; removed: string[] };

/** How long a process that died during a backup blocks the next one. */
const leaseMilliseconds = 120_000;

/**
 * Makes a backup, checks that it arrived whole, deletes the oldest and records the new one. Refuses with
 * `conflict` while another is in progress in any process. Throws `BackupFailed`.
 */
export async function backUp(ctx: Ctx, plan: BackupPlan, { actor, ...asked }: Asked): Promise<MadeBackup> {
  const { place, keep, ...source } = plan;
  const lease = { name: "backup", holder: crypto.randomUUID(), milliseconds: leaseMilliseconds };
  if (!(await holdLease(ctx, lease))) {
    throw new Refusal("conflict", { sentence: "Another backup is in progress. Try again when it is done." });
  }
  // a try that fails is followed by others before the lease ends
  const renew = () => void holdLease(ctx, lease).catch(() => {});
  const renewing = setInterval(renew, leaseMilliseconds / 4);
  try {
    const made = ctx.now();
    const name = backupName(made);
    const sealed = await sealBackup({ ...source, ...asked, made }, (pieces) => place.put(name, pieces));
    const removed = await thinOut(place, { name, bytes: sealed.bytes, keep, now: made });
    await commit(ctx.store, [
      noteBackup(ctx, { at: made, bytes: sealed.bytes }),
      audit(ctx, { actor, action: "shop.backed_up", subject: name, detail: { bytes: sealed.bytes } }),
    ]);
    return { ...sealed, name, place: place.name, removed };
  } finally {
    clearInterval(renewing);
    await dropLease(ctx, lease);
  }
}

type Thinning = { name: string; bytes: number; keep: number | null; now: Date };

/**
 * An incomplete backup is an error, and no older one is deleted for it. Those dated in the future neither count nor
 * are deleted, because nobody knows how old they are.
 */
async function thinOut(place: BackupPlace, { name, bytes, keep, now }: Thinning): Promise<string[]> {
  const all = await place.list();
  if (!all.some((one) => one.name === name && one.bytes === bytes)) {
    throw new Refusal("unavailable", { sentence: `The backup did not arrive complete at ${place.name}.` });
  }
  const { backups } = believed(all, now);
  const old = keep === null ? [] : backups.slice(0, -keep).map((one) => one.name);
  for (const one of old) await place.remove(one);
  return old;
}
