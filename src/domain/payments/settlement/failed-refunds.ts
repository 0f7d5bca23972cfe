import { and, eq } from "drizzle-orm";
import { actorId, theShop } from "@/core/base/actor";
import type { Write } from "@/core/database/commit";
import { type Ctx, newId } from "@/core/database/context";
import type { StripeRefund } from "../../schema/money-back";
import type { Payment } from "../../schema/payments";
import { type Refund, refunds } from "../../schema/refunds";
import type { CheckoutFacts } from "../port/stripe";
import { failed, logRefund, redrawCard } from "../refunds/refunds";

/**
 * The writes that make staff's refunds stand as failed once they failed at Stripe, and that add a failed one which was
 * made in Stripe's dashboard, so that staff see it.
 */
export async function failedRefundWrites(
  ctx: Ctx,
  payment: Payment,
  held: StripeRefund[],
  listed: CheckoutFacts["refunds"],
): Promise<Write[]> {
  const ended = held.filter(({ status }) => status === "failed" || status === "canceled");
  if (ended.length === 0) return [];
  const asked = await ctx.store.db.select().from(refunds).where(eq(refunds.paymentId, payment.id));
  return ended.flatMap((one) => {
    const request = listed.find(({ id }) => id === one.id)?.request;
    // one that is still on its way to Stripe hears there that it failed
    const known = asked.find(({ stripeId }) => stripeId === one.id) ?? asked.find(isFor(request));
    if (known) return known.state === "made" ? fail(ctx, payment, known, one) : [];
    return one.status === "failed" ? add(ctx, payment, one) : [];
  });
}

const isFor = (request: string | null | undefined) => (asked: Refund) =>
  asked.request === request && asked.stripeId === null;

const log = (ctx: Ctx, payment: Payment, refund: Pick<Refund, "id" | "amount">): Write =>
  logRefund(ctx, { actor: theShop, action: "payment.refund_refused" }, { payment, refund });

const fail = (ctx: Ctx, payment: Payment, known: Refund, { id }: StripeRefund): Write[] => [
  ctx.store.db
    .update(refunds)
    .set(failed(ctx, id))
    .where(and(eq(refunds.id, known.id), eq(refunds.state, "made"))),
  ...redrawCard(ctx, known),
  log(ctx, payment, known),
];

function add(ctx: Ctx, payment: Payment, { id: stripeId, amount, at }: StripeRefund): Write[] {
  const refund = { id: newId(), amount };
  return [
    ctx.store.db.insert(refunds).values({
      ...refund,
      ...failed(ctx, stripeId),
      paymentId: payment.id,
      request: stripeId,
      reason: "Made at Stripe",
      askedBy: actorId(theShop),
      createdAt: at,
      madeAt: at,
    }),
    log(ctx, payment, refund),
  ];
}
