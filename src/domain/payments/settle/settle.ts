import { and, eq, isNull, sql } from "drizzle-orm";
import { commit } from "@/core/commit";
import { retryOnConflict } from "@/core/conflict";
import type { Ctx } from "@/core/context";
import { failpoint } from "@/core/failpoints";
import { preparedRead } from "@/core/prepared-read";
import { type Payment, payments } from "../../schema/payments";
import { buyersAccountOf } from "../checkout/buyers-account";
import type { CheckoutGateway, EventSubject } from "../checkout/checkout";
import { sealFits } from "../checkout/order";
import { lacksTerms } from "../checkout/order-terms";
import { timeWrites } from "./consequences";
import { importSession, importTerms } from "./import-session";
import { moneyBackWrites } from "./money-back";
import { codeLeft, isCodeSpent } from "./code-limit";
import { changeOf, keysReplacedMeanwhile, unchanged } from "./payment-change";
import { type Subscription, subscriptions } from "../../schema/subscriptions";
import { settleSubscription } from "../subscriptions/settle-subscription";
import { isTrialTaken, onlyTrial } from "../subscriptions/trials";
import { serialQueue } from "./serial-queue";

/**
 * Brings a payment and its licence to what Stripe holds now. The webhook, the result page and reconciliation all call
 * this, in any order, any number of times, concurrently. Resolves to the payment, or to null if the session isn't this
 * shop's. Throws `CheckoutUnreachable` if Stripe is away.
 *
 * A session has one settlement at a time. Callers that arrive during one share the next, which asks Stripe again, so an
 * older answer can't overwrite a newer one and a crowd costs two calls.
 */
export async function settle(
  ctx: Ctx,
  gateway: CheckoutGateway,
  sessionId: string,
  also = { warnings: false },
): Promise<Payment | null> {
  const payment = await settlePayment(ctx, gateway, sessionId, also);
  if (payment?.subscription) await settleSubscriptionNamed(ctx, gateway, payment.subscription);
  return payment;
}

/** One at a time, like a session: each renewal makes three events. */
const settleSubscriptionNamed = (ctx: Ctx, gateway: CheckoutGateway, stripeId: string) =>
  subscriptionQueue(ctx.store, stripeId, { warnings: false }, () =>
    settleSubscription(ctx, gateway, {
      stripeId,
      settlePayment: (sessionId) => settlePayment(ctx, gateway, sessionId, { warnings: false }),
    }),
  );

const subscriptionQueue = serialQueue<Subscription | null>();

/** Settles a payment alone, also one of a subscription. */
const settlePayment = (
  ctx: Ctx,
  gateway: CheckoutGateway,
  sessionId: string,
  also: { warnings: boolean },
): Promise<Payment | null> =>
  queue(ctx.store, sessionId, also, (wanted) =>
    retryOnConflict(() => settleNow(ctx, gateway, sessionId, wanted)),
  );

const queue = serialQueue<Payment | null>();

/** Settles what an event is about; null if this shop has no such session. */
export async function settleSubject(
  ctx: Ctx,
  gateway: CheckoutGateway,
  subject: EventSubject,
): Promise<Payment | null> {
  if ("subscription" in subject) {
    const settled = await settleSubscriptionNamed(ctx, gateway, subject.subscription);
    return settled ? paymentOfId(ctx, settled.id) : null;
  }
  if ("customer" in subject) return settleCustomer(ctx, gateway, subject.customer);
  const sessionId = await sessionOf(ctx, gateway, subject);
  return sessionId ? settle(ctx, gateway, sessionId, { warnings: "warning" in subject }) : null;
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
    .where(and(eq(subscriptions.customerId, customerId), isNull(subscriptions.endedAt)))
    .limit(1);
  return held ? settleSubject(ctx, gateway, { subscription: held.stripeId }) : null;
}

async function settleNow(
  ctx: Ctx,
  gateway: CheckoutGateway,
  sessionId: string,
  also: { warnings: boolean },
): Promise<Payment | null> {
  // Read our row before asking Stripe: if another process settles in between, even without a change, this commit's
  // guard fails, so an older answer from Stripe never overwrites a newer one.
  const held = await paymentOfSession(ctx, sessionId);
  const facts = await gateway.read(sessionId, also);
  failpoint("settle.read");
  if (!facts) return held ?? null;
  const again = () => settleNow(ctx, gateway, sessionId, also);
  if (!held) return (await importSession(ctx, facts)) ? again() : null;
  if (lacksTerms(held) && facts.order?.id === held.id && sealFits(ctx, facts.order)) {
    await importTerms(ctx, held, facts.order);
    return again();
  }
  const buyer = facts.paid ? await buyersAccountOf(ctx, held) : null;
  const trialTaken = facts.paid && (await isTrialTaken(ctx, held, facts));
  const codeSpent = facts.paid && (await isCodeSpent(ctx, held, facts));
  const replaced = await keysReplacedMeanwhile(ctx, held, facts);
  const moneyBack = await moneyBackWrites(ctx, held, facts);
  const change =
    changeOf(ctx, held, facts, { buyer, trialTaken, codeSpent, replaced, moneyBack }) ??
    unchanged(ctx, held, facts);
  if (!change) return held;
  const time = change.settlement ? await timeWrites(ctx, change.settlement) : [];
  const sells = held.soldAt === null && change.after.soldAt !== null;
  const first = sells ? [...onlyTrial(ctx, held, facts), ...codeLeft(ctx, held, facts)] : [];
  await commit(ctx.store, [...first, ...change.writes, ...time]);
  failpoint("settle.stored");
  return change.after;
}

async function paymentOfId(ctx: Ctx, id: string): Promise<Payment | null> {
  return (await ctx.store.db.select().from(payments).where(eq(payments.id, id)))[0] ?? null;
}

export async function paymentOfSession(ctx: Ctx, sessionId: string): Promise<Payment | undefined> {
  return (await bySession(ctx.store).all({ sessionId }))[0];
}

const bySession = preparedRead((db) =>
  db
    .select()
    .from(payments)
    .where(eq(payments.sessionId, sql.placeholder("sessionId")))
    .prepare(),
);

/** Reads our own table first: most events are about known payments. */
async function sessionOf(
  ctx: Ctx,
  gateway: CheckoutGateway,
  subject: Exclude<EventSubject, { subscription: string } | { customer: string }>,
): Promise<string | null> {
  if ("sessionId" in subject) return subject.sessionId;
  const [known] = await ctx.store.db
    .select({ sessionId: payments.sessionId })
    .from(payments)
    .where(eq(payments.intentId, subject.intentId));
  return known?.sessionId ?? gateway.sessionOf(subject.intentId);
}
