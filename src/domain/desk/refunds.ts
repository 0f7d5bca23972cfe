import { eq, getTableColumns, inArray } from "drizzle-orm";
import type { DeskFilters } from "@/contract/wire/desk/lists";
import type { RefundRow } from "@/contract/wire/desk/rows";
import type { Ctx } from "@/core/database/context";
import { payments } from "../schema/payments";
import { type Refund, refunds } from "../schema/refunds";
import { type Names, namesOf, staffNamed } from "./actors";
import { inOrder, type Which } from "./newest";

export const refundList = { at: refunds.createdAt, id: refunds.id };

/** The refunds that meet a filter. */
export const refundsWith = (_: Ctx, { state }: DeskFilters<"refunds">): Which => ({
  conditions: [state && eq(refunds.state, state === "failed" ? "refused" : state)],
});

/** Refunds as the desk shows them, in the order of their ids. */
export async function refundRows(ctx: Ctx, ids: string[]): Promise<RefundRow[]> {
  if (ids.length === 0) return [];
  const rows = await ctx.store.db
    .select({ ...getTableColumns(refunds), currency: payments.currency })
    .from(refunds)
    .innerJoin(payments, eq(payments.id, refunds.paymentId))
    .where(inArray(refunds.id, ids));
  const names = await namesOf(
    ctx,
    rows.flatMap(({ askedBy, decidedBy }) => [askedBy, ...(decidedBy ? [decidedBy] : [])]),
  );
  return inOrder(ids, rows).map((row) => refundRow(row, names));
}

const refundRow = (refund: Refund & { currency: string }, names: Names): RefundRow => ({
  id: refund.id,
  payment: refund.paymentId,
  amount: refund.amount,
  currency: refund.currency,
  state: refund.state === "refused" ? "failed" : refund.state,
  proposed_by: staffNamed(refund.askedBy, names),
  decided_by: refund.decidedBy === null ? null : staffNamed(refund.decidedBy, names),
  reason: refund.reason,
  created_at: refund.createdAt.toISOString(),
  decided_at: refund.decidedAt?.toISOString() ?? null,
});
