import { and, count, desc, eq, gte, isNotNull, or, sql, sum } from "drizzle-orm";
import type { Ctx } from "@/core/context";
import { auditLog, outbox } from "@/core/tables";
import { accounts } from "../accounts/tables";
import { links } from "../community/tables";
import { entitles } from "../licences/entitlement";
import { licences } from "../licences/tables";
import { payments } from "../payments/tables";

/** What the audit log says, newest first; of one subject or account where one is named. */
export const auditTrail = (ctx: Ctx, wanted: { about?: string; limit: number }) =>
  ctx.store.db
    .select()
    .from(auditLog)
    .where(
      wanted.about ? or(eq(auditLog.subject, wanted.about), eq(auditLog.accountId, wanted.about)) : undefined,
    )
    .orderBy(desc(auditLog.id))
    .limit(wanted.limit);

/** When the last backup was made, or null before the first. */
export async function lastBackup(ctx: Ctx): Promise<Date | null> {
  const [row] = await ctx.store.db
    .select({ at: auditLog.at })
    .from(auditLog)
    .where(eq(auditLog.action, "shop.backed_up"))
    .orderBy(desc(auditLog.id))
    .limit(1);
  return row?.at ?? null;
}

/** Work that waits to leave the process, what failed most first. */
export const waitingWork = (ctx: Ctx, limit: number) =>
  ctx.store.db
    .select({
      topic: outbox.topic,
      subject: outbox.subject,
      attempts: outbox.attempts,
      createdAt: outbox.createdAt,
      dueAt: outbox.dueAt,
      lastError: outbox.lastError,
    })
    .from(outbox)
    .orderBy(desc(outbox.attempts), outbox.createdAt)
    .limit(limit);

/** How the shop does. Money in minor units, by currency. */
export async function statistics(ctx: Ctx, days: number) {
  const { db } = ctx.store;
  const since = new Date(ctx.now().getTime() - days * 86_400_000);
  const sales = await db
    .select({
      day: sql<string>`date(${payments.paidAt} / 1000, 'unixepoch')`.as("day"),
      currency: payments.currency,
      sold: count(),
      amount: sum(payments.amount).mapWith(Number),
      refunded: sum(payments.refundedAmount).mapWith(Number),
    })
    .from(payments)
    .where(and(isNotNull(payments.paidAt), gte(payments.paidAt, since)))
    .groupBy(sql`day`, payments.currency)
    .orderBy(sql`day`);
  const states = await db
    .select({ state: payments.state, value: count() })
    .from(payments)
    .groupBy(payments.state);
  return {
    sales,
    payments: Object.fromEntries(states.map(({ state, value }) => [state, value])),
    accounts: await number(db.select({ value: count() }).from(accounts)),
    licences: {
      issued: await number(db.select({ value: count() }).from(licences)),
      redeemed: await number(
        db.select({ value: count() }).from(licences).where(isNotNull(licences.redeemedAt)),
      ),
      active: await number(db.select({ value: count() }).from(licences).where(entitles(ctx.now()))),
    },
    connected_to_discord: await number(db.select({ value: count() }).from(links)),
  };
}

const number = async (query: PromiseLike<{ value: number }[]>) => (await query)[0]?.value ?? 0;
