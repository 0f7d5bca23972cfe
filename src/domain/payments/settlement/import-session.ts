import { and, eq, isNull } from "drizzle-orm";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { notice } from "../../notice";
import { readEditions } from "../../licences/keys/key-editions";
import { accounts } from "../../schema/accounts";
import { type Payment, payments } from "../../schema/payments";
import type { CheckoutFacts } from "../port/stripe";
import { columnsOf, isRead, openOrder, type Order, sealColumns, type UnreadOrder } from "../port/order-terms";

/**
 * Imports a completed session that this shop created but doesn't know, as after restoring a backup. A second session
 * with the order of a known payment was made by somebody else: notifies staff, and sells nothing.
 */
export async function importSession(ctx: Ctx, facts: CheckoutFacts): Promise<boolean> {
  const order = openOrder(ctx, facts.order);
  if (facts.status !== "complete" || !order) return false;
  const { id } = order;
  const [namesake] = await ctx.store.db
    .select({ sessionId: payments.sessionId })
    .from(payments)
    .where(eq(payments.id, id));
  if (namesake && namesake.sessionId !== facts.sessionId) {
    const what = `the session ${facts.sessionId} carries the order of another`;
    await commit(ctx.store, notice(ctx, `${id}:copied`, { kind: "copied session", what }));
    return false;
  }
  await commit(ctx.store, [
    ctx.store.db
      .insert(payments)
      .values({
        ...(await orderColumns(ctx, facts, order)),
        keyEditions: readEditions(ctx, facts.sessionId, facts.writtenEditions),
        sessionId: facts.sessionId,
        state: "open",
        livemode: facts.livemode,
        createdAt: facts.createdAt,
      })
      .onConflictDoNothing(),
  ]);
  return true;
}

const orderColumns = async (ctx: Ctx, facts: CheckoutFacts, order: Order | UnreadOrder) =>
  isRead(order)
    ? readColumns(ctx, order)
    : // Stripe's price stands in for the terms that this release can't read
      { ...sealColumns(order), unitAmount: facts.subtotal, currency: facts.currency };

/** Its buyer may have deleted their account. */
async function readColumns({ store: { db } }: Ctx, order: Order) {
  const [buyer] = await db
    .select({ accountId: accounts.id })
    .from(accounts)
    .where(eq(accounts.id, order.buyer ?? ""));
  return { ...columnsOf(order), accountId: buyer?.accountId ?? null };
}

/** Stores the terms of an order that an earlier release imported without reading them. */
export async function importTerms(ctx: Ctx, { id, version }: Payment, order: Order): Promise<void> {
  await commit(ctx.store, [
    ctx.store.db
      .update(payments)
      .set({ ...(await readColumns(ctx, order)), version: version + 1 })
      .where(and(eq(payments.id, id), eq(payments.version, version), isNull(payments.soldAt))),
  ]);
}
