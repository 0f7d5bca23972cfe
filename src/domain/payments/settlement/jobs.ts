import { and, eq, inArray } from "drizzle-orm";
import { second } from "@/contract/vocabulary/time";
import type { Ctx } from "@/core/database/context";
import { type Handler, RetryLater } from "@/core/jobs/job-handlers";
import { enqueue } from "@/core/jobs/outbox";
import { restoredCopy } from "@/core/database/restored-copy";
import { shopTopics } from "../../outbox-topics";
import { payments } from "../../schema/payments";
import { writtenVersions } from "../../licences/keys/key-versions";
import type { CheckoutGateway } from "../port/stripe";
import { receiptAgainEmail, receiptEmail } from "../emails/receipt";
import { settle } from "./settle";
import { changesPausedUntil } from "./paused-changes";
import { nthUseOfCode } from "../reading/code-uses";

const receipts = { "mail.receipt": receiptEmail, "mail.receipt-again": receiptAgainEmail };

/** Stripe makes the invoice moments after the payment. A receipt waits this long for it, and then goes without. */
const invoiceTimeoutMilliseconds = 30 * second;
const pauseMilliseconds = 3 * second;

/**
 * The outbox handler that asks Stripe for an invoice that was missing at the sale, then enqueues the receipt; without
 * the invoice, if Stripe has made none in time. Has a lane of its own, because Stripe may be
 * slow. `invoices` is null in a shop that makes none.
 */
export const findInvoice =
  (ctx: Ctx, invoices: CheckoutGateway | null): Handler<typeof shopTopics.findInvoice> =>
  async ({ subject, payload, createdAt }) => {
    const done = [
      enqueue(ctx, { topic: receipts[payload.receipt], subject, payload: { invoiceAsked: true } }),
    ];
    const [payment] = await ctx.store.db.select().from(payments).where(eq(payments.id, subject));
    if (!invoices || !payment || payment.invoiceUrl) return done;
    const facts = await invoices.read(payment.sessionId).catch(() => null);
    const settled = facts?.invoice && (await settle(ctx, invoices, payment.sessionId).catch(() => null));
    if (settled?.invoiceUrl || ctx.now().getTime() - createdAt.getTime() >= invoiceTimeoutMilliseconds)
      return done;
    throw new RetryLater("Stripe has not made the invoice yet", pauseMilliseconds);
  };

/** The outbox handler that writes at Stripe how often each key of an order has been replaced so far. */
export const keepKeyVersions =
  (ctx: Ctx, gateway: CheckoutGateway): Handler<typeof shopTopics.keepKeyVersions> =>
  async ({ subject }) => {
    const [payment] = await ctx.store.db.select().from(payments).where(eq(payments.id, subject));
    if (!payment?.keyEditions) return [];
    const { sessionId, keyEditions } = payment;
    await gateway.writeKeyVersions(sessionId, writtenVersions(ctx, sessionId, keyEditions));
    return [];
  };

/**
 * The outbox handler that ends a promotion code whose uses are all taken: switches it off at Stripe, so that no further
 * checkout bears it, and expires those of ours that do, a page at a time. What was completed meanwhile is settled.
 */
export const endCode =
  (ctx: Ctx, gateway: CheckoutGateway): Handler<typeof shopTopics.endCode> =>
  async ({ subject: code, payload: { limit, from } }) => {
    const isUsedUp = (await nthUseOfCode(ctx, code, limit)).length > 0;
    if (!isUsedUp || (await restoredCopy(ctx)) || (await changesPausedUntil(ctx))) return [];
    if (from === null) await gateway.switchOffCode(code);
    const { sessionIds, next } = await gateway.openSessionsWithCode(code, from);
    for (const sessionId of await ownSessions(ctx, sessionIds)) {
      await gateway.expireCheckout(sessionId);
      await settle(ctx, gateway, sessionId);
    }
    return next === null
      ? []
      : [enqueue(ctx, { topic: shopTopics.endCode, subject: code, payload: { limit, from: next } })];
  };

/** Those of the sessions that this shop opened. */
async function ownSessions({ store: { db } }: Ctx, sessionIds: string[]): Promise<string[]> {
  if (sessionIds.length === 0) return [];
  const rows = await db
    .select({ sessionId: payments.sessionId })
    .from(payments)
    .where(and(inArray(payments.sessionId, sessionIds), eq(payments.state, "open")));
  return rows.map(({ sessionId }) => sessionId);
}
