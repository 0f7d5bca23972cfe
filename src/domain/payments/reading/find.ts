import { desc, eq, or } from "drizzle-orm";
import { type Ctx, typedId } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { licencesOfPayment } from "../../licences/entitlement/sold";
import { payments } from "../../schema/payments";

/** A payment by our own id. Refuses with `payment_unknown`. */
export async function expectPayment(ctx: Ctx, id: string) {
  const [payment] = await ctx.store.db.select().from(payments).where(eq(payments.id, id));
  if (!payment) throw new Refusal("payment_unknown");
  return { payment, licences: await licencesOfPayment(ctx, payment.id) };
}

/** A payment by our own id, or Stripe's id of its session or intent. Refuses with `payment_unknown`. */
export async function paymentNamed(ctx: Ctx, typed: string) {
  const name = typedId(typed);
  const [payment] = await ctx.store.db
    .select()
    .from(payments)
    .where(or(eq(payments.id, name), eq(payments.sessionId, name), eq(payments.intentId, name)))
    .orderBy(desc(payments.createdAt))
    .limit(1);
  if (!payment) throw new Refusal("payment_unknown");
  return { payment, licences: await licencesOfPayment(ctx, payment.id) };
}
