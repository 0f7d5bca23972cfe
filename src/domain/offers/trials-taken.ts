import { and, eq, inArray, isNotNull, or, type SQL } from "drizzle-orm";
import type { Ctx } from "@/core/database/context";
import { orderedBy } from "../licences/entitlement/buyer";
import { licences } from "../schema/licences";
import { payments } from "../schema/payments";

/** The failure reason of a second trial. */
export const trialTakenBefore = "The free trial was taken before.";

/** The account, if signed in, and the hashes of the browser's checkout marks. */
export type Shopper = { accountId: string | null; browserHashes: string[] };

/**
 * Whether an account or a browser has had a trial, or was refused a second one. It can still subscribe, without a
 * trial.
 */
export async function hadTrial(
  { store: { db }, livemode }: Ctx,
  { accountId, browserHashes }: Shopper,
): Promise<boolean> {
  const theirs = or(
    accountId === null ? undefined : isOfAccount(db, accountId),
    browserHashes.length === 0 ? undefined : inArray(payments.browserHash, browserHashes),
  );
  if (!theirs) return false;
  const rows = await db
    .select({ id: payments.id })
    .from(payments)
    .where(
      and(
        isNotNull(payments.trialDays),
        theirs,
        or(isNotNull(payments.soldAt), eq(payments.failureReason, trialTakenBefore)),
        eq(payments.livemode, livemode),
      ),
    )
    .limit(1);
  return rows.length > 0;
}

/** The payments that an account made, by its address too once that is confirmed, and the subscriptions that it redeemed. */
export function isOfAccount(db: Ctx["store"]["db"], accountId: string): SQL | undefined {
  const redeemed = db
    .select({ id: licences.primaryPaymentId })
    .from(licences)
    .where(and(eq(licences.accountId, accountId), isNotNull(licences.paidUntil)));
  return or(orderedBy(db, accountId), inArray(payments.id, redeemed));
}
