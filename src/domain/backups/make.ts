import type { AuditAction } from "@/contract/wire/audit-events";
import type { Actor } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { type BackupKeys, sealBackup, type SealedBackup } from "@/core/backup/backup";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { factOf, shopIdFact } from "@/core/database/key-values";
import { dropLease, holdLease } from "@/core/jobs/lease";
import { fingerprint } from "@/core/database/open-secrets";
import { Refusal } from "@/core/base/refusal";
import { expectNoCopy } from "@/core/database/restored-copy";
import type { ShopMark } from "@/core/backup/sealed-file";
import { expectFile, probe } from "@/core/database/storing";
import type { BackedUp } from "@/core/backup/snapshot";
import { clearReportWrite } from "../notices/report-once";
import { authorize } from "../permissions";
import { backupName, type BackupPlace } from "./place";
import { backupReport, notedBackup, noteBackup } from "./record";

export type BackupPlan = {
  database: BackedUp;
  keys: BackupKeys;
  /** The host of the shop's address, which distinguishes its backups from another shop's. */
  host: string;
  place: BackupPlace;
  /** How many backups to keep; null keeps all. */
  keep: number | null;
};

type BackupOptions = {
  actor: Actor;
  reason?: string;
  signal?: AbortSignal;
  progress?: (done: number, total: number) => void;
};

export type MadeBackup = SealedBackup & { name: string; place: string; removed: string[] };

/** How long a process that died during a backup blocks the next one. */
const leaseMilliseconds = 120_000;

const action = "shop.backed_up" satisfies AuditAction;

/**
 * Makes a backup, checks that it arrived whole, deletes the shop's oldest and records the new one. Refuses with
 * `conflict` while another is in progress in any process, and with `copy` on a restored copy. Throws `BackupFailed`.
 */
export async function backUp(
  ctx: Ctx,
  plan: BackupPlan,
  { actor, reason = "", ...asked }: BackupOptions,
): Promise<MadeBackup> {
  authorize(actor, "shop.back_up");
  const { place, keep, host, ...source } = plan;
  await expectNoCopy(ctx);
  expectFile(ctx.store);
  const lease = { name: "backup", holder: crypto.randomUUID(), milliseconds: leaseMilliseconds };
  if (!(await holdLease(ctx, lease))) {
    // a backup that failed on a full disk could not release its lease
    await probe(ctx.store);
    throw new Refusal("conflict", { sentence: "Another backup is in progress. Try again when it's done." });
  }
  // after a failure, further attempts follow before the lease ends
  const renew = () => void holdLease(ctx, lease).catch(() => {});
  const renewing = setInterval(renew, leaseMilliseconds / 4);
  try {
    const made = ctx.now();
    const name = backupName(made);
    const shop = await markOf(ctx, { host, secretKey: source.keys.secretKey });
    const number = await nextNumber(ctx, place, shop);
    const sealed = await sealBackup({ ...source, ...asked, made, shop, number }, (pieces) =>
      place.put(name, pieces),
    );
    const { bytes } = sealed;
    const removed = await thinOut(place, { name, bytes, keep, shop });
    await commit(ctx.store, [
      noteBackup(ctx, made, { name, place: place.name, bytes, number }),
      record(ctx, { actor, reason, action, subject: name, detail: { bytes } }),
      clearReportWrite(ctx, backupReport),
    ]);
    return { ...sealed, name, place: place.name, removed };
  } finally {
    clearInterval(renewing);
    // a full disk must not hide why the backup failed; the lease ends by time
    await dropLease(ctx, lease).catch(() => {});
  }
}

async function markOf(
  ctx: Ctx,
  { host, secretKey }: { host: string; secretKey: Uint8Array },
): Promise<ShopMark> {
  return { id: (await factOf(ctx, shopIdFact)) ?? "", host, secret: fingerprint(secretKey) };
}

/** After a restore, the place has later numbers than the database knows. */
async function nextNumber(ctx: Ctx, place: BackupPlace, { id }: ShopMark): Promise<number> {
  const there = (await place.list()).filter(({ shop }) => shop?.id === id);
  const noted = (await notedBackup(ctx))?.number ?? 0;
  return there.reduce((most, { number }) => Math.max(most, number ?? 0), noted) + 1;
}

type ThinOptions = { name: string; bytes: number; keep: number | null; shop: ShopMark };

/**
 * An incomplete backup is an error, and deletes no older one. Neither counts nor deletes another shop's backups.
 */
async function thinOut(place: BackupPlace, { name, bytes, keep, shop }: ThinOptions): Promise<string[]> {
  const all = await place.list();
  if (!all.some((one) => one.name === name && one.bytes === bytes)) {
    throw new Refusal("unavailable", { sentence: `The backup did not arrive complete at ${place.name}.` });
  }
  if (keep === null) return [];
  const old = all.filter((one) => one.shop?.id === shop.id).slice(0, -keep);
  for (const one of old) await place.remove(one.name);
  return old.map((one) => one.name);
}
