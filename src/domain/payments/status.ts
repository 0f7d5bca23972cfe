import { and, eq } from "drizzle-orm";
import { money } from "@/contract/money";
import type { Bill, paymentTitles } from "@/contract/payments";
import type { Ctx } from "@/core/context";
import { Refusal } from "@/core/refusal";
import { keyOf } from "../licences/issue";
import { maskKey } from "../licences/keys";
import { licences } from "../schema/licences";
import { maskEmail } from "../mail/mask";
import { billOf } from "../bills/bill";
import { CheckoutUnreachable, type CheckoutGateway } from "./checkout";
import { paymentStandingOf } from "./disputes";
import { type HeldPayment, paymentOfSession, settle } from "./settle";
import { payments, type PaymentState } from "../schema/payments";

type Title = (typeof paymentTitles)[number];

/** Each state on the result page: title, headline and a sentence for the buyer. */
const words = {
  succeeded: [
    "Payment Successful",
    "Payment Verified",
    "Thank you! Your license key is ready to be redeemed.",
  ],
  processing: [
    "Payment Pending",
    "Payment Pending",
    "Your bank is still processing the payment. This page and your inbox will have the key once it arrives.",
  ],
  failed: [
    "Payment Failed",
    "Payment Failed",
    "The payment did not go through. You have not received a key.",
  ],
  open: [
    "Payment Canceled",
    "Payment Canceled",
    "The checkout was left before it was paid. Nothing was charged.",
  ],
  expired: [
    "Payment Canceled",
    "Payment Canceled",
    "The checkout expired before it was paid. Nothing was charged.",
  ],
  disputed: [
    "Payment Disputed",
    "Payment Disputed",
    "This payment is disputed with the bank. Its license can't be used while that lasts.",
  ],
  refunded: [
    "Payment Refunded",
    "Payment Refunded",
    "This payment was refunded. Its license is no longer valid.",
  ],
} as const satisfies Record<PaymentState, readonly [Title, string, string]>;

export type Status = {
  title: Title;
  headline: string;
  message: string;
  payment: HeldPayment;
  bill: Bill;
  /** Like the email: whole if the visitor may see it, otherwise masked; null if there is none. */
  key: string | null;
  email: string | null;
};

/** The visitor: the browser's checkout cookie, and the account if signed in. */
export type Asker = { browserHash: string | null; accountId: string | null };

/** How long the buying browser may see the key. */
const keyVisibleMilliseconds = 24 * 60 * 60_000;

/** The status of a checkout session, which is settled first. Refuses with `payment_unknown`. */
export async function statusOfSession(ctx: Ctx, gateway: CheckoutGateway, sessionId: string, asker: Asker) {
  const payment = await settleOrRecall(ctx, gateway, sessionId);
  if (!payment) throw new Refusal("payment_unknown");
  return describe(ctx, payment, asker);
}

/** The same for a payment intent, for its owner only. */
export async function statusOfIntent(
  ctx: Ctx,
  gateway: CheckoutGateway,
  intentId: string,
  accountId: string,
) {
  const [found] = await ctx.store.db
    .select({ sessionId: payments.sessionId, buyer: payments.accountId, owner: licences.accountId })
    .from(payments)
    .leftJoin(licences, eq(licences.paymentId, payments.id))
    .where(eq(payments.intentId, intentId));
  if (!found || (found.buyer !== accountId && found.owner !== accountId))
    throw new Refusal("payment_unknown");
  return statusOfSession(ctx, gateway, found.sessionId, { browserHash: null, accountId });
}

/** If Stripe is away, a stored final state is the answer. */
async function settleOrRecall(ctx: Ctx, gateway: CheckoutGateway, sessionId: string) {
  try {
    return await settle(ctx, gateway, sessionId);
  } catch (error) {
    if (!(error instanceof CheckoutUnreachable)) throw error;
    const held = await paymentOfSession(ctx, sessionId);
    if (held && held.state !== "open" && held.state !== "processing") return held;
    throw new Refusal("checkout_unreachable");
  }
}

async function describe(ctx: Ctx, payment: HeldPayment, asker: Asker): Promise<Status> {
  const [title, headline, usual] = words[payment.state];
  const [licence] = await ctx.store.db
    .select()
    .from(licences)
    .where(and(eq(licences.paymentId, payment.id)));
  const key = licence ? keyOf(ctx, licence) : null;
  const { email } = payment;
  const bill = billOf(payment);
  const shown = isOwn(ctx, payment, licence, asker)
    ? { key, email }
    : { key: key && maskKey(key), email: email && maskEmail(email) };
  return { title, headline, message: special(payment, bill, licence) ?? usual, payment, bill, ...shown };
}

/** Sentences for what the state alone doesn't say. */
function special(
  { state, disputeStatus }: HeldPayment,
  { refunded, currency }: Bill,
  licence: typeof licences.$inferSelect | undefined,
) {
  if (state === "disputed" && paymentStandingOf(disputeStatus) === "revoked") {
    return "The bank decided the dispute of this payment for the buyer. Its license has ended.";
  }
  if (state !== "succeeded") return null;
  if (refunded === 0) return licence?.redeemedAt ? "Thank you! Your license key has been redeemed." : null;
  const given = money(refunded, currency);
  return `${given} of this payment was refunded. Its license stays valid.`;
}

/** Whether the visitor may see key and email whole: the licence's owner, or its buyer until it is redeemed. */
function isOwn(
  ctx: Ctx,
  payment: HeldPayment,
  licence: typeof licences.$inferSelect | undefined,
  asker: Asker,
): boolean {
  if (licence && asker.accountId !== null && asker.accountId === licence.accountId) return true;
  if (licence?.redeemedAt) return false;
  if (asker.accountId !== null && asker.accountId === payment.accountId) return true;
  const fresh = ctx.now().getTime() - payment.createdAt.getTime() < keyVisibleMilliseconds;
  return fresh && asker.browserHash !== null && asker.browserHash === payment.browserHash;
}
