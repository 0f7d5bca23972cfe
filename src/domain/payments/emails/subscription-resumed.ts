import { charge } from "@/contract/vocabulary/next-charge";
import { nothing } from "@/core/database/topic";
import { plusTax } from "../../schema/subscriptions";
import {
  type AboutSubscription,
  nameFor,
  onDay,
  subscriptionEmail,
  subscriptionLetter,
} from "../about-subscription";

/** A subscription was cancelled and goes on after all. */
export const subscriptionResumedEmail = subscriptionEmail(
  "mail.subscription-resumed",
  nothing,
  (_, found) => {
    const { status, renewsAt, nextAmount, currency } = found.subscription;
    // cancelled again meanwhile
    if (renewsAt === null || (status !== "trialing" && status !== "active")) return null;
    return {
      name: nameFor("resumed", renewsAt),
      email: writeSubscriptionResumed({
        ...found,
        renewsAt,
        price: nextAmount === null ? null : charge(nextAmount, currency, plusTax(found.subscription)),
      }),
    };
  },
);

type Content = AboutSubscription & { renewsAt: Date; price: string | null };

export function writeSubscriptionResumed(content: Content) {
  const { productName, renewsAt, price } = content;
  const charged = `The next charge is ${price ?? "its price"}, on ${onDay(renewsAt)}.`;
  return subscriptionLetter(content, {
    kind: "subscription-resumed",
    subject: `Your subscription to ${productName} goes on`,
    preheader: charged,
    title: "Your subscription goes on",
    text: [`It is no longer canceled. ${charged}`],
  });
}
