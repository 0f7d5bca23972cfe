import { and, eq, isNotNull, sql } from "drizzle-orm";
import { minute } from "@/contract/time";
import { application } from "@/core/actor";
import { record } from "@/core/audit";
import { commit, mustHaveChanged, type Write } from "@/core/commit";
import { retryOnConflict } from "@/core/conflict";
import type { Ctx } from "@/core/context";
import { Refusal } from "@/core/refusal";
import { logRoutine } from "../accounts/security-log";
import { accounts } from "../schema/accounts";
import { cooledDown, resetAvailableAt } from "./cooldown";
import { devices } from "../schema/devices";

export type Machine = { hwid: string; label: string; os: string; version: string };
type Device = typeof devices.$inferSelect;

/** `availableAt`: when the owner may reset the other device; null if now. */
export type Binding = { bound: true } | { bound: false; availableAt: Date | null };

/** The last use is written at most this often, so that most validations only read. */
const touchMilliseconds = minute;

/** Hardware IDs are stored as a keyed hash only. */
const hwidHash = (ctx: Ctx, hwid: string) => ctx.secrets.fingerprint("device", hwid);

/** Whether the device is the account's, and in use. */
export const isBound = (ctx: Ctx, device: Device | null, hwid: string): boolean =>
  device !== null && device.deactivatedAt === null && isSame(ctx, device, hwid);

/** Whether the device has this hardware ID, even if it was hashed under a secret that has since been replaced. */
export const isSame = (ctx: Ctx, device: Device, hwid: string) =>
  ctx.secrets.fingerprints("device", hwid).includes(device.hwidHash);

/** An account with its device and its last reset at the time of reading. */
type Owner = { accountId: string; device: Device | null; deviceResetAt: Date | null };

/**
 * Binds an account to a machine unless it is bound to another. The same machine again only updates its details. A
 * deactivated machine gives way to another, which counts as the owner's reset and so is possible every 30 days. Of
 * racing machines, one wins. Refuses with `unauthenticated` if the account is gone.
 */
export async function bind(ctx: Ctx, read: Owner, machine: Machine): Promise<Binding> {
  return retryOnConflict(async (again) => {
    const owner = again ? await ownerOf(ctx, read.accountId) : read;
    const { accountId, device } = owner;
    if (device && !isSame(ctx, device, machine.hwid)) {
      const availableAt = resetAvailableAt(owner.deviceResetAt, ctx.now());
      if (device.deactivatedAt === null || availableAt) return { bound: false, availableAt };
    }
    // fails if another machine came first, or the account is gone
    await commit(ctx.store, writes(ctx, accountId, machine, device));
    return { bound: true };
  });
}

async function ownerOf(ctx: Ctx, accountId: string): Promise<Owner> {
  const { db } = ctx.store;
  const [owner] = await db
    .select({ deviceResetAt: accounts.deviceResetAt, device: devices })
    .from(accounts)
    .leftJoin(devices, eq(devices.accountId, accounts.id))
    .where(eq(accounts.id, accountId));
  if (!owner) throw new Refusal("unauthenticated");
  return { accountId, ...owner };
}

function writes(ctx: Ctx, accountId: string, machine: Machine, device: Device | null): Write[] {
  const { db } = ctx.store;
  const now = ctx.now();
  const { label, os, version } = machine;
  const seen = {
    hwidHash: hwidHash(ctx, machine.hwid),
    label,
    os,
    version,
    lastSeenAt: now,
    deactivatedAt: null,
  };
  const log = (action: "device.bound" | "device.moved") =>
    record(ctx, { actor: application(accountId), action, subject: accountId, accountId });
  if (!device) {
    const row = { accountId, firstSeenAt: now, ...seen };
    return [
      // the account may have been erased meanwhile
      db
        .update(accounts)
        .set({ deviceResetAt: sql`${accounts.deviceResetAt}` })
        .where(eq(accounts.id, accountId)),
      mustHaveChanged("conflict"),
      db.insert(devices).values(row).onConflictDoNothing(),
      mustHaveChanged("conflict"),
      log("device.bound"),
    ];
  }
  const mine = and(eq(devices.accountId, accountId), eq(devices.hwidHash, device.hwidHash));
  if (isSame(ctx, device, machine.hwid)) {
    return [db.update(devices).set(seen).where(mine), mustHaveChanged("conflict")];
  }
  return [
    db
      .update(devices)
      .set({ firstSeenAt: now, ...seen })
      .where(and(mine, isNotNull(devices.deactivatedAt))),
    mustHaveChanged("conflict"),
    db
      .update(accounts)
      .set({ deviceResetAt: now })
      .where(and(eq(accounts.id, accountId), cooledDown(now))),
    mustHaveChanged("conflict"),
    log("device.moved"),
  ];
}

/**
 * Deactivates the bound machine. The binding stays until another machine takes its place, so that deactivating
 * doesn't get around the 30 days between resets.
 */
export async function deactivate(ctx: Ctx, device: Device): Promise<void> {
  const { accountId } = device;
  await commit(ctx.store, [
    ctx.store.db
      .update(devices)
      .set({ deactivatedAt: ctx.now() })
      .where(and(eq(devices.accountId, accountId), eq(devices.hwidHash, device.hwidHash))),
    ...logRoutine(ctx, { code: "device.deactivated", accountId }),
  ]);
}

/** Records when the bound machine was last seen, and its version. */
export async function noteSeen(
  ctx: Ctx,
  device: Device,
  { hwid, version }: Pick<Machine, "hwid" | "version">,
): Promise<void> {
  const now = ctx.now();
  const recent = now.getTime() - device.lastSeenAt.getTime() < touchMilliseconds;
  const hash = hwidHash(ctx, hwid);
  if (recent && device.version === version && device.hwidHash === hash) return;
  await ctx.store.db
    .update(devices)
    .set({ lastSeenAt: now, version, hwidHash: hash })
    .where(and(eq(devices.accountId, device.accountId), eq(devices.hwidHash, device.hwidHash)));
}

/** The account's device as its owner sees it; null if none is bound. */
export async function deviceOf(ctx: Ctx, accountId: string): Promise<Device | null> {
  const [device] = await ctx.store.db.select().from(devices).where(eq(devices.accountId, accountId));
  return device ?? null;
}
