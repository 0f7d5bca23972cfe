import { and, eq, getTableColumns, inArray, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import type { orderResource as shape } from "@/contract/webhooks";
import type { Ctx } from "@/core/context";
import { billOf } from "../bills/bill";
import { offerOf } from "../payments/checkout/order-terms";
import { outcomeOf } from "../payments/view/list";
import { type Payment, payments } from "../schema/payments";

/** An order as other systems are told of it, in webhooks and look-ups. */
export type OrderResource = z.infer<typeof shape>;

/** One order by our own id of its payment; null where {@link orderResources} has none. */
export const orderResource = async (ctx: Ctx, paymentId: string): Promise<OrderResource | null> =>
  (await orderResources(ctx, [paymentId])).get(paymentId) ?? null;

/**
 * Orders by our own ids of their payments, in one query. One is missing while Stripe has told no outcome of its
 * checkout, or if it was made in the other Stripe mode, whose money isn't real or isn't ours to count.
 */
export async function orderResources(ctx: Ctx, paymentIds: string[]): Promise<Map<string, OrderResource>> {
  if (paymentIds.length === 0) return new Map();
  const rows = await ctx.store.db
    .select(getTableColumns(payments))
    .from(payments)
    .where(and(inArray(payments.id, paymentIds), isOrder(ctx)));
  return new Map(rows.map((payment) => [payment.id, orderOf(payment)]));
}

/** As a condition on `payments`; the condition of an index too. */
const isOrder = ({ livemode }: Pick<Ctx, "livemode">): SQL | undefined =>
  and(eq(payments.livemode, livemode), sql`${payments.state} <> 'open'`);

function orderOf(payment: Payment): OrderResource {
  const { currency, paid, refunded } = billOf(payment);
  return {
    order: payment.intentId ?? payment.id,
    account: payment.accountId,
    email: payment.email,
    offer: offerOf(payment).offer,
    quantity: payment.quantity,
    currency,
    paid,
    refunded,
    state: outcomeOf(payment).state,
  };
}
