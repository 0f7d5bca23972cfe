import { and, eq, isNotNull, isNull } from "drizzle-orm";
import { brand } from "@/brand/brand";
import { audit, type ByHand } from "@/core/audit";
import { commit, mustHaveChanged, type Write } from "@/core/commit";
import { type Ctx, newId } from "@/core/context";
import { devices } from "../schema/devices";
import { issue } from "../licences/issue";
import { maskKey, randomKey } from "../licences/keys";
import { memberChanged } from "../licences/member-changed";
import { licences } from "../schema/licences";

/** A new licence without a payment; for so many days, or null for a lifetime. Resolves to its key. */
export async function handOut(ctx: Ctx, days: number | null, by: ByHand): Promise<string> {
  const key = randomKey();
  await commit(ctx.store, issuedByHand(ctx, { key, type: brand.premium.type, days }, by));
  return key;
}

type Made = { key: string; type: string; days: number | null };

/** The writes of a licence without a payment, and of how it came to be. */
export function issuedByHand(
  ctx: Ctx,
  made: Made,
  by: ByHand,
  action: "licence.issued" | "licence.imported" = "licence.issued",
): Write[] {
  const id = newId();
  const detail = { key: maskKey(made.key), days: made.days };
  return [issue(ctx, { ...made, id }), audit(ctx, { ...by, action, subject: id, detail })];
}

/** Each of them refuses with `license_unchanged` when the licence is that already. */
export type LicenceChange = "suspend" | "reinstate" | "revoke";

const past = {
  suspend: "licence.suspended",
  reinstate: "licence.reinstated",
  revoke: "licence.revoked",
} as const satisfies Record<LicenceChange, string>;

/** Takes a licence away for a time or for good, or gives a suspended one back. */
export async function changeLicence(
  ctx: Ctx,
  licence: Pick<typeof licences.$inferSelect, "id" | "accountId">,
  change: LicenceChange,
  by: ByHand,
): Promise<void> {
  await commit(ctx.store, [
    changed(ctx, licence.id, change),
    mustHaveChanged("license_unchanged"),
    memberChanged(ctx, { licenceId: licence.id }),
    audit(ctx, { ...by, action: past[change], subject: licence.id, accountId: licence.accountId }),
  ]);
  ctx.wake();
}

function changed(ctx: Ctx, id: string, change: LicenceChange): Write {
  const update = (set: Partial<typeof licences.$inferInsert>) => ctx.store.db.update(licences).set(set);
  const notRevoked = and(eq(licences.id, id), isNull(licences.revokedAt));
  if (change === "revoke") return update({ revokedAt: ctx.now() }).where(notRevoked);
  if (change === "suspend") {
    return update({ suspendedAt: ctx.now() }).where(and(notRevoked, isNull(licences.suspendedAt)));
  }
  return update({ suspendedAt: null }).where(and(notRevoked, isNotNull(licences.suspendedAt)));
}

/** Unbinds an account's device; it neither needs nor starts the owner's cooldown. Refuses with `hwid_not_set`. */
export async function unbindDevice(ctx: Ctx, accountId: string, by: ByHand): Promise<void> {
  await commit(ctx.store, [
    ctx.store.db.delete(devices).where(eq(devices.accountId, accountId)),
    mustHaveChanged("hwid_not_set"),
    audit(ctx, { ...by, action: "device.reset_by_staff", subject: accountId, accountId }),
  ]);
}
