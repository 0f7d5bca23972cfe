import { eq, or } from "drizzle-orm";
import { money } from "@/contract/money";
import type { Bill, paymentTitles } from "@/contract/payments";
import type { Ctx } from "@/core/context";
import { Refusal } from "@/core/refusal";
import { licencesOfPayment } from "../licences/sold";
import type { Licence } from "../schema/licences";
import { billOf } from "../bills/bill";
import { CheckoutUnreachable, type CheckoutGateway } from "./checkout";
import { paymentStandingOf } from "./disputes";
import { offerOf } from "./order-terms";
import { type Shown, shownTo, type Viewer } from "./shown";
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
    "Your bank is still processing the payment. The key will appear on this page and in your inbox once the payment arrives.",
  ],
  failed: [
    "Payment Failed",
    "Payment Failed",
    "The payment did not go through. You have not received a key.",
  ],
  open: [
    "Payment Canceled",
    "Payment Canceled",
    "The checkout was canceled before it was paid. Nothing was charged.",
  ],
  expired: [
    "Payment Canceled",
    "Payment Canceled",
    "The checkout expired before it was paid. Nothing was charged.",
  ],
  disputed: [
    "Payment Disputed",
    "Payment Disputed",
    "This payment is disputed with the bank. Its license can't be used until the dispute is decided.",
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
  offer: string;
  product: string;
} & Shown;

/** The status of a checkout session, which is settled first. Refuses with `payment_unknown`. */
export async function statusOfSession(ctx: Ctx, gateway: CheckoutGateway, sessionId: string, viewer: Viewer) {
  const payment = await settleOrRecall(ctx, gateway, sessionId);
  if (!payment) throw new Refusal("payment_unknown");
  return describe(ctx, payment, viewer);
}

/** The same for a payment by its intent or our own id, for whoever bought or redeemed it only. */
export async function statusOfPayment(ctx: Ctx, gateway: CheckoutGateway, name: string, accountId: string) {
  const [found] = await ctx.store.db
    .select({ id: payments.id, sessionId: payments.sessionId, buyer: payments.accountId })
    .from(payments)
    .where(or(eq(payments.intentId, name), eq(payments.id, name)));
  if (!found) throw new Refusal("payment_unknown");
  const isTheirs =
    found.buyer === accountId ||
    (await licencesOfPayment(ctx, found.id)).some((licence) => licence.accountId === accountId);
  if (!isTheirs) throw new Refusal("payment_unknown");
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

async function describe(ctx: Ctx, payment: HeldPayment, viewer: Viewer): Promise<Status> {
  const [title, headline, usual] = words[payment.state];
  const licences = await licencesOfPayment(ctx, payment.id);
  const bill = billOf(payment);
  const shown = shownTo(ctx, payment, licences, viewer);
  const message = special(payment, bill, licences, shown) ?? usual;
  return { title, headline, message, payment, bill, ...offerOf(payment), ...shown };
}

/** Sentences for what the state alone doesn't say. */
function special(
  { state, disputeStatus, quantity }: HeldPayment,
  { refunded, currency }: Bill,
  licences: Licence[],
  { gift }: Shown,
) {
  if (state === "disputed" && paymentStandingOf(disputeStatus) === "revoked") {
    return "The bank decided the dispute in the buyer's favor. Its license has ended.";
  }
  if (state !== "succeeded") return null;
  if (refunded > 0) {
    const given = money(refunded, currency);
    return `${given} of this payment was refunded. ${quantity > 1 ? "Its licenses stay" : "Its license stays"} valid.`;
  }
  const redeemed = licences.every(({ redeemedAt }) => redeemedAt !== null);
  if (gift)
    return redeemed
      ? "Your gift has been opened."
      : `Thank you! The license key has been mailed to ${gift.email}.`;
  if (quantity > 1) return redeemed ? manyRedeemed : manyReady;
  return redeemed ? "Thank you! Your license key has been redeemed." : null;
}

const manyReady = "Thank you! Your license keys are ready to be redeemed.";
const manyRedeemed = "Thank you! Your license keys have been redeemed.";
