import { and, inArray, isNull, lt } from "drizzle-orm";
import { day } from "@/contract/vocabulary/time";
import type { Ctx } from "@/core/database/context";
import { deleteInPages } from "@/core/database/delete-in-pages";
import { payments } from "../../schema/payments";

/** A buyer can pay a checkout for a day; thirty days later we delete it if it is unpaid. */
const keptMilliseconds = 31 * day;

/**
 * Deletes unpaid checkouts with their evidence. Should Stripe report money after all, the order is imported
 * from its seal, as after a restored backup.
 */
export async function forgetUnpaid(ctx: Ctx): Promise<void> {
  const unpaid = and(
    inArray(payments.state, ["open", "expired"]),
    lt(payments.createdAt, new Date(ctx.now().getTime() - keptMilliseconds)),
    isNull(payments.paidAt),
    isNull(payments.soldAt),
  );
  await deleteInPages(ctx, payments.id, unpaid);
}
