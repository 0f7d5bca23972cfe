import { eq } from "drizzle-orm";
import type { Ctx } from "@/core/database/context";
import { type Payment, payments } from "../../schema/payments";
import { subscriptions } from "../../schema/subscriptions";
import type { PaymentExtras, CheckoutGateway, EventSubject } from "../port/stripe";
import { settleSubscription } from "./settle-subscription";
import { settlePayment } from "./settle-payment";

/**
 * Brings a payment and its licence to what Stripe holds now. The webhook, the result page and reconciliation all call
 * this, in any order, any number of times, concurrently. Resolves to the payment, or to null if the session isn't this
 * shop's. Throws `CheckoutUnreachable` if Stripe is away.
 */
export async function settle(
  ctx: Ctx,
  gateway: CheckoutGateway,
  sessionId: string,
  also: PaymentExtras = {},
): Promise<Payment | null> {
  const payment = await settlePayment(ctx, gateway, sessionId, also);
  if (payment?.subscription) await settleSubscription(ctx, gateway, payment.subscription);
  return payment;
}

/** Settles what an event is about; null if this shop has no such session. */
export async function settleSubject(
  ctx: Ctx,
  gateway: CheckoutGateway,
  subject: EventSubject,
): Promise<Payment | null> {
  if ("subscription" in subject) {
    const settled = await settleSubscription(ctx, gateway, subject.subscription);
    return settled ? paymentOfId(ctx, settled.id) : null;
  }
  if ("customer" in subject) return settleCustomer(ctx, gateway, subject.customer);
  if ("invoice" in subject) {
    const subscription = await gateway.subscriptionOfInvoice(subject.invoice);
    return subscription === null ? null : settleSubject(ctx, gateway, { subscription });
  }
  const sessionId = await sessionOf(ctx, gateway, subject);
  const also = { warnings: "warning" in subject, refunds: "refund" in subject };
  return sessionId ? settle(ctx, gateway, sessionId, also) : null;
}

/** Settles a Stripe customer's subscription. There is one at most, since each checkout makes a new customer. */
async function settleCustomer(
  ctx: Ctx,
  gateway: CheckoutGateway,
  customerId: string,
): Promise<Payment | null> {
  const [held] = await ctx.store.db
    .select()
    .from(subscriptions)
    .where(eq(subscriptions.customerId, customerId))
    .limit(1);
  return held ? settleSubject(ctx, gateway, { subscription: held.stripeId }) : null;
}

async function paymentOfId(ctx: Ctx, id: string): Promise<Payment | null> {
  return (await ctx.store.db.select().from(payments).where(eq(payments.id, id)))[0] ?? null;
}

/** Reads our own table first: most events are about known payments. */
async function sessionOf(
  ctx: Ctx,
  gateway: CheckoutGateway,
  subject: Exclude<EventSubject, { subscription: string } | { customer: string } | { invoice: string }>,
): Promise<string | null> {
  if ("sessionId" in subject) return subject.sessionId;
  const [known] = await ctx.store.db
    .select({ sessionId: payments.sessionId })
    .from(payments)
    .where(eq(payments.intentId, subject.intentId));
  return known?.sessionId ?? gateway.sessionOf(subject.intentId);
}
