import { eq, sql } from "drizzle-orm";
import { commit } from "@/core/database/commit";
import { retryOnConflict } from "@/core/database/conflict";
import type { Ctx } from "@/core/database/context";
import { failpoint } from "@/core/log/failpoints";
import { preparedRead } from "@/core/database/prepared-read";
import { type Payment, payments } from "../../schema/payments";
import { buyersAccountOf } from "../checkout/buyers-account";
import type { Also, CheckoutGateway } from "../port/stripe";
import { isOrderOf, isRead, openOrder } from "../port/order-terms";
import { isUnwanted } from "./shop-facts";
import { isTrialTaken, onlyTrial } from "./trials";
import { codeLeft, isCodeSpent } from "./code-limit";
import { timeWrites } from "./consequences";
import { importSession, importTerms } from "./import-session";
import { moneyBackWrites } from "./money-back";
import { changeOf, keysReplacedMeanwhile, unchanged } from "./payment-change";
import { serialQueue } from "../port/serial-queue";

/**
 * Settles a payment alone, also one of a subscription. A session has one settlement at a time. Callers that arrive during
 * one share the next, which asks Stripe again, so an older answer can't overwrite a newer one and a crowd costs two calls.
 */
export const settlePayment = (
  ctx: Ctx,
  gateway: CheckoutGateway,
  sessionId: string,
  also: Also,
): Promise<Payment | null> =>
  queue(ctx.store, sessionId, also, (wanted) =>
    retryOnConflict(() => settleNow(ctx, gateway, sessionId, wanted)),
  );

const queue = serialQueue<Payment | null>();

async function settleNow(
  ctx: Ctx,
  gateway: CheckoutGateway,
  sessionId: string,
  also: Also,
): Promise<Payment | null> {
  // Read our row before asking Stripe: if another process settles in between, even without a change, this commit's
  // guard fails, so an older answer from Stripe never overwrites a newer one.
  const held = await paymentOfSession(ctx, sessionId);
  // a refund that failed counts no more, and Stripe lists it only if asked
  const refunds = also.refunds || (held !== undefined && held.refundedAmount > 0);
  const facts = await gateway.read(sessionId, { ...also, refunds });
  failpoint("settle.read");
  if (!facts) return held ?? null;
  const again = () => settleNow(ctx, gateway, sessionId, also);
  if (!held) return (await importSession(ctx, facts)) ? again() : null;
  const order = held.offer === null && isOrderOf(held, facts.order) ? openOrder(ctx, facts.order) : null;
  if (isRead(order)) {
    await importTerms(ctx, held, order);
    return again();
  }
  const buyer = facts.paid ? await buyersAccountOf(ctx, held) : null;
  const trialTaken = facts.paid && (await isTrialTaken(ctx, held, facts));
  const codeSpent = await isCodeSpent(ctx, held, facts);
  const unwanted = facts.paid && (await isUnwanted(ctx, held, facts));
  const replaced = await keysReplacedMeanwhile(ctx, held, facts);
  const moneyBack = await moneyBackWrites(ctx, held, facts);
  const change =
    changeOf(ctx, held, facts, { buyer, trialTaken, codeSpent, unwanted, replaced, moneyBack }) ??
    unchanged(ctx, held, facts);
  if (!change) return held;
  const time = change.settlement ? await timeWrites(ctx, change.settlement) : [];
  const sells = held.soldAt === null && change.after.soldAt !== null;
  const first = [
    ...(sells ? onlyTrial(ctx, held, facts) : []),
    ...(codeSpent ? [] : codeLeft(ctx, held, facts)),
  ];
  await commit(ctx.store, [...first, ...change.writes, ...time]);
  failpoint("settle.stored");
  return change.after;
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
