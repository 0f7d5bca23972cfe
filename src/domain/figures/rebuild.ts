import { and, eq, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { By } from "@/core/base/actor";
import { day, hour } from "@/contract/vocabulary/time";
import { record } from "@/core/database/audit";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { othersTurn } from "@/core/base/others-turn";
import { authorize } from "../permissions";
import { accounts } from "../schema/accounts";
import { accountSums, licenceSums, recurringSums, salesSums } from "../schema/figures";
import { licences } from "../schema/licences";
import { disputes, stripeRefunds } from "../schema/money-back";
import { payments } from "../schema/payments";
import { subscriptionRuns } from "../schema/subscriptions";
import { floorTo, spans } from "./buckets";
import { rebuildDay, rebuildStretch } from "./rebuild-stretch";

/** Checkouts of these last days all have their rows: unpaid ones are deleted later. */
const keptMilliseconds = 30 * day;

/** How much one commit computes; meanwhile the running shop's commits wait. */
const stretchMilliseconds = 2 * hour;

/**
 * Computes all sums again, some hours at a time, so that the shop can work in between. Checkouts and accounts that were
 * deleted since stay counted. Resolves to how many UTC days it checked, and on how many of them a sum was wrong.
 */
export async function rebuildFigures(ctx: Ctx, by: By): Promise<{ days: number; wrong: number }> {
  authorize(by, "figures.rebuild");
  let [days, wrong] = [0, 0];
  for (let at = await nextTime(ctx, 0); at !== null;) {
    const today = floorTo(spans.day, at);
    const before = await sumsOfDay(ctx, today);
    for (; at !== null && at < today + spans.day; at = await nextTime(ctx, at + stretchMilliseconds)) {
      at = floorTo(stretchMilliseconds, at);
      const exact = at >= ctx.now().getTime() - keptMilliseconds;
      await commit(ctx.store, rebuildStretch({ from: at, until: at + stretchMilliseconds }, { exact }));
      await othersTurn();
    }
    await commit(ctx.store, rebuildDay({ from: today, until: today + spans.day }));
    days += 1;
    if ((await sumsOfDay(ctx, today)) !== before) wrong += 1;
  }
  const written = { action: "figures.rebuilt", subject: "shop", detail: { days, wrong } } as const;
  await commit(ctx.store, [record(ctx, { ...by, ...written })]);
  return { days, wrong };
}

/** The next time at which anything happened or was counted; null after the last. */
async function nextTime({ store: { db } }: Ctx, from: number): Promise<number | null> {
  const least = async (column: SQLiteColumn, which?: SQL) => {
    const [row] = await db
      .select({ at: sql<number | null>`min(${column})` })
      .from(column.table)
      .where(and(sql`${column} >= ${from}`, which));
    return row?.at ?? null;
  };
  const ofQuarters = (
    table: typeof salesSums | typeof licenceSums | typeof accountSums | typeof recurringSums,
  ) => least(table.at, eq(table.span, spans.quarter));
  const found = await Promise.all([
    ...[salesSums, licenceSums, accountSums, recurringSums].map(ofQuarters),
    least(payments.createdAt),
    least(payments.paidAt),
    least(stripeRefunds.at, sql`status = 'succeeded'`),
    least(disputes.takenAt),
    least(disputes.returnedAt),
    least(licences.activeFrom),
    least(licences.activeUntil),
    least(accounts.createdAt),
    least(subscriptionRuns.from),
    least(subscriptionRuns.until),
  ]);
  const times = found.flatMap((at) => at ?? []);
  return times.length === 0 ? null : Math.min(...times);
}

/** The quarter-hours of a day as one text, to see whether anything changed. */
async function sumsOfDay({ store: { db } }: Ctx, at: number): Promise<string> {
  const isOfDay = (
    table: typeof salesSums | typeof licenceSums | typeof accountSums | typeof recurringSums,
  ) => sql`${table.span} = ${spans.quarter} AND ${table.at} >= ${at} AND ${table.at} < ${at + spans.day}`;
  const rows = await Promise.all([
    db.select().from(salesSums).where(isOfDay(salesSums)),
    db.select().from(licenceSums).where(isOfDay(licenceSums)),
    db.select().from(accountSums).where(isOfDay(accountSums)),
    db.select().from(recurringSums).where(isOfDay(recurringSums)),
  ]);
  return JSON.stringify(rows);
}
