import { and, count, eq, gte, isNotNull, sql } from "drizzle-orm";
import type { Ctx } from "@/core/context";
import { factOf } from "@/core/installation";
import type { Gauge } from "@/core/metrics";
import { licences } from "../schema/licences";
import { payments } from "../schema/payments";

const hour = 3_600_000;
const day = 24 * hour;

export const paymentGauges = async (ctx: Ctx): Promise<Gauge[]> =>
  (await Promise.all([settling(ctx), sweeping(ctx)])).flat();

/** Over the last hour's sales: the time from the payment at Stripe to the stored licence. */
async function settling(ctx: Ctx): Promise<Gauge[]> {
  const now = ctx.now().getTime();
  const [lag] = await ctx.store.db
    .select({ worst: sql<number | null>`max(${licences.createdAt} - ${payments.paidAt})` })
    .from(payments)
    .innerJoin(licences, eq(licences.paymentId, payments.id))
    .where(
      and(
        gte(payments.createdAt, new Date(now - day)),
        isNotNull(payments.paidAt),
        gte(licences.createdAt, new Date(now - hour)),
      ),
    );
  const [processing] = await ctx.store.db
    .select({ value: count() })
    .from(payments)
    .where(and(eq(payments.state, "processing"), eq(payments.livemode, ctx.livemode)));
  return [
    {
      name: "latchkey_settle_lag_seconds",
      help: "The longest that a sale of the last hour waited for its licence.",
      values: [{ value: Math.max(0, lag?.worst ?? 0) / 1000 }],
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
