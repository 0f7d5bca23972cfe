import { and, eq, or } from "drizzle-orm";
import { money } from "@/contract/vocabulary/money";
import type { Offer } from "@/contract/wire/offers";
import type { Bill, ForAccount, OrderAgain, paymentTitles } from "@/contract/wire/payments";
import type { Ctx } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { statusOf } from "../../licences/entitlement/entitlement";
import { bestUseOf, coveredText, readHoldings } from "../../licences/entitlement/holdings";
import type { LevelName } from "../../levels/ladder";
import { licencesOfPayment } from "../../licences/entitlement/sold";
import type { Licence } from "../../schema/licences";
import { billOf } from "../../bills/bill";
import { CheckoutUnreachable, type CheckoutGateway } from "../port/stripe";
import { trialTakenBefore } from "../../offers/trials-taken";
import { paymentStatusOf } from "../port/disputes";
import { isListedFor, knownPaymentState } from "../reading/payments";
import { isReadable, levelOf, offerOf } from "../port/order-terms";
import { subscriptionOf, subscriptionsPaidBy } from "../reading/subscriptions";
import { type ChargedNext, chargedNext } from "../state/next-charge";
import { isBuyer, type PaymentView, visibleTo, type Viewer, type PaymentVisitor } from "../reading/redaction";
import { settle } from "../settlement/settle";
import { paymentOfSession } from "../settlement/settle-payment";
import { isDeferred, isRenewal, type Payment, payments, type PaymentState } from "../../schema/payments";

type Title = (typeof paymentTitles)[number];

/** Title and headline of each state on the result page. */
const titles: Record<PaymentState, [Title, headline: string]> = {
  succeeded: ["Payment Successful", "Payment Verified"],
  processing: ["Payment Pending", "Payment Pending"],
  failed: ["Payment Failed", "Payment Failed"],
  open: ["Payment Canceled", "Payment Canceled"],
  expired: ["Payment Canceled", "Payment Canceled"],
  disputed: ["Payment Disputed", "Payment Disputed"],
  refunded: ["Payment Refunded", "Payment Refunded"],
};

/** A sentence for the buyer, for one licence or several. */
const messages = (several: boolean): Record<PaymentState, string> => ({
  succeeded: `Thank you! Your license ${several ? "keys are" : "key is"} ready.`,
  processing: "Your bank is still processing the payment.",
  failed: `The payment didn't go through, so no license ${several ? "keys were" : "key was"} issued.`,
  open: "The checkout was canceled before it was paid. Nothing was charged.",
  expired: "The checkout expired before it was paid. Nothing was charged.",
  disputed: `This payment is disputed, so its ${several ? "licenses are" : "license is"} paused until the bank decides. If you didn't mean to dispute it, tell your bank and write to us.`,
  refunded: `This payment was refunded, and its ${several ? "licenses have" : "license has"} ended.`,
});

const notRenewed = "The renewal couldn't be charged. Update your card to keep your license.";

/** The same of a subscription's renewal, which gives no further key. */
const renewalMessages: Record<PaymentState, string> = {
  ...messages(false),
  succeeded: "Thank you! Your subscription was paid, and your license continues with the same key.",
  processing: "Your bank is still processing this renewal. Your license stays active meanwhile.",
  failed: notRenewed,
  open: notRenewed,
  expired: "This renewal was canceled. Nothing was charged.",
  refunded: "This renewal was refunded.",
};

export type Status = {
  title: Title;
  headline: string;
  message: string;
  payment: Payment;
  bill: Bill;
  offer: string;
  product: string;
  level: LevelName;
  forAccount: ForAccount | null;
  /** The provider's page on which the buyer can continue an order that they left. */
  page: string | null;
  again: OrderAgain | null;
  /** The subscription that it began or renewed. */
  subscriptionId: string | null;
  nextCharge: ChargedNext | null;
  /** What each key gives; null if only a newer release can read the order. */
  term: { days: number | null; devices: number; recurring: Offer["recurring"] } | null;
  /** The indexes of the keys that somebody has redeemed. */
  redeemed: number[];
} & PaymentView;

/** Settles a checkout session, and resolves to its status. Refuses with `payment_unknown`. */
export async function statusOfSession(
  ctx: Ctx,
  gateway: CheckoutGateway,
  sessionId: string,
  visitor: PaymentVisitor,
) {
  const payment = await settleOrRecall(ctx, gateway, sessionId);
  if (!payment) throw new Refusal("payment_unknown");
  const paidFor = await subscriptionsPaidBy(ctx, [payment], visitor.accountId);
  const buysSubscription = [...paidFor.values()].some(({ isBuyers }) => isBuyers);
  const viewer = { ...visitor, buysSubscription };
  const page = isLeft(payment) && isBuyer(ctx, payment, viewer) ? await pageOf(gateway, sessionId) : null;
  return { ...(await describe(ctx, payment, viewer, page)), page };
}

/** The status of a payment by its intent or our own id, only for an account that bought or redeemed it. */
export async function statusOfPayment(ctx: Ctx, gateway: CheckoutGateway, name: string, accountId: string) {
  const [found] = await ctx.store.db
    .select({ sessionId: payments.sessionId })
    .from(payments)
    .where(and(or(eq(payments.intentId, name), eq(payments.id, name)), isListedFor(ctx, accountId)));
  if (!found) throw new Refusal("payment_unknown");
  return statusOfSession(ctx, gateway, found.sessionId, { browserHashes: [], accountId });
}

/** Settles the session; if Stripe is away, answers with a stored final state. */
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

/** A renewal has no checkout; what is owed is paid on its invoice's page. */
const isLeft = (payment: Payment) => payment.state === "open" && !payment.mismatch && !isRenewal(payment);

const pageOf = (gateway: CheckoutGateway, sessionId: string): Promise<string | null> =>
  gateway.pageOf(sessionId).catch((error: unknown) => {
    if (error instanceof CheckoutUnreachable) throw new Refusal("checkout_unreachable");
    throw error;
  });

async function describe(
  ctx: Ctx,
  payment: Payment,
  viewer: Viewer,
  page: string | null,
): Promise<Omit<Status, "page">> {
  const state = knownPaymentState(payment.state);
  const subscription = await subscriptionOf(ctx, payment);
  const usual = (isRenewal(payment) ? renewalMessages : messages(payment.quantity > 1))[state];
  // an open renewal has no checkout: its charge failed
  const [title, headline] = titles[isRenewal(payment) && state === "open" ? "failed" : state];
  const licences = await licencesOfPayment(ctx, payment.id);
  const bill = billOf(payment);
  const shown = visibleTo(ctx, payment, licences, viewer);
  const [forAccount, covered] = await forAccountOf(ctx, payment, licences, viewer);
  const buyer = isBuyer(ctx, payment, viewer);
  const again = buyer && page === null ? orderAgain(payment, shown) : null;
  const message =
    (page && leftMessage) ??
    (isRefusedTrial(payment) ? refusedTrialMessage(again) : null) ??
    special(payment, bill, licences, shown) ??
    (state === "succeeded" && subscription?.status === "trialing" ? "Your free trial has started." : null) ??
    ofAccount(payment, licences, viewer, { forAccount, covered }) ??
    usual;
  return {
    title,
    headline,
    message,
    payment,
    bill,
    ...offerOf(payment),
    level: levelOf(payment),
    ...shown,
    forAccount,
    again,
    subscriptionId: subscription?.id ?? null,
    nextCharge: buyer && payment.state === "succeeded" ? chargedNext(subscription) : null,
    term: isReadable(payment) ? termOf(payment) : null,
    redeemed: licences.flatMap(({ redeemedAt }, at) => (redeemedAt === null ? [] : [at])),
  };
}

const termOf = ({ days, devices, every, trialDays }: Payment) => ({
  days,
  devices,
  recurring: every && { interval: every, trial_days: trialDays },
});

const leftMessage = "Your checkout is still open. Nothing was charged.";

const isRefusedTrial = ({ failureReason }: Payment): boolean => failureReason === trialTakenBefore;

const refusedTrialMessage = (again: OrderAgain | null): string =>
  `You can have one free trial, so this one was canceled. Nothing was charged. ${
    again
      ? "You can subscribe without a trial."
      : "To subscribe without one, order again in the browser you used."
  }`;

/** What the buyer may order again without paying twice; null if the order was paid, or may still be. */
function orderAgain(payment: Payment, { gift }: PaymentView): OrderAgain | null {
  const refused = isRefusedTrial(payment);
  const unpaid =
    refused || (["open", "expired", "failed"].includes(payment.state) && payment.paidAt === null);
  // the receiver of an old gift was erased
  if (!unpaid || payment.mismatch || isRenewal(payment) || !isReadable(payment) || gift?.email === "")
    return null;
  return {
    offer: offerOf(payment).offer,
    quantity: payment.quantity,
    gift,
    ...(refused && { without_trial: true }),
  };
}

/** What the keys are to the viewer's account, null if none is theirs to use; and why they add nothing, if not beside a lifetime. */
async function forAccountOf(
  ctx: Ctx,
  payment: Payment,
  licences: Licence[],
  viewer: Viewer,
): Promise<[ForAccount | null, covered?: string | null]> {
  const { accountId } = viewer;
  if (accountId === null) return [null];
  if (payment.quantity === 1 && licences.some((one) => one.accountId === accountId)) return ["added"];
  const theirs = payment.giftEmail === null && isReadable(payment) && isBuyer(ctx, payment, viewer);
  const unused = licences.filter((one) => statusOf(ctx, one) === "unredeemed");
  const [first] = unused;
  if (!theirs || !first) return [null];
  const holdings = await readHoldings(ctx, accountId);
  const use = holdings ? bestUseOf(ctx, holdings, unused) : "adds";
  if (holdings && use === "adds nothing")
    return ["redundant", coveredText(ctx, holdings, first, "Your account already has")];
  return [use === "waits" ? "waiting" : "addable"];
}

/** What the sale did for the buyer's account. */
function ofAccount(
  { state, quantity, accountId }: Payment,
  licences: Licence[],
  viewer: Viewer,
  { forAccount, covered }: { forAccount: ForAccount | null; covered: string | null | undefined },
) {
  // a renewal gives no key
  if (state !== "succeeded" || licences.length === 0) return null;
  if (forAccount === "redundant") {
    const why = covered ?? "Your account already has a lifetime license";
    return quantity > 1
      ? `Thank you! Your license keys are ready. ${why}, so they are yours to give away.`
      : `Thank you! ${why}, so this one wasn't added. Its key is yours to give away.`;
  }
  if (forAccount === "waiting") {
    return quantity > 1
      ? "Thank you! Your subscription is still running. Keep your license keys and redeem them when that ends."
      : "Thank you! Your subscription is still running. Keep your license key and redeem it when that ends.";
  }
  const redeemed = licences.every(({ redeemedAt }) => redeemedAt !== null);
  const several = quantity > 1;
  if (!redeemed) return null;
  if (several || accountId === null || licences.some((one) => one.accountId !== accountId))
    return `Thank you! Your license ${several ? "keys have" : "key has"} been redeemed.`;
  return `Thank you! Your license is on ${viewer.accountId === accountId ? "your account" : "the account that bought it"}.`;
}

/** Sentences for facts that the state alone doesn't show. */
function special(payment: Payment, { refunded, currency }: Bill, licences: Licence[], { gift }: PaymentView) {
  const { state, disputeStatus, mismatch, quantity, giftSentAt } = payment;
  const several = quantity > 1;
  if (isDeferred(payment)) {
    return "Thank you! Your payment has arrived, and we're looking at your order. Please don't pay again. What you bought will appear on this page and in your inbox.";
  }
  if (state === "disputed" && paymentStatusOf(disputeStatus) === "revoked") {
    return `The bank decided the dispute in the buyer's favor, so the ${several ? "licenses have" : "license has"} ended.`;
  }
  if (mismatch) return "The payment doesn't match the order, so nothing was sold. Please ask support.";
  if (state !== "succeeded") return null;
  if (refunded > 0)
    return `${money(refunded, currency)} of this payment was refunded.${remainingLicences(licences)}`;
  if (!gift) return null;
  return licences.every(({ redeemedAt }) => redeemedAt !== null)
    ? "Your gift has been opened."
    : `Thank you! The license key ${giftSentAt ? "has been emailed" : "goes"} to ${gift.email}.`;
}

/** After a partial refund, staff choose which of several licences end. */
function remainingLicences(licences: Licence[]): string {
  const left = licences.filter(({ revokedAt }) => revokedAt === null).length;
  if (left === 0) return "";
  return ` Its ${left < licences.length ? "other " : ""}${left > 1 ? "licenses stay" : "license stays"} active.`;
}
