import { and, desc, eq, getTableColumns, sql } from "drizzle-orm";
import type { OwnLicenceStatus } from "@/contract/wire/licences";
import type { Ctx } from "@/core/database/context";
import { olderThan, type Place } from "@/core/database/pages";
import { type LicenceStatus, wireStatus, statusOf } from "../entitlement/entitlement";
import type { LevelName } from "../../levels/ladder";
import { levelNameIn } from "../../levels/list";
import { keyOf } from "../keys/issue";
import { type Licence, licences } from "../../schema/licences";
import { payments } from "../../schema/payments";
import { subscriptions } from "../../schema/subscriptions";

export type OwnLicence = {
  id: string;
  key: string;
  type: string;
  level: LevelName;
  active: boolean;
  disputed: boolean;
  redeemedAt: Date | null;
  expiresAt: Date | null;
  status: OwnLicenceStatus;
  /** The id in the owner's list of payments; null if nobody bought the licence. */
  paymentId: string | null;
  /** Null if no subscription pays for it. */
  subscription: string | null;
  /** When that subscription is charged next; the end comes days later, because the charge may take some. */
  renewsAt: Date | null;
};

/** A page of an account's licences: begins after this place, null for the newest redemptions. */
export type LicencePage = { after: Place | null; most: number };

/** A page of an account's licences as they are stored, newest redemption first. */
export const licencesOfAccount = (
  ctx: Ctx,
  accountId: string,
  { after, most }: LicencePage,
): Promise<Licence[]> =>
  ctx.store.db
    .select()
    .from(licences)
    .where(and(eq(licences.accountId, accountId), olderThan(after, licences.redeemedAt, licences.id)))
    .orderBy(desc(licences.redeemedAt), desc(licences.id))
    .limit(most);

export const placeOfLicence = ({ id, redeemedAt }: Pick<Licence, "id" | "redeemedAt">): Place => ({
  // an account has only licences that it redeemed
  at: redeemedAt ?? new Date(0),
  id,
});

/** A page of an account's licences as their owner sees them, newest redemption first. */
export async function licencesOf(
  ctx: Ctx,
  accountId: string,
  { after, most }: LicencePage,
): Promise<OwnLicence[]> {
  const rows = await ctx.store.db
    .select({
      ...getTableColumns(licences),
      levelName: levelNameIn(licences.level),
      payment: sql<string | null>`coalesce(${payments.intentId}, ${payments.id})`,
      renewsAt: subscriptions.renewsAt,
    })
    .from(licences)
    .leftJoin(payments, eq(payments.id, licences.paymentId))
    .leftJoin(subscriptions, eq(subscriptions.id, licences.primaryPaymentId))
    .where(and(eq(licences.accountId, accountId), olderThan(after, licences.redeemedAt, licences.id)))
    .orderBy(desc(licences.redeemedAt), desc(licences.id))
    .limit(most);
  return rows.map((row) => {
    const status = ownStatus(statusOf(ctx, row));
    return {
      id: row.id,
      key: keyOf(ctx, row),
      type: row.level,
      level: { id: row.level, name: row.levelName },
      active: status === "active",
      disputed: row.paymentStatus === "disputed",
      redeemedAt: row.redeemedAt,
      expiresAt: row.expiresAt,
      status,
      paymentId: row.payment,
      subscription: row.paidUntil === null ? null : row.primaryPaymentId,
      renewsAt: row.renewsAt,
    };
  });
}

function ownStatus(status: LicenceStatus): OwnLicenceStatus {
  const sent = wireStatus(status);
  if (sent === "unredeemed") throw new Error("an account holds no unredeemed licence");
  return sent;
}
