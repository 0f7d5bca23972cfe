import type { Actor } from "@/core/base/actor";
import type { Ctx } from "@/core/database/context";
import { billOf } from "../../bills/bill";
import { statusOf } from "../../licences/entitlement/entitlement";
import { keyOf } from "../../licences/keys/issue";
import { maskKey } from "../../licences/keys/keys";
import { authorize } from "../../permissions";
import type { Payment } from "../../schema/payments";
import { offerOf } from "../port/order-terms";
import { paymentNamed } from "../reading/find";
import { giftsToEmail, paymentsOfEmail } from "../reading/orders-by-email";

/**
 * What staff see of a payment, found by our own id or Stripe's id of its session or intent. Masks keys. Refuses with
 * `payment_unknown`.
 */
export async function paymentForStaff(ctx: Ctx, actor: Actor, typed: string) {
  authorize(actor, "payment.read");
  const { payment, licences } = await paymentNamed(ctx, typed);
  const keys = licences.map((licence) => ({ id: licence.id, key: maskKey(keyOf(ctx, licence)) }));
  const view = {
    ...payment,
    browserHash: undefined,
    unusualEmailKey: undefined,
    emailKey: undefined,
    emailDomain: undefined,
    unusualGiftKey: undefined,
    giftKey: undefined,
    seal: undefined,
    ...disputeOf(payment),
    bill: billOf(payment),
    offer: offerOf(payment).offer,
    licence: keys[0] ?? null,
    licences: keys,
  };
  return { payment, view };
}

/** The dispute as one field instead of several columns. */
const disputeOf = (payment: Payment) => ({
  disputeReason: undefined,
  disputeAmount: undefined,
  disputeCurrency: undefined,
  disputeAnswerBy: undefined,
  dispute: payment.disputeStatus && {
    status: payment.disputeStatus,
    reason: payment.disputeReason,
    amount: payment.disputeAmount,
    currency: payment.disputeCurrency,
    since: payment.disputedAt,
    answer_by: payment.disputeAnswerBy,
  },
});

/** The newest payments with an address, in any spelling, then the gifts to it. Masks keys. */
export async function ordersForStaff(ctx: Ctx, actor: Actor, email: string) {
  authorize(actor, "payment.read");
  const found = [...(await paymentsOfEmail(ctx, email)), ...(await giftsToEmail(ctx, email))];
  return found.map(({ payment, keys }) => ({
    id: payment.id,
    at: payment.createdAt,
    state: payment.state,
    bill: billOf(payment),
    gift: payment.giftEmail,
    keys: keys.map(({ licence, owner }) => ({
      key: maskKey(keyOf(ctx, licence)),
      status: statusOf(ctx, licence),
      owner,
    })),
  }));
}
