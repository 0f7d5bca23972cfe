import { and, eq, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { By } from "@/core/actor";
import { day } from "@/contract/time";
import { record } from "@/core/audit";
import { commit } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { othersTurn } from "@/core/others-turn";
import { authorize } from "../permissions";
import { accounts } from "../schema/accounts";
import { accountSums, licenceSums, salesSums } from "../schema/figures";
import { licences } from "../schema/licences";
import { disputes, stripeRefunds } from "../schema/money-back";
import { payments } from "../schema/payments";
import { floorTo, spans } from "./buckets";
import { rebuildAccounts, rebuildLicences, rebuildSales } from "./rebuild-day";

/** Checkouts of the last days all have their row still: unpaid ones are deleted later. */
const keptMilliseconds = 30 * day;

/**
 * Computes all sums again, a UTC day at a time, so that requests are served in between: exactly where the rows of the
 * facts are still there, while checkouts and accounts that were deleted since stay as counted. Resolves to how many days
 * it looked at, and on how many of them a sum was wrong.
 */
export async function rebuildFigures(ctx: Ctx, by: By): Promise<{ days: number; wrong: number }> {
  authorize(by, "figures.rebuild");
  let [days, wrong] = [0, 0];
  for (let at = await nextDay(ctx, 0); at !== null; at = await nextDay(ctx, at + spans.day)) {
    const before = await sumsOfDay(ctx, at);
    const exact = at >= ctx.now().getTime() - keptMilliseconds;
    const stretch = { from: at, until: at + spans.day };
    await commit(ctx.store, [
      ...rebuildSales(stretch, { exact }),
      ...rebuildLicences(stretch),
      ...rebuildAccounts(stretch),
    ]);
    days += 1;
    if ((await sumsOfDay(ctx, at)) !== before) wrong += 1;
    await othersTurn();
  }
  const written = { action: "figures.rebuilt", subject: "shop", detail: { days, wrong } } as const;
  await commit(ctx.store, [record(ctx, { ...by, ...written })]);
  return { days, wrong };
}

/** The next UTC day on which anything happened or was summed; null after the last. */
async function nextDay({ store: { db } }: Ctx, from: number): Promise<number | null> {
  const least = async (column: SQLiteColumn, which?: SQL) => {
    const [row] = await db
      .select({ at: sql<number | null>`min(${column})` })
      .from(column.table)
      .where(and(sql`${column} >= ${from}`, which));
    return row?.at ?? null;
  };
  const ofDays = (table: typeof salesSums | typeof licenceSums | typeof accountSums) =>
    least(table.at, eq(table.span, spans.day));
  const found = await Promise.all([
    ...[salesSums, licenceSums, accountSums].map(ofDays),
    least(payments.createdAt),
    least(payments.paidAt),
    least(stripeRefunds.at, sql`status = 'succeeded'`),
    least(disputes.takenAt),
    least(disputes.returnedAt),
    least(licences.activeFrom),
    least(licences.activeUntil),
    least(accounts.createdAt),
  ]);
  const times = found.flatMap((at) => at ?? []);
  return times.length === 0 ? null : floorTo(spans.day, Math.min(...times));
}

/** The quarter-hours of a day as one text, to see whether anything changed. */
async function sumsOfDay({ store: { db } }: Ctx, at: number): Promise<string> {
  const isOfDay = (table: typeof salesSums | typeof licenceSums | typeof accountSums) =>
    sql`${table.span} = ${spans.quarter} AND ${table.at} >= ${at} AND ${table.at} < ${at + spans.day}`;
  const rows = await Promise.all([
    db.select().from(salesSums).where(isOfDay(salesSums)),
    db.select().from(licenceSums).where(isOfDay(licenceSums)),
    db.select().from(accountSums).where(isOfDay(accountSums)),
  ]);
  return JSON.stringify(rows);
}
