import { day } from "@/contract/vocabulary/time";
import type { Ctx } from "@/core/database/context";
import { keyOf } from "../../licences/keys/issue";
import { maskKey } from "../../licences/keys/keys";
import { maskEmail } from "@/contract/vocabulary/mask";
import { statusOf } from "../../licences/entitlement/entitlement";
import type { Licence } from "../../schema/licences";
import type { Payment } from "../../schema/payments";
import { isReadable } from "../port/order-terms";

/** The visitor: hashes of the browser's checkout marks, and the account if signed in. */
export type PaymentVisitor = { browserHashes: string[]; accountId: string | null };

/** A visitor of one payment; `buysSubscription`: their account is the buyer of the subscription that it pays for. */
export type Viewer = PaymentVisitor & { buysSubscription: boolean };

export type Gift = { email: string; from: string | null; message: string | null };

/** What owners of a payment or a key see whole; masked for anyone else. */
export type PaymentView = {
  keys: string[];
  /** The indexes in `keys` of those that nobody can use now. */
  unusable: number[];
  email: string | null;
  invoiceUrl: string | null;
  gift: Gift | null;
  /** The viewer made the order, signed in or in this browser, or is the subscription's buyer. */
  isTheirs: boolean;
};

/** How long the buying browser may see the keys. */
const keyVisibleMilliseconds = day;

/**
 * The account that redeemed a key sees it whole; so does the buyer until then, unless the key is a gift or a newer
 * release wrote its order. Whoever redeemed a gift, one key of a larger order, or the key of somebody else's subscription
 * learns nothing about the buyer.
 */
export function visibleTo(ctx: Ctx, payment: Payment, licences: Licence[], viewer: Viewer): PaymentView {
  const buyer = isBuyer(ctx, payment, viewer);
  const owns = (licence: Licence) => viewer.accountId !== null && licence.accountId === viewer.accountId;
  const isGift = payment.giftEmail !== null;
  const mayBeBuyers = !isGift && isReadable(payment);
  const single = !isGift && payment.quantity === 1;
  const holder = payment.subscription === null ? single && licences.some(owns) : viewer.buysSubscription;
  // a buyer who gave the only key away sees the email masked like the key
  const givenAway = single && licences.some((one) => one.redeemedAt !== null);
  const { email } = payment;
  return {
    keys: licences.map((licence) => {
      const key = keyOf(ctx, licence);
      const whole = owns(licence) || (buyer && mayBeBuyers && licence.redeemedAt === null);
      return whole ? key : maskKey(key);
    }),
    unusable: licences.flatMap((licence, at) => (isUsable(ctx, licence) ? [] : [at])),
    email: email && (holder || (buyer && !givenAway) ? email : maskEmail(email)),
    invoiceUrl: buyer || holder ? payment.invoiceUrl : null,
    gift: visibleGift(payment, buyer),
    isTheirs: buyer,
  };
}

/** Whether neither the payment, nor staff, nor the shop's mode keeps a licence from being used. */
const isUsable = (ctx: Ctx, licence: Licence) =>
  ["unredeemed", "active", "expired"].includes(statusOf(ctx, licence));

export function isBuyer(ctx: Ctx, payment: Payment, viewer: Viewer): boolean {
  const { accountId, browserHashes, buysSubscription } = viewer;
  if (buysSubscription || (accountId !== null && accountId === payment.accountId)) return true;
  const fresh = ctx.now().getTime() - payment.createdAt.getTime() < keyVisibleMilliseconds;
  return fresh && payment.browserHash !== null && browserHashes.includes(payment.browserHash);
}

function visibleGift({ giftEmail, giftFrom, giftMessage }: Payment, buyer: boolean): Gift | null {
  if (giftEmail === null) return null;
  return buyer && giftEmail !== ""
    ? { email: giftEmail, from: giftFrom, message: giftMessage }
    : { email: giftEmail && maskEmail(giftEmail), from: null, message: null };
}
