import { and, count, eq, isNotNull, isNull, lte, notInArray, type SQL, sql } from "drizzle-orm";
import { day } from "@/contract/vocabulary/time";
import { operator } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { accounts } from "../schema/accounts";
import { links } from "../schema/discord";
import { dayIn } from "../figures/buckets";
import { salesByDay } from "../figures/sales-by-day";
import { subscriptionFigures } from "../figures/subscriptions";
import { entitles, isUnhindered } from "../licences/entitlement/entitlement";
import { licences } from "../schema/licences";
import { payments } from "../schema/payments";
import { ticketStatistics } from "../tickets/reading/queries";

const soonDays = 7;

/**
 * The shop's figures. Money in minor units by currency; sales by day of the shop's time zone, and subscriptions, are
 * as the desk shows them.
 */
export async function shopStatistics(ctx: Ctx, days: number) {
  const [sales, states, disputes, licenceCounts, tickets] = await Promise.all([
    salesByDay(ctx, operator, days),
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
    ticketStatistics(ctx),
  ]);
  const from = dayIn(ctx.timeZone, ctx.now(), 1 - days);
  return {
    sales,
    subscriptions: await subscriptionFigures(ctx, operator, { from }),
    payments: states,
    disputes,
    accounts: await ctx.store.db.$count(accounts),
    licences: licenceCounts,
    connected_to_discord: await ctx.store.db.$count(links),
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

async function countLicences(ctx: Ctx) {
  const now = ctx.now();
  const soon = new Date(now.getTime() + soonDays * day);
  const [counts] = await ctx.store.db
    .select({
      issued: count(),
      redeemed: countOf(isNotNull(licences.redeemedAt)),
      active: countOf(entitles(ctx, now)),
      ending_in_7_days: countOf(entitles(ctx, now), lte(licences.expiresAt, soon)),
      expired: countOf(isUnhindered(ctx), lte(licences.expiresAt, now)),
      suspended: countOf(isNull(licences.revokedAt), isNotNull(licences.suspendedAt)),
      revoked: countOf(isNotNull(licences.revokedAt)),
      disputed: countOf(eq(licences.paymentStatus, "disputed")),
      taken_back_with_the_payment: countOf(notInArray(licences.paymentStatus, ["good", "disputed"])),
    })
    .from(licences);
  // an aggregate without groups returns one row
  return counts!;
}

/** How many rows meet all conditions. */
const countOf = (...all: (SQL | undefined)[]) => sql<number>`count(CASE WHEN ${and(...all)} THEN 1 END)`;

type CountedValue = { name: string | null; value: number };

const counted = async (query: PromiseLike<CountedValue[]>): Promise<Record<string, number>> =>
  Object.fromEntries((await query).map(({ name, value }) => [name ?? "", value]));
