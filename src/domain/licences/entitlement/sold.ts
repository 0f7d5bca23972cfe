import { and, asc, inArray, lt } from "drizzle-orm";
import { maxKeysPerOrder } from "@/contract/vocabulary/bounds";
import type { Ctx } from "@/core/database/context";
import { type Licence, licences } from "../../schema/licences";

/** The licences that payments sold, in the order of their keys; at most `most` of each payment. */
export async function licencesSoldBy(
  ctx: Ctx,
  paymentIds: string[],
  most = maxKeysPerOrder,
): Promise<Map<string, Licence[]>> {
  if (paymentIds.length === 0) return new Map();
  const rows = await ctx.store.db
    .select()
    .from(licences)
    .where(and(inArray(licences.paymentId, paymentIds), lt(licences.paymentIndex, most)))
    .orderBy(asc(licences.paymentId), asc(licences.paymentIndex));
  return Map.groupBy(rows, ({ paymentId }) => paymentId ?? "");
}

export const licencesOfPayment = async (ctx: Ctx, paymentId: string): Promise<Licence[]> =>
  (await licencesSoldBy(ctx, [paymentId])).get(paymentId) ?? [];
