import { eq } from "drizzle-orm";
import type { PaymentDetails } from "@/contract/desk/details";
import type { Actor } from "@/core/actor";
import type { Ctx } from "@/core/context";
import { pageRows } from "@/core/pages";
import { Refusal } from "@/core/refusal";
import { authorize } from "../permissions";
import { outcomeOf } from "../payments/view/list";
import { licencesOfPayment } from "../licences/sold";
import { type Payment, payments } from "../schema/payments";
import { refunds } from "../schema/refunds";
import { timelineOf } from "./audit";
import { licenceRows } from "./licences";
import { newest } from "./newest";
import { paymentRows } from "./payments";
import { refundRows } from "./refunds";

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
    refunds: await refundsOf(ctx, id),
  };
}

/** How many licences of an order have their events in its timeline; each costs a query for every kind of event. */
const mostFollowed = 5;

function giftOf({ giftEmail: email, giftFrom: from, giftMessage: message }: Payment): PaymentDetails["gift"] {
  return email === null ? null : { email, from, message };
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
