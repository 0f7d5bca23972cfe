import { and, eq, sql } from "drizzle-orm";
import type { By } from "@/core/base/actor";
import { Refusal } from "@/core/base/refusal";
import { record } from "@/core/database/audit";
import { commit, mustHaveChanged, retryOnConflict, type Write } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { enqueue } from "@/core/jobs/outbox";
import { levelToGive } from "../../levels/list";
import { authorize, expectConfirmed } from "../../permissions";
import { type Licence, licences } from "../../schema/licences";
import { type Payment, payments } from "../../schema/payments";
import { type Subscription, subscriptions } from "../../schema/subscriptions";
import { licenceLevelChangedEmail } from "../emails/licence-level";
import { checkSubscriptionOf, lifetimeGainedWrites } from "./check-subscriptions";
import { queueRoleReconciliation } from "./entitlement-changed";

/**
 * Changes on how many computers at a time a licence may be used, whatever its order or its subscription's price says;
 * `offer` takes back what staff set. Refuses with `license_unchanged`. Resolves to the number.
 */
export async function changeDevices(
  ctx: Ctx,
  { id }: Pick<Licence, "id">,
  wanted: number | "offer",
  by: By,
): Promise<number> {
  authorize(by, "licence.change_devices");
  return changeTerm(ctx, id, wanted === "offer" ? null : wanted, {
    column: "devices",
    soldAs: ({ licence, ordered, billed }) => billed?.devices ?? ordered ?? licence.devices,
    set: (devices, staffDevices, staffDevicesPrice) => ({ devices, staffDevices, staffDevicesPrice }),
    unchanged: (devices) => `That licence is for ${devices} already.`,
    also: ({ licence: { accountId } }, detail) => [
      record(ctx, { ...by, action: "licence.devices_changed", subject: id, accountId, detail }),
    ],
  });
}

/**
 * Gives a licence another level, whatever its order or its subscription's price says; null takes back what staff set.
 * Its key, its computers and its place in time stay. Refuses with `license_unchanged`, and with `level_unknown` a level
 * that the shop lacks or has retired. Resolves to the level's id.
 */
export async function changeLevelOf(
  ctx: Ctx,
  { id }: Pick<Licence, "id">,
  wanted: string | null,
  by: By,
): Promise<string> {
  authorize(by, "licence.change_level");
  expectConfirmed(ctx, by, "licence.change_level");
  if (wanted !== null) await levelToGive(ctx, wanted);
  return changeTerm(ctx, id, wanted, {
    column: "level",
    soldAs: ({ licence, billed }) => billed?.level ?? licence.chain,
    set: (level, staffLevel, staffLevelPrice) => ({ level, staffLevel, staffLevelPrice }),
    unchanged: (level) => `That licence has the level ${level} already.`,
    also({ licence: { accountId, redeemedAt, expiresAt } }, detail) {
      const isLifetime = redeemedAt !== null && expiresAt === null;
      return [
        queueRoleReconciliation(ctx, { licenceId: id }),
        checkSubscriptionOf(ctx, id),
        ...(isLifetime && accountId !== null ? lifetimeGainedWrites(ctx, accountId) : []),
        ...(accountId === null ? [] : [enqueue(ctx, { topic: licenceLevelChangedEmail, subject: id })]),
        record(ctx, { ...by, action: "licence.level_changed", subject: id, accountId, detail }),
      ];
    },
  });
}

/** A licence, the computers of its order, and what it is billed by. */
type Sold = { licence: Licence; ordered: Payment["devices"] | null; billed: Subscription | null };

/** What staff may set on a licence, above what its order or its subscription's price says. */
type Term<Value extends string | number> = {
  column: "devices" | "level";
  soldAs: (sold: Sold) => Value;
  /** The columns: what it is now, what staff set, and the subscription's price that they set that on. */
  set: (now: Value, staffs: Value | null, price: string | null) => Partial<Licence>;
  unchanged: (now: Value) => string;
  also: (sold: Sold, detail: { before: Value; after: Value }) => Write[];
};

async function changeTerm<Value extends string | number>(
  ctx: Ctx,
  id: string,
  wanted: Value | null,
  { column, soldAs, set, unchanged, also }: Term<Value>,
): Promise<Value> {
  const { db } = ctx.store;
  return retryOnConflict(async () => {
    const [sold] = await db
      .select({ licence: licences, ordered: payments.devices, billed: subscriptions })
      .from(licences)
      .leftJoin(payments, eq(payments.id, licences.primaryPaymentId))
      .leftJoin(subscriptions, eq(subscriptions.id, licences.primaryPaymentId))
      .where(eq(licences.id, id));
    if (!sold) throw new Refusal("license_unknown");
    const before = sold.licence[column] as Value;
    const after = wanted ?? soldAs(sold);
    if (after === before) throw new Refusal("license_unchanged", { sentence: unchanged(after) });
    const price = wanted === null ? null : (sold.billed?.price ?? null);
    await commit(ctx.store, [
      db
        .update(licences)
        .set(set(after, wanted, price))
        .where(
          and(
            eq(licences.id, id),
            eq(licences[column], before),
            sql`${licences.accountId} IS ${sold.licence.accountId}`,
          ),
        ),
      mustHaveChanged("conflict"),
      ...also(sold, { before, after }),
    ]);
    return after;
  });
}
