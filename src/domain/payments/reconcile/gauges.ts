import { and, count, desc, eq, gte, isNull } from "drizzle-orm";
import { hour } from "@/contract/vocabulary/time";
import type { Ctx } from "@/core/database/context";
import { factOf } from "@/core/database/key-values";
import type { Gauge } from "@/core/log/metrics";
import { licences } from "../../schema/licences";
import { payments } from "../../schema/payments";
import { countDeferred } from "./deferred-orders";
import { eventCursor } from "./progress";

export const paymentGauges = async (ctx: Ctx): Promise<Gauge[]> =>
  (await Promise.all([settlementGauges(ctx), sweepGauges(ctx)])).flat();

/** If an hour has more sales, measures only the newest. */
const mostSales = 1_000;

/** Over the last hour's sales: the time from the payment at Stripe to the stored licence. */
async function settlementGauges(ctx: Ctx): Promise<Gauge[]> {
  const now = ctx.now().getTime();
  const sales = await ctx.store.db
    .select({ issuedAt: licences.createdAt, paidAt: payments.paidAt })
    .from(licences)
    .innerJoin(payments, eq(payments.id, licences.paymentId))
    .where(gte(licences.createdAt, new Date(now - hour)))
    .orderBy(desc(licences.createdAt))
    .limit(mostSales);
  const lags = sales.map(({ issuedAt, paidAt }) => (paidAt ? issuedAt.getTime() - paidAt.getTime() : 0));
  const [processing] = await ctx.store.db
    .select({ value: count() })
    .from(payments)
    .where(
      and(eq(payments.state, "processing"), eq(payments.livemode, ctx.livemode), isNull(payments.paidAt)),
    );
  return [
    {
      name: "latchkey_settle_lag_seconds",
      help: "The longest wait for a licence among the sales of the last hour.",
      values: [{ value: Math.max(0, ...lags) / 1000 }],
    },
    {
      name: "latchkey_payments_processing",
      help: "Payments that are still pending at Stripe.",
      values: [{ value: processing?.value ?? 0 }],
    },
    {
      name: "latchkey_payments_kept",
      help: "Paid orders that wait for the newer release that wrote them.",
      values: [{ value: await countDeferred(ctx) }],
    },
  ];
}

async function sweepGauges(ctx: Ctx): Promise<Gauge[]> {
  const times = [(await eventCursor(ctx))?.readAt, await factOf(ctx, "last_sweep")].flatMap((at) => at ?? []);
  if (times.length === 0) return [];
  const value = (ctx.now().getTime() - Math.max(...times.map(Date.parse))) / 1000;
  const help = "How long ago Stripe's events, or else its lists, were last read to the end.";
  return [{ name: "latchkey_sweep_age_seconds", help, values: [{ value }] }];
}
