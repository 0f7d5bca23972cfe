import { and, eq, isNotNull, or } from "drizzle-orm";
import type { Ctx } from "@/core/context";
import { payments } from "../schema/payments";

/** Whether an account has had a trial, or was refused a second one. It can still subscribe, without a trial. */
export async function hadTrial({ store, livemode }: Ctx, accountId: string): Promise<boolean> {
  const rows = await store.db
    .select({ id: payments.id })
    .from(payments)
    .where(
      and(
        isNotNull(payments.trialDays),
        eq(payments.accountId, accountId),
        or(isNotNull(payments.soldAt), eq(payments.state, "failed")),
        eq(payments.livemode, livemode),
      ),
    )
    .limit(1);
  return rows.length > 0;
}
