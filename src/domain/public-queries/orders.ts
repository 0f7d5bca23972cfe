import { and, eq, getTableColumns, inArray, isNotNull, or, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import { addressKey } from "@/contract/vocabulary/addresses";
import { toWire } from "@/contract/wire/to-wire";
import { orderResource as shape } from "@/contract/wire/webhooks";
import type { Ctx } from "@/core/database/context";
import { billOf } from "../bills/bill";
import { levelOf, offerOf } from "../payments/port/order-terms";
import { paymentOutcome } from "../payments/reading/payments";
import { accounts } from "../schema/accounts";
import { hasOutcome } from "../schema/changes";
import { type Payment, payments } from "../schema/payments";
import { type ChangesQuery, changedAfter, oldestChangeFirst, type Row, rowOf } from "./changes";

/** An order in webhooks and look-ups. */
type OrderResource = z.infer<typeof shape>;

/** One order by our own id of its payment; null where {@link orderResources} has none. */
export const orderResource = async (ctx: Ctx, paymentId: string): Promise<OrderResource | null> =>
  (await orderResources(ctx, [paymentId])).get(paymentId) ?? null;

/**
 * Orders by our own ids of their payments, in one query. Leaves out an order whose checkout has no outcome yet, and one of
 * the other Stripe mode, whose money isn't real or isn't ours to count.
 */
export async function orderResources(ctx: Ctx, paymentIds: string[]): Promise<Map<string, OrderResource>> {
  if (paymentIds.length === 0) return new Map();
  const rows = await orders(ctx, inArray(payments.id, paymentIds));
  return new Map(rows.map((payment) => [payment.id, orderOf(payment)]));
}

/** An order by the id that other systems know, which is Stripe's of its intent or our own. */
export async function orderRow(ctx: Ctx, id: string): Promise<Row<OrderResource> | null> {
  const [payment] = await orders(ctx, or(eq(payments.id, id), eq(payments.intentId, id)));
  return payment ? rowOf(payment, orderOf(payment)) : null;
}

/** All orders or those whose buyer has an address, the oldest change first. */
export async function orderRows(
  ctx: Ctx,
  { email, after, limit }: ChangesQuery,
): Promise<Row<OrderResource>[]> {
  const byAddress = email === null ? undefined : eq(payments.emailKey, addressKey(email));
  const rows = await orders(ctx, and(byAddress, changedAfter(payments, after)))
    .orderBy(...oldestChangeFirst(payments))
    .limit(limit);
  return rows.map((payment) => rowOf(payment, orderOf(payment)));
}

const orders = ({ store: { db }, livemode }: Ctx, condition: SQL | undefined) =>
  db
    .select({ ...getTableColumns(payments), isConfirmed: hasConfirmedAddress })
    .from(payments)
    .leftJoin(accounts, eq(accounts.id, payments.accountId))
    .where(and(condition, eq(payments.livemode, livemode), hasOutcome))
    .$dynamic();

/** Whether the account that the query joined has confirmed the order's address. */
export const hasConfirmedAddress = sql`coalesce(${and(
  isNotNull(accounts.emailConfirmedAt),
  eq(accounts.emailKey, payments.emailKey),
)}, 0)`.mapWith(Boolean);

function orderOf(payment: Payment & { isConfirmed: boolean }): OrderResource {
  return toWire(shape, {
    ...payment,
    ...billOf(payment),
    order: payment.intentId ?? payment.id,
    account: payment.accountId,
    emailConfirmed: payment.isConfirmed,
    offer: offerOf(payment).offer,
    level: levelOf(payment),
    state: paymentOutcome(payment).state,
  });
}
