import { and, eq, gt, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import { day } from "@/contract/vocabulary/time";
import { type By, isOnlySupport } from "@/core/base/actor";
import { record } from "@/core/database/audit";
import { withoutIndex } from "@/core/database/without-index";
import { commit, mustHaveChanged, mustNotExist, retryOnConflict, type Write } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import { enqueue } from "@/core/jobs/outbox";
import { Refusal, refusalIn } from "@/core/base/refusal";
import { auditLog } from "@/core/database/schema";
import { shopTopics } from "../../outbox-topics";
import { type Licence, licenceExtensions, licences } from "../../schema/licences";
import { payments } from "../../schema/payments";
import { subscriptions } from "../../schema/subscriptions";
import { authorize, type Permission } from "../../permissions";
import { checkSubscriptionOf } from "./check-subscriptions";
import { versionedKey, nextVersions, putKey } from "../keys/key-versions";
import { randomKey } from "../keys/keys";
import { queueRoleReconciliation, recomputeEnds, recomputeEndsWrites } from "./entitlement-changed";
import type { Causes, Extension } from "../entitlement/time";
import { maxAddedDaysBySupport } from "@/contract/vocabulary/bounds";

/** Each refuses with `license_unchanged` if the licence is already in that state. */
export type LicenceChange = "suspend" | "reinstate" | "revoke";

const past = {
  suspend: "licence.suspended",
  reinstate: "licence.reinstated",
  revoke: "licence.revoked",
} as const satisfies Record<LicenceChange, string>;

const operations = {
  suspend: "licence.suspend",
  reinstate: "licence.reinstate",
  revoke: "licence.revoke",
} as const satisfies Record<LicenceChange, Permission>;

/** `also`: further writes for the same commit, computed again after each conflict. */
type ChangeBy = By & { also?: () => Promise<Write[]> };

/** Suspends, reinstates or revokes a licence. */
export async function changeLicence(
  ctx: Ctx,
  licence: Pick<Licence, "id" | "accountId">,
  change: LicenceChange,
  { also, ...by }: ChangeBy,
): Promise<void> {
  authorize(by, operations[change]);
  const { id, accountId } = licence;
  const set = changes[change](ctx.now());
  const writes = async () => [
    ...((await also?.()) ?? []),
    ctx.store.db
      .update(licences)
      .set(set)
      .where(and(eq(licences.id, id), isNull(licences.revokedAt), differs[change])),
    mustHaveChanged("license_unchanged"),
    ...(await recomputeEndsWrites(ctx, { licenceId: id }, (one) =>
      one.id === id ? { ...one, ...set } : one,
    )),
    queueRoleReconciliation(ctx, { licenceId: id }),
    // a suspended licence may come back, so it is billed on
    ...(change === "revoke" ? [checkSubscriptionOf(ctx, id)] : []),
    record(ctx, { ...by, action: past[change], subject: id, accountId }),
  ];
  await retryOnConflict(async () => commit(ctx.store, await writes())).catch(async (error: unknown) => {
    throw refusalIn(error)?.code === "license_unchanged" ? await unchangedRefusal(ctx, id, change) : error;
  });
}

/** The refusal that says why the licence can't be changed. */
async function unchangedRefusal({ store: { db } }: Ctx, id: string, change: LicenceChange): Promise<Refusal> {
  const [now] = await db.select().from(licences).where(eq(licences.id, id));
  return new Refusal("license_unchanged", { state: states[now?.revokedAt ? "revoke" : change] });
}

const states = { suspend: "suspended", reinstate: "not suspended", revoke: "revoked" } as const;

const changes = {
  suspend: (now: Date) => ({ suspendedAt: now }),
  reinstate: () => ({ suspendedAt: null }),
  revoke: (now: Date) => ({ revokedAt: now }),
} as const satisfies Record<LicenceChange, (now: Date) => Partial<Causes>>;

const differs = {
  suspend: isNull(licences.suspendedAt),
  reinstate: isNotNull(licences.suspendedAt),
  revoke: undefined,
} as const satisfies Record<LicenceChange, SQL | undefined>;

/**
 * Adds days to a timed licence; for a redeemed licence they begin at the later of now and the account's end. Resolves
 * to the licence's end, null before redemption. Refuses a lifetime with `license_pointless`, and with `license_ended`
 * one of a subscription that was revoked, refunded or lost.
 */
export async function extendLicence(ctx: Ctx, licence: Licence, days: number, { also, ...by }: ChangeBy) {
  authorize(by, "licence.extend");
  const { id, accountId } = licence;
  if (licence.days === null && licence.fixedEndsAt === null && licence.paidUntil === null) {
    throw new Refusal("license_pointless", { sentence: "A lifetime licence can't be extended." });
  }
  const hasFallen = licence.revokedAt !== null || ["refunded", "revoked"].includes(licence.paymentStatus);
  if (hasFallen && licence.paidUntil !== null) throw new Refusal("license_ended");
  const addedAt = ctx.now();
  const added: Extension = { id: newId(), days, addedAt, beginsAt: await beginningOf(ctx, licence, addedAt) };
  const writes = async () => {
    const moves = await recomputeEnds(ctx, { licenceId: id }, (one) =>
      one.id === id ? { ...one, extensions: [...one.extensions, added] } : one,
    );
    const [now] = await ctx.store.db.select().from(licences).where(eq(licences.id, id));
    const after = moves.ends.get(id)?.toISOString() ?? null;
    const moved = now?.redeemedAt ? { before: now.expiresAt?.toISOString() ?? null, after } : {};
    return [
      ...((await also?.()) ?? []),
      ...withinSupportsDays(ctx, id, days, by),
      // a subscription's end doesn't wait for its key to be redeemed
      ...(now?.redeemedAt || licence.paidUntil !== null
        ? [ctx.store.db.insert(licenceExtensions).values({ ...added, licenceId: id }), ...moves.writes]
        : [addToDays(ctx, id, days), mustHaveChanged("conflict")]),
      queueRoleReconciliation(ctx, { licenceId: id }),
      record(ctx, { ...by, action: "licence.extended", subject: id, accountId, detail: { days, ...moved } }),
    ];
  };
  await retryOnConflict(async () => commit(ctx.store, await writes()));
  const [extended] = await ctx.store.db.select().from(licences).where(eq(licences.id, id));
  return extended?.expiresAt ?? null;
}

/** Days that staff add to a subscription's licence begin when what is paid now runs out, or at once if it has. */
async function beginningOf(
  { store: { db } }: Ctx,
  { paidUntil, primaryPaymentId }: Licence,
  now: Date,
): Promise<Date | null> {
  if (paidUntil === null) return null;
  const [held] = await db
    .select({ paidUntil: subscriptions.paidUntil })
    .from(subscriptions)
    .where(eq(subscriptions.id, primaryPaymentId ?? ""));
  const end = held?.paidUntil ?? paidUntil;
  return end > now ? end : now;
}

/** Support may add `maxAddedDaysBySupport` days to a licence within this time. */
const supportCapWindow = 30 * day;

/** Fails the commit of support that extends a licence beyond its days with `extension_cap`; call it before recording. */
function withinSupportsDays({ store: { db }, now }: Ctx, id: string, days: number, { actor }: By): Write[] {
  if (!isOnlySupport(actor)) return [];
  const since = new Date(now().getTime() - supportCapWindow);
  const added = db
    .select({ days: sql`sum(json_extract(${auditLog.detail}, '$.days'))` })
    .from(auditLog)
    .where(
      and(
        eq(auditLog.subject, id),
        withoutIndex(
          and(
            eq(auditLog.action, "licence.extended"),
            eq(auditLog.actorRole, "support"),
            gt(auditLog.at, since),
          ),
        ),
      ),
    )
    .having(
      sql`coalesce(sum(json_extract(${auditLog.detail}, '$.days')), 0) + ${days} > ${maxAddedDaysBySupport}`,
    );
  return [mustNotExist(added, "extension_cap", {})];
}

const addToDays = ({ store: { db } }: Ctx, id: string, days: number): Write =>
  db
    .update(licences)
    .set({ days: sql`${licences.days} + ${days}` })
    .where(and(eq(licences.id, id), isNull(licences.redeemedAt)));

/**
 * Replaces a licence's key, for example a leaked one; the old key stops working in the same commit. A sold key gets its
 * next version, so that even a database filled again from Stripe does not revive the leaked key. Resolves to the new
 * key.
 */
export async function rotateKey(ctx: Ctx, licence: Licence, by: By): Promise<string> {
  authorize(by, "licence.rotate_key");
  const sold = licence.paymentId === null ? null : await nextKeyVersion(ctx, licence, licence.paymentId);
  const key = sold?.key ?? randomKey();
  await commit(ctx.store, [...(sold?.writes ?? []), ...putKey(ctx, licence, key, by)]);
  return key;
}

async function nextKeyVersion(ctx: Ctx, { paymentIndex }: Licence, paymentId: string) {
  const { db } = ctx.store;
  const [payment] = await db.select().from(payments).where(eq(payments.id, paymentId));
  if (!payment) return null;
  const { sessionId, quantity, version } = payment;
  const keyEditions = nextVersions(payment.keyEditions, quantity, [paymentIndex]);
  const writes: Write[] = [
    db
      .update(payments)
      .set({ keyEditions, version: sql`${payments.version} + 1` })
      .where(and(eq(payments.id, paymentId), eq(payments.version, version))),
    mustHaveChanged("conflict"),
    enqueue(ctx, { topic: shopTopics.keepKeyVersions, subject: paymentId }),
  ];
  return { key: versionedKey(ctx, { sessionId, keyEditions }, paymentIndex), writes };
}
