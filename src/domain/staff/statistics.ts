import { and, count, eq, gte, isNotNull, isNull, lte, ne, type SQL, sql, sum } from "drizzle-orm";
import type { Ctx } from "@/core/context";
import { accounts } from "../accounts/tables";
import { links } from "../community/tables";
import { entitles } from "../licences/entitlement";
import { licences } from "../licences/tables";
import { payments } from "../payments/tables";
import { statsOf } from "../tickets/stats";
import { countRows } from "./every-row";

const dayMilliseconds = 86_400_000;
const soonDays = 7;

/** How the shop does. Money in minor units, by currency; sales by days of UTC, those without a sale left out. */
export async function statistics(ctx: Ctx, days: number) {
  const [sales, states, disputes, licenceCounts, tickets] = await Promise.all([
    salesByDay(ctx, new Date(ctx.now().getTime() - days * dayMilliseconds)),
    counted(
      ctx.store.db.select({ name: payments.state, value: count() }).from(payments).groupBy(payments.state),
    ),
    counted(
      ctx.store.db
        .select({ name: payments.disputeStatus, value: count() })
        .from(payments)
        .where(isNotNull(payments.disputeStatus))
        .groupBy(payments.disputeStatus),
    ),
    countLicences(ctx),
    statsOf(ctx),
  ]);
  return {
    sales,
    payments: states,
    disputes,
    accounts: await countRows(ctx, accounts),
    licences: licenceCounts,
    connected_to_discord: await countRows(ctx, links),
    tickets: {
      open: tickets.open,
      waiting_for_staff: tickets.waiting,
      opened_in_30_days: tickets.opened,
      first_answer_seconds:
        tickets.firstAnswerMilliseconds === null ? null : Math.round(tickets.firstAnswerMilliseconds / 1000),
      stars: tickets.stars.average,
    },
  };
}

const salesByDay = (ctx: Ctx, since: Date) =>
  ctx.store.db
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

async function countLicences(ctx: Ctx) {
  const now = ctx.now();
  const of = (which?: SQL) => countRows(ctx, licences, which);
  const soon = new Date(now.getTime() + soonDays * dayMilliseconds);
  return {
    issued: await of(),
    redeemed: await of(isNotNull(licences.redeemedAt)),
    active: await of(entitles(now)),
    ending_in_7_days: await of(and(entitles(now), lte(licences.expiresAt, soon))),
    expired: await of(and(isNull(licences.revokedAt), lte(licences.expiresAt, now))),
    suspended: await of(and(isNull(licences.revokedAt), isNotNull(licences.suspendedAt))),
    revoked: await of(isNotNull(licences.revokedAt)),
    disputed: await of(eq(licences.paymentStanding, "disputed")),
    taken_back_with_the_payment: await of(
      and(ne(licences.paymentStanding, "good"), ne(licences.paymentStanding, "disputed")),
    ),
  };
}

type Counted = { name: string | null; value: number };

const counted = async (query: PromiseLike<Counted[]>): Promise<Record<string, number>> =>
  Object.fromEntries((await query).map(({ name, value }) => [name ?? "", value]));
