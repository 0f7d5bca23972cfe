import { dueOf } from "@/contract/wire/bills";
import { money } from "@/contract/vocabulary/money";
import { nothing } from "@/core/database/topic";
import { billOf } from "../../bills/bill";
import { button, link } from "../../mail/blocks";
import {
  type AboutSubscription,
  nameFor,
  onDay,
  subscriptionEmail,
  subscriptionLetter,
} from "../about-subscription";

/** A renewal could not be charged. */
export const subscriptionPastDueEmail = subscriptionEmail(
  "mail.subscription-past-due",
  nothing,
  (_, found) => {
    const { subscription, licence, unpaid } = found;
    if (subscription.status !== "past_due") return null;
    return {
      name: nameFor("past-due", unpaid?.periodEndsAt ?? null),
      email: writeSubscriptionPastDue({
        ...found,
        price: unpaid ? money(dueOf(billOf(unpaid)), unpaid.currency) : null,
        payUrl: unpaid?.invoiceUrl ?? null,
        until: licence?.expiresAt ?? null,
        first: subscription.firstPaidAt === null,
      }),
    };
  },
);

type Content = AboutSubscription & {
  price: string | null;
  /** Stripe's page of the invoice. */
  payUrl: string | null;
  until: Date | null;
  /** Nothing was paid yet: its trial has ended. */
  first: boolean;
};

export function writeSubscriptionPastDue(content: Content) {
  const { productName, price, payUrl, until, first, manageUrl } = content;
  const failed = `The ${first ? "first payment for" : "renewal of"} ${productName}${price ? ` for ${price}` : ""} could not be charged.`;
  return subscriptionLetter(content, {
    kind: "subscription-past-due",
    subject: `Your payment for ${productName} failed`,
    preheader: failed,
    title: "Your payment failed",
    text: [
      failed,
      until
        ? `Your license stays active until ${onDay(until)}. Pay before then, or update your card, to keep it.`
        : "Pay, or update your card, to keep your license.",
    ],
    ...(payUrl && { buttons: [button("Pay now", payUrl), link("Update your card", manageUrl)] }),
  });
}
