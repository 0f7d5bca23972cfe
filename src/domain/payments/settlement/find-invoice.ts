import { eq } from "drizzle-orm";
import { second } from "@/contract/vocabulary/time";
import type { Ctx } from "@/core/database/context";
import { type Handler, RetryLater } from "@/core/jobs/job-handlers";
import { enqueue } from "@/core/jobs/outbox";
import { type shopTopics } from "../../outbox-topics";
import { payments } from "../../schema/payments";
import type { CheckoutGateway } from "../port/stripe";
import { receiptAgainEmail, receiptEmail } from "../emails/receipt";
import { settle } from "./settle";

const receipts = { "mail.receipt": receiptEmail, "mail.receipt-again": receiptAgainEmail };

/** Stripe makes the invoice moments after the payment. A receipt waits this long for it, and then goes without. */
const patienceMilliseconds = 30 * second;
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
    if (settled?.invoiceUrl || ctx.now().getTime() - createdAt.getTime() >= patienceMilliseconds) return done;
    throw new RetryLater("Stripe has not made the invoice yet", pauseMilliseconds);
  };
