import type { By } from "@/core/actor";
import type { Ctx } from "@/core/context";
import { Refusal } from "@/core/refusal";
import { authorize } from "../../permissions";
import type { Payment } from "../../schema/payments";
import type { Refund } from "../../schema/refunds";
import { type CheckoutGateway, CheckoutUnreachable } from "../checkout/checkout";
import { settle } from "../settle/settle";
import { carryOut } from "./carry-out-refund";
import { requestRefund } from "./refunds";

/** `amount` in minor units; null for all that is left. */
type Wanted = { amount: number | null; by: By };

export type Refunded = {
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
  wanted: Wanted,
): Promise<Refunded> {
  authorize(wanted.by, "refund.make");
  // a refund made elsewhere lowers what is left
  const now = (await settle(ctx, gateway, payment.sessionId)) ?? payment;
  const asked = await requestRefund(ctx, gateway, now, wanted);
  let fault: CheckoutUnreachable | null = null;
  const { refund, isNew } = await carryOut(ctx, gateway, asked.refund.id).catch((error: unknown) => {
    if (!(error instanceof CheckoutUnreachable)) throw error;
    fault = error;
    return asked;
  });
  if (refund.state === "refused") {
    throw new Refusal("refund_refused", { sentence: `Stripe refused: ${refund.refusal}` });
  }
  return { refund, payment: now, before: refund.state === "made" && !asked.isNew && !isNew, fault };
}
