import { and, count, desc, eq, gte } from "drizzle-orm";
import type { Ctx } from "@/core/context";
import { factOf } from "@/core/installation";
import type { Gauge } from "@/core/metrics";
import { licences } from "../schema/licences";
import { payments } from "../schema/payments";

const hour = 3_600_000;

export const paymentGauges = async (ctx: Ctx): Promise<Gauge[]> =>
  (await Promise.all([settling(ctx), sweeping(ctx)])).flat();

/** A rush of more sales in an hour is judged by its newest. */
const mostSales = 1_000;

/** Over the last hour's sales: the time from the payment at Stripe to the stored licence. */
async function settling(ctx: Ctx): Promise<Gauge[]> {
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
    .where(and(eq(payments.state, "processing"), eq(payments.livemode, ctx.livemode)));
  return [
    {
      name: "latchkey_settle_lag_seconds",
      help: "The longest that a sale of the last hour waited for its licence.",
      values: [{ value: Math.max(0, ...lags) / 1000 }],
    },
    {
      name: "latchkey_payments_processing",
      help: "Payments that Stripe has not decided.",
      values: [{ value: processing?.value ?? 0 }],
    },
  ];
}

async function sweeping(ctx: Ctx): Promise<Gauge[]> {
  const last = await factOf(ctx, "last_sweep");
  if (last === null) return [];
  const value = (ctx.now().getTime() - Date.parse(last)) / 1000;
  const help = "How long ago the last complete comparison with Stripe began.";
  return [{ name: "latchkey_sweep_age_seconds", help, values: [{ value }] }];
}
