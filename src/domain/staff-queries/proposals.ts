import { eq, getTableColumns, inArray, sql } from "drizzle-orm";
import { toWire } from "@/contract/wire/to-wire";
import type { DeskFilters } from "@/contract/wire/desk/lists";
import { correctionRow, type CorrectionRow, refundRow, type RefundRow } from "@/contract/wire/desk/rows";
import type { Ctx } from "@/core/database/context";
import { accounts } from "../schema/accounts";
import { payments } from "../schema/payments";
import { refunds } from "../schema/refunds";
import { corrections } from "../schema/corrections";
import { namesOf, staffNamed } from "./actors";
import { inOrderOfIds, type RowFilter } from "./newest";
import { customerOf, redeemersOf } from "./payments";

export const refundList = { at: refunds.createdAt, id: refunds.id };

export const refundsWith = (_: Ctx, { state }: DeskFilters<"refunds">): RowFilter => ({
  conditions: [state && eq(refunds.state, state === "failed" ? "refused" : state)],
});

/** Refunds as the desk shows them, in the order of their ids. */
export async function refundRows(ctx: Ctx, ids: string[]): Promise<RefundRow[]> {
  if (ids.length === 0) return [];
  const rows = await ctx.store.db
    .select({
      ...getTableColumns(refunds),
      currency: payments.currency,
      email: payments.email,
      accountId: payments.accountId,
      username: accounts.username,
    })
    .from(refunds)
    .innerJoin(payments, eq(payments.id, refunds.paymentId))
    .leftJoin(accounts, eq(accounts.id, payments.accountId))
    .where(inArray(refunds.id, ids));
  const redeemers = await redeemersOf(ctx, guestsOf(rows));
  return (await withStaff(ctx, inOrderOfIds(ids, rows))).map((row) =>
    toWire(refundRow, {
      ...row,
      state: row.state === "refused" ? "failed" : row.state,
      email: row.email || null,
      customer: customerOf(row) ?? redeemers.get(row.paymentId) ?? null,
    }),
  );
}

const guestsOf = (rows: { accountId: string | null; paymentId: string }[]) =>
  rows.filter(({ accountId }) => accountId === null).map(({ paymentId }) => paymentId);

export const correctionList = { at: corrections.createdAt, id: corrections.id };

/** The proposed addresses that meet a filter. */
export const correctionsWith = (_: Ctx, { state }: DeskFilters<"corrections">): RowFilter => ({
  conditions: [state && eq(corrections.state, state)],
});

/** Proposed addresses as the desk shows them, in the order of their ids. */
export async function correctionRows(ctx: Ctx, ids: string[]): Promise<CorrectionRow[]> {
  if (ids.length === 0) return [];
  const presentEmail = sql<
    string | null
  >`CASE ${corrections.receiver} WHEN 1 THEN ${payments.giftEmail} ELSE ${payments.email} END`;
  const rows = await ctx.store.db
    .select({ ...getTableColumns(corrections), presentEmail })
    .from(corrections)
    .innerJoin(payments, eq(payments.id, corrections.paymentId))
    .where(inArray(corrections.id, ids));
  return (await withStaff(ctx, inOrderOfIds(ids, rows))).map((row) => toWire(correctionRow, row));
}

type ProposalRow = { paymentId: string; askedBy: string; decidedBy: string | null };

/** With the names of who proposed and who decided. */
async function withStaff<Row extends ProposalRow>(ctx: Ctx, rows: Row[]) {
  const names = await namesOf(
    ctx,
    rows.flatMap(({ askedBy, decidedBy }) => [askedBy, ...(decidedBy ? [decidedBy] : [])]),
  );
  return rows.map((row) => ({
    ...row,
    payment: row.paymentId,
    proposedBy: staffNamed(row.askedBy, names),
    decidedBy: row.decidedBy === null ? null : staffNamed(row.decidedBy, names),
  }));
}
