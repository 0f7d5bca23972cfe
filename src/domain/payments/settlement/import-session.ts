import { and, eq, isNull } from "drizzle-orm";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { notice } from "../../notice";
import { readEditions } from "../../licences/keys/key-editions";
import { type Payment, payments } from "../../schema/payments";
import { markedAccount } from "../checkout/buyers-account";
import type { CheckoutFacts } from "../port/stripe";
import { markFits, sealFits } from "../checkout/order";
import { columnsOf, type Order, type OrderMark } from "../port/order-terms";

/**
 * Imports a completed session that this shop created but doesn't know, as after restoring a backup. The seal proves
 * that it is ours and what was agreed; for an order that this release can't read, the mark proves that it is ours. A
 * second session with the order of a known payment was made by somebody else: notifies staff, and sells nothing.
 */
export async function importSession(ctx: Ctx, facts: CheckoutFacts): Promise<boolean> {
  const order = facts.order && sealFits(ctx, facts.order) ? facts.order : null;
  const mark = facts.mark && markFits(ctx, facts.mark) ? facts.mark : null;
  const ours = order ?? mark;
  // a renewal bears the order of its subscription, and is no sale of its own
  if (facts.status !== "complete" || facts.mode === "renewal" || !ours) return false;
  const { id } = ours;
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
        ...(await orderColumns(ctx, facts, ours)),
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

const orderColumns = async (ctx: Ctx, facts: CheckoutFacts, ours: Order | OrderMark) =>
  "seal" in ours
    ? { ...columnsOf(ours), seal: ours.seal, accountId: await markedAccount(ctx, ours) }
    : // Stripe's price stands in for the terms that this release can't read
      { id: ours.id, sealVersion: ours.edition, unitAmount: facts.subtotal, currency: facts.currency };

/** Stores the terms of an order that an earlier release imported without reading them. */
export async function importTerms(ctx: Ctx, { id, version }: Payment, order: Order): Promise<void> {
  const terms = { ...columnsOf(order), seal: order.seal, accountId: await markedAccount(ctx, order) };
  await commit(ctx.store, [
    ctx.store.db
      .update(payments)
      .set({ ...terms, version: version + 1 })
      .where(and(eq(payments.id, id), eq(payments.version, version), isNull(payments.soldAt))),
  ]);
}
