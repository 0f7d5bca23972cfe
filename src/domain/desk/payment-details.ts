import { eq } from "drizzle-orm";
import type { PaymentDetails } from "@/contract/wire/desk/details";
import type { Actor } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { pageRows } from "@/core/database/pages";
import { Refusal } from "@/core/base/refusal";
import { authorize } from "../permissions";
import { outcomeOf } from "../payments/reading/payments";
import { licencesOfPayment } from "../licences/entitlement/sold";
import { type Payment, payments } from "../schema/payments";
import { corrections } from "../schema/corrections";
import { refunds } from "../schema/refunds";
import { paidPaymentsOf, subscriptionOf } from "../payments/reading/subscriptions";
import { endsIfRefunded } from "../payments/standing/taken-back";
import { timelineOf } from "./audit";
import { correctionRows } from "./corrections";
import { licenceRows } from "./licences";
import { newest } from "./newest";
import { paymentRows } from "./payments";
import { refundRows } from "./refunds";
import { subscriptionRows } from "./subscriptions";

/** What staff see of a payment, what belongs to it, and its history. Refuses with `payment_unknown`. */
export async function paymentDetails(ctx: Ctx, actor: Actor, id: string): Promise<PaymentDetails> {
  authorize(actor, "desk.read");
  const [payment] = await ctx.store.db.select().from(payments).where(eq(payments.id, id));
  const [row] = await paymentRows(ctx, [id]);
  if (!payment || !row) throw new Refusal("payment_unknown");
  const licences = await licenceRows(
    ctx,
    (await licencesOfPayment(ctx, id)).slice(0, pageRows).map((licence) => licence.id),
  );
  const subscription = await itsSubscription(ctx, payment);
  return {
    ...row,
    method: payment.method,
    failure_reason: outcomeOf(payment).failureReason,
    invoice_url: payment.invoiceUrl,
    gift: giftOf(payment),
    fraud_warned_at: payment.fraudWarnedAt?.toISOString() ?? null,
    timeline: await timelineOf(ctx, [
      { kind: "payment", id },
      ...licences.slice(0, mostFollowed).map((licence) => ({ kind: "licence", id: licence.id })),
    ]),
    licences,
    subscription,
    refunds: await refundsOf(ctx, id),
    corrections: await correctionsOf(ctx, subscription?.id ?? id),
  };
}

/** How many licences of an order have their events in its timeline; each costs a query for every kind of event. */
const mostFollowed = 5;

function giftOf({ giftEmail: email, giftFrom: from, giftMessage: message }: Payment): PaymentDetails["gift"] {
  return email === null ? null : { email, from, message };
}

/** The subscription that the payment began or renewed, with its licence. */
async function itsSubscription(ctx: Ctx, payment: Payment): Promise<PaymentDetails["subscription"]> {
  const held = await subscriptionOf(ctx, payment);
  if (!held) return null;
  const paid = await paidPaymentsOf(ctx, held.stripeId);
  const [row] = await subscriptionRows(ctx, [held.id]);
  if (!row) return null;
  const sold = await licencesOfPayment(ctx, row.id);
  const [licence = null] = await licenceRows(
    ctx,
    sold.map((one) => one.id),
  );
  const refunded = paid.find(({ id }) => id === payment.id);
  return {
    ...row,
    licence,
    ends_if_refunded: refunded !== undefined && endsIfRefunded(paid, refunded, ctx.now()),
  };
}

/** The payment's newest refunds; a payment has few. */
async function refundsOf(ctx: Ctx, paymentId: string) {
  const found = await ctx.store.db
    .select({ id: refunds.id, at: refunds.createdAt })
    .from(refunds)
    .where(eq(refunds.paymentId, paymentId));
  return refundRows(
    ctx,
    newest(found, pageRows).map(({ id }) => id),
  );
}

async function correctionsOf(ctx: Ctx, paymentId: string) {
  const found = await ctx.store.db
    .select({ id: corrections.id, at: corrections.createdAt })
    .from(corrections)
    .where(eq(corrections.paymentId, paymentId));
  return correctionRows(
    ctx,
    newest(found, pageRows).map(({ id }) => id),
  );
}
