import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { audit, type ByHand } from "@/core/audit";
import { commit, mustHaveChanged, type Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { Refusal } from "@/core/refusal";
import { type Licence, licences } from "../schema/licences";
import { sealedKey } from "./issue";
import { maskKey, randomKey } from "./keys";
import { memberChanged } from "./member-changed";

const dayMilliseconds = 86_400_000;

/** Each refuses with `license_unchanged` if the licence is in that state already. */
export type LicenceChange = "suspend" | "reinstate" | "revoke";

const past = {
  suspend: "licence.suspended",
  reinstate: "licence.reinstated",
  revoke: "licence.revoked",
} as const satisfies Record<LicenceChange, string>;

/** Suspends, reinstates or revokes a licence. */
export async function changeLicence(
  ctx: Ctx,
  licence: Pick<Licence, "id" | "accountId">,
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

/** Adds days to a timed licence, from the later of now and its expiry. Refuses a lifetime with `license_pointless`. */
export async function extendLicence(ctx: Ctx, licence: Licence, days: number, by: ByHand) {
  if (licence.days === null && licence.expiresAt === null) {
    throw new Refusal("license_pointless", { sentence: "A lifetime licence can't be extended." });
  }
  const { expiresAt } = licence;
  const from = Math.max(ctx.now().getTime(), expiresAt?.getTime() ?? 0);
  const until = expiresAt && new Date(from + days * dayMilliseconds);
  const asRead = expiresAt
    ? eq(licences.expiresAt, expiresAt)
    : and(isNull(licences.expiresAt), isNull(licences.redeemedAt));
  await commit(ctx.store, [
    ctx.store.db
      .update(licences)
      .set(until ? { expiresAt: until, endingTold: 0 } : { days: sql`${licences.days} + ${days}` })
      .where(and(eq(licences.id, licence.id), asRead)),
    mustHaveChanged("conflict"),
    memberChanged(ctx, { licenceId: licence.id }),
    audit(ctx, {
      ...by,
      action: "licence.extended",
      subject: licence.id,
      accountId: licence.accountId,
      detail: { days },
    }),
  ]);
  ctx.wake();
  return until;
}

/** Replaces a licence's key, such as a leaked one, which stops working in the same commit. Resolves to the new key. */
export async function rotateKey(ctx: Ctx, licence: Licence, by: ByHand): Promise<string> {
  const key = randomKey();
  await commit(ctx.store, [
    ctx.store.db
      .update(licences)
      .set(sealedKey(ctx, licence.id, key))
      .where(and(eq(licences.id, licence.id), eq(licences.keyHash, licence.keyHash))),
    mustHaveChanged("conflict"),
    audit(ctx, {
      ...by,
      action: "licence.key_rotated",
      subject: licence.id,
      accountId: licence.accountId,
      detail: { key: maskKey(key) },
    }),
  ]);
  return key;
}
