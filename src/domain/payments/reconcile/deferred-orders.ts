import { and, asc, count, eq, inArray, notInArray } from "drizzle-orm";
import { money } from "@/contract/vocabulary/money";
import type { Ctx } from "@/core/database/context";
import { payments, whereDeferred } from "../../schema/payments";
import type { EventSubject } from "../port/stripe";
import { knownVersions } from "../port/order-terms";

const mostAtOnce = 100;

/** A paid order that this release can't read. */
export type DeferredOrder = {
  id: string;
  session: string;
  /** Minor units. */
  amount: number;
  currency: string;
  email: string | null;
  /** The version of its text. */
  edition: number;
};

/** The first hundred paid orders that wait for the newer release that wrote them, and how many there are. */
export async function deferredOrders(ctx: Ctx): Promise<{ count: number; orders: DeferredOrder[] }> {
  const rows = await ctx.store.db
    .select()
    .from(payments)
    .where(waits(ctx))
    .orderBy(asc(payments.id))
    .limit(mostAtOnce);
  const orders = rows.map(({ id, sessionId: session, paidAmount, currency, email, sealVersion: edition }) => {
    return { id, session, amount: paidAmount ?? 0, currency, email, edition };
  });
  return { count: rows.length < mostAtOnce ? rows.length : await countDeferred(ctx), orders };
}

export async function countDeferred(ctx: Ctx): Promise<number> {
  const [row] = await ctx.store.db.select({ kept: count() }).from(payments).where(waits(ctx));
  return row?.kept ?? 0;
}

/**
 * Orders that an earlier release deferred and this one can read, for reconciliation to settle; settled ones drop out.
 */
export async function readableDeferred(ctx: Ctx): Promise<EventSubject[]> {
  return ctx.store.db
    .select({ sessionId: payments.sessionId })
    .from(payments)
    .where(
      and(whereDeferred, inArray(payments.sealVersion, knownVersions), eq(payments.livemode, ctx.livemode)),
    )
    .limit(mostAtOnce);
}

/** The deferred orders as text for the operator: how many, which, and their amounts. */
export function describeDeferred({ count: all, orders }: { count: number; orders: DeferredOrder[] }): string {
  const one = all === 1;
  const each = orders.map(
    ({ id, session, amount, currency, email }) =>
      `\n  ${id}: ${money(amount, currency)}, ${session}${email ? `, ${email}` : ""}`,
  );
  const more = all > orders.length ? `\n  and ${all - orders.length} more` : "";
  return `Left out: ${all} paid ${one ? "order" : "orders"} that a newer release wrote and this one can't read. ${one ? "It is" : "They are"} kept, and settled when that release runs.${each.join("")}${more}`;
}

const waits = (ctx: Ctx) =>
  and(whereDeferred, notInArray(payments.sealVersion, knownVersions), eq(payments.livemode, ctx.livemode));
