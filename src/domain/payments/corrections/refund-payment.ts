import type { By } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { Refusal } from "@/core/base/refusal";
import { authorize, expectConfirmed, may } from "../../permissions";
import type { Payment } from "../../schema/payments";
import type { Refund } from "../../schema/refunds";
import { type CheckoutGateway, CheckoutUnreachable } from "../port/stripe";
import { settle } from "../settlement/settle";
import { carryOutRefund } from "./carry-out-refund";
import { approveRefund, proposeRefund } from "./proposals";
import { type RefundTerms, requestRefund } from "../refunds/refunds";

export type RefundResult = {
  refund: Refund;
  /** The payment as it was before the request. */
  payment: Payment;
  /** The same request had already made it; this call refunded nothing. */
  before: boolean;
  /** Why Stripe has not made it yet; the running shop keeps trying. */
  fault: CheckoutUnreachable | null;
};

/**
 * Refunds a payment and asks Stripe for the refund at once. Repeating the request makes no second refund. Refuses with
 * what {@link requestRefund} refuses, and with `refund_refused` and Stripe's sentence.
 */
export async function refundPayment(
  ctx: Ctx,
  gateway: CheckoutGateway,
  payment: Payment,
  wanted: RefundTerms,
): Promise<RefundResult> {
  authorize(wanted.by, "refund.make");
  expectConfirmed(ctx, wanted.by, "refund.make");
  // a refund made elsewhere lowers what is left
  const now = (await settledPayment(ctx, gateway, payment)) ?? payment;
  const asked = await requestRefund(ctx, gateway, now, wanted);
  const { refund, isNew, fault } = await refundNow(ctx, gateway, asked);
  return { refund, payment: now, before: refund.state === "made" && !asked.isNew && !isNew, fault };
}

/** The payment settled from Stripe now; null while Stripe is unreachable. Stripe refuses more than what is left anyway. */
const settledPayment = (
  ctx: Ctx,
  gateway: CheckoutGateway,
  { sessionId }: Payment,
): Promise<Payment | null> =>
  settle(ctx, gateway, sessionId).catch((error: unknown) => {
    if (!(error instanceof CheckoutUnreachable)) throw error;
    return null;
  });

/** Asks Stripe at once; if it is unreachable, the outbox keeps trying. Refuses with `refund_refused`. */
async function refundNow(ctx: Ctx, gateway: CheckoutGateway, asked: { refund: Refund; isNew: boolean }) {
  let fault: CheckoutUnreachable | null = null;
  const { refund, isNew } = await carryOutRefund(ctx, gateway, asked.refund.id).catch((error: unknown) => {
    if (!(error instanceof CheckoutUnreachable)) throw error;
    fault = error;
    return asked;
  });
  if (refund.state === "refused") {
    throw new Refusal("refund_refused", { sentence: `Stripe refused: ${refund.refusal}` });
  }
  return { refund, isNew, fault };
}

/** What staff who may not refund propose. */
export type RefundProposed = { refund: Pick<Refund, "id" | "amount"> & { state: "proposed" } };

/**
 * What staff ask for on the desk: those who may refund do, everybody else proposes it to the owners. Nobody proposes to
 * keep a licence, because the approval doesn't show that. `approved` while Stripe is away. Refuses with what {@link refundPayment} and {@link proposeRefund} refuse.
 */
export async function askForRefund(
  ctx: Ctx,
  gateway: CheckoutGateway,
  payment: Payment,
  { cap, ...wanted }: RefundTerms & { cap: number },
): Promise<RefundResult | RefundProposed> {
  if (wanted.keeps || may(wanted.by, "refund.make")) return refundPayment(ctx, gateway, payment, wanted);
  const { id, amount } = await proposeRefund(ctx, payment, { ...wanted, ticketId: null, cap });
  return { refund: { id, amount, state: "proposed" } };
}

/**
 * An owner approves a proposal, and Stripe is asked at once. Refuses with what {@link approveRefund} refuses, and with
 * `refund_refused` and Stripe's sentence.
 */
export async function approveAndMake(
  ctx: Ctx,
  gateway: CheckoutGateway,
  id: string,
  by: By,
): Promise<Pick<RefundResult, "refund">> {
  authorize(by, "refund.approve");
  const { refund } = await approveRefund(ctx, id, by);
  return refundNow(ctx, gateway, { refund: { ...refund, state: "approved" }, isNew: true });
}
