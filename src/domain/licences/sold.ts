import { asc, inArray } from "drizzle-orm";
import type { Ctx } from "@/core/context";
import { type Licence, licences } from "../schema/licences";

/** The licences that payments sold, in the order of their keys. */
export async function licencesSoldBy(ctx: Ctx, paymentIds: string[]): Promise<Map<string, Licence[]>> {
  if (paymentIds.length === 0) return new Map();
  const rows = await ctx.store.db
    .select()
    .from(licences)
    .where(inArray(licences.paymentId, paymentIds))
    .orderBy(asc(licences.paymentIndex));
  return Map.groupBy(rows, ({ paymentId }) => paymentId ?? "");
}

/** The licences of one payment. */
export const licencesOfPayment = async (ctx: Ctx, paymentId: string): Promise<Licence[]> =>
  (await licencesSoldBy(ctx, [paymentId])).get(paymentId) ?? [];
