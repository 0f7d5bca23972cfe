import { and, eq, isNull, sql } from "drizzle-orm";
import { commit, retryOnConflict } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { failpoint } from "@/core/log/failpoints";
import { preparedRead } from "@/core/database/prepared";
import { type Payment, payments } from "../../schema/payments";
import { notice } from "../../notice";
import { readVersions } from "../../licences/keys/key-versions";
import { accounts } from "../../schema/accounts";
import { purchaseEvidence } from "../checkout/purchase-evidence";
import { buyersAccountOf } from "../checkout/buyers-account";
import type { PaymentExtras, CheckoutGateway, SessionFacts } from "../port/stripe";
import {
  columnsOfOrder,
  isOrderOf,
  isReadableOrder,
  openOrder,
  type Order,
  sealColumns,
  type UnreadOrder,
} from "../port/order-terms";
import { serialQueue } from "../port/serial-queue";
import { isUnwanted } from "./shop-facts";
import { isTrialTaken, mustBeOnlyTrial } from "./trials";
import { mustHaveCodeLeft, isCodeSpent } from "./code-limit";
import { timeWrites } from "./consequences";
import { moneyBackWrites } from "./money-back";
import { paymentChangeOf, keysReplacedMeanwhile, recordCheck } from "./payment-change";

/**
 * Settles a payment alone, also one of a subscription. A session has one settlement at a time. Callers that arrive during
 * one share the next, which asks Stripe again, so an older answer can't overwrite a newer one and a crowd costs two calls.
 */
export const settlePayment = (
  ctx: Ctx,
  gateway: CheckoutGateway,
  sessionId: string,
  also: PaymentExtras,
): Promise<Payment | null> =>
  queue(ctx.store, sessionId, also, (wanted) =>
    retryOnConflict(() => settleNow(ctx, gateway, sessionId, wanted)),
  );

const queue = serialQueue<Payment | null>();

async function settleNow(
  ctx: Ctx,
  gateway: CheckoutGateway,
  sessionId: string,
  also: PaymentExtras,
): Promise<Payment | null> {
  // Read our row before asking Stripe: if another process settles in between, even without a change, this commit's
  // guard fails, so an older answer from Stripe never overwrites a newer one.
  const held = await paymentOfSession(ctx, sessionId);
  const again = () => settleNow(ctx, gateway, sessionId, also);
  // what another shop sold on the same account may need permissions that this one doesn't
  if (!held) return (await importSession(ctx, await gateway.readSession(sessionId))) ? again() : null;
  // a refund that failed no longer counts, and Stripe lists it only if asked
  const refunds = also.refunds || held.refundedAmount > 0;
  const facts = await gateway.read(sessionId, { ...also, refunds, arrival: held.soldAt === null });
  failpoint("settle.read");
  if (!facts) return held;
  const order = held.offer === null && isOrderOf(held, facts.order) ? openOrder(ctx, facts.order) : null;
  if (isReadableOrder(order)) {
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
    paymentChangeOf(ctx, held, facts, { buyer, trialTaken, codeSpent, unwanted, replaced, moneyBack }) ??
    recordCheck(ctx, held, facts);
  if (!change) return held;
  const time = change.settlement ? await timeWrites(ctx, change.settlement) : [];
  const sells = held.soldAt === null && change.after.soldAt !== null;
  const first = [
    ...(sells ? mustBeOnlyTrial(ctx, held, facts) : []),
    ...(codeSpent ? [] : mustHaveCodeLeft(ctx, held, facts)),
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

/**
 * Imports a completed session that this shop created but doesn't know, as after restoring a backup. A second session
 * with the order of a known payment was made by somebody else: notifies staff, and sells nothing.
 */
async function importSession(ctx: Ctx, facts: SessionFacts | null): Promise<boolean> {
  const order = openOrder(ctx, facts?.order ?? null);
  if (facts?.status !== "complete" || !order) return false;
  const { id, agreed } = order;
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
        keyEditions: readVersions(ctx, facts.sessionId, facts.writtenKeyVersions),
        sessionId: facts.sessionId,
        state: "open",
        livemode: facts.livemode,
        createdAt: facts.createdAt,
      })
      .onConflictDoNothing(),
    ...(agreed ? [purchaseEvidence(ctx, { paymentId: id, at: facts.createdAt, agreed })] : []),
  ]);
  return true;
}

const orderColumns = async (ctx: Ctx, facts: SessionFacts, order: Order | UnreadOrder) =>
  isReadableOrder(order)
    ? readColumns(ctx, order)
    : // Stripe's price stands in for the terms that this release can't read
      { ...sealColumns(order), unitAmount: facts.subtotal, currency: facts.currency };

/** Its buyer may have deleted their account. */
async function readColumns({ store: { db } }: Ctx, order: Order) {
  const [buyer] = await db
    .select({ accountId: accounts.id })
    .from(accounts)
    .where(eq(accounts.id, order.buyer ?? ""));
  return { ...columnsOfOrder(order), accountId: buyer?.accountId ?? null };
}

/** Stores the terms of an order that an earlier release imported without reading them. */
async function importTerms(ctx: Ctx, { id, version }: Payment, order: Order): Promise<void> {
  await commit(ctx.store, [
    ctx.store.db
      .update(payments)
      .set({ ...(await readColumns(ctx, order)), version: version + 1 })
      .where(and(eq(payments.id, id), eq(payments.version, version), isNull(payments.soldAt))),
  ]);
}
