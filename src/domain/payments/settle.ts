import { and, eq } from "drizzle-orm";
import { commit, mustHaveChanged, type Write } from "@/core/commit";
import type { Ctx } from "@/core/context";
import { isConflict } from "@/core/refusal";
import type { CheckoutFacts, CheckoutGateway } from "./checkout";
import { consequences } from "./consequences";
import { decide } from "./decide";
import { sealFits } from "./order";
import { payments } from "./tables";

export type HeldPayment = typeof payments.$inferSelect;

/**
 * Brings a payment and its licence to what Stripe holds now. The webhook, the result page and the
 * sweep all call this, in any order, any number of times, at once. Resolves to the payment, or to
 * null when the session is not one of this shop's. Throws `CheckoutUnreachable` with Stripe away.
 */
export async function settle(
  ctx: Ctx,
  gateway: CheckoutGateway,
  sessionId: string,
): Promise<HeldPayment | null> {
  for (;;) {
    // What we hold is read before Stripe is asked: a commit in between makes this one's guard fail,
    // so an older answer of Stripe's can never overwrite a newer one.
    const held = await paymentOfSession(ctx, sessionId);
    const facts = await gateway.read(sessionId);
    if (!facts) return held ?? null;
    if (!held && !(await adopt(ctx, facts))) return null;
    if (!held) continue;
    const writes = changes(ctx, held, facts);
    if (writes.length === 0) return held;
    try {
      await commit(ctx.store, writes);
      ctx.wake();
    } catch (error) {
      if (!isConflict(error)) throw error;
    }
  }
}

export const paymentOfSession = async (ctx: Ctx, sessionId: string): Promise<HeldPayment | undefined> =>
  (await ctx.store.db.select().from(payments).where(eq(payments.sessionId, sessionId)))[0];

/**
 * Takes in a paid session that this shop created but does not know, as after restoring a backup. The
 * seal on the session proves that it is ours and what was asked for.
 */
async function adopt(ctx: Ctx, facts: CheckoutFacts): Promise<boolean> {
  if (!facts.paid || !facts.order || !sealFits(ctx, facts.order)) return false;
  const { id, amount, currency } = facts.order;
  await commit(ctx.store, [
    ctx.store.db
      .insert(payments)
      .values({
        id,
        sessionId: facts.sessionId,
        state: "open",
        amount,
        currency,
        livemode: facts.livemode,
        createdAt: facts.createdAt,
      })
      .onConflictDoNothing(),
  ]);
  // an order that another session already carries was copied there by somebody
  return (await paymentOfSession(ctx, facts.sessionId)) !== undefined;
}

/** Everything that has to be written so that we hold what Stripe holds; nothing when we already do. */
function changes(ctx: Ctx, held: HeldPayment, facts: CheckoutFacts): Write[] {
  const decision = decide(facts, held);
  const wanted = {
    state: decision.state,
    failureReason: decision.failureReason,
    disputeStatus: decision.disputeStatus,
    refundedAmount: decision.refundedAmount,
    mismatch: decision.mismatch,
    intentId: facts.intent?.id ?? held.intentId,
    method: facts.charge?.method ?? held.method,
    email: facts.email ?? held.email,
    paidAt: facts.charge?.paidAt ?? held.paidAt,
  };
  if (sameAs(held, wanted)) return [];
  return [
    ctx.store.db
      .update(payments)
      .set({ ...wanted, version: held.version + 1 })
      .where(and(eq(payments.id, held.id), eq(payments.version, held.version))),
    mustHaveChanged("conflict"),
    ...consequences(ctx, { before: held, after: { ...held, ...wanted }, decision }),
  ];
}

const sameAs = (held: HeldPayment, wanted: Partial<HeldPayment>) =>
  Object.entries(wanted).every(([name, value]) => {
    const now = held[name as keyof HeldPayment];
    return now instanceof Date && value instanceof Date ? now.getTime() === value.getTime() : now === value;
  });
