import { nothing } from "@/core/database/topic";
import {
  type AboutSubscription,
  nameFor,
  subscriptionEmail,
  subscriptionLetter,
} from "../about-subscription";

/** A subscription ended; a refund or a lost dispute has an email of its own. */
export const subscriptionEndedEmail = subscriptionEmail("mail.subscription-ended", nothing, (_, found) => {
  const { subscription, licence } = found;
  if (subscription.status !== "ended" || licence?.paymentStatus !== "good") return null;
  return {
    name: nameFor("ended", subscription.endedAt),
    email: writeSubscriptionEnded(found),
  };
});

export function writeSubscriptionEnded(content: AboutSubscription) {
  const { productName } = content;
  return subscriptionLetter(content, {
    kind: "subscription-ended",
    subject: `Your subscription to ${productName} has ended`,
    preheader: "Nothing more is charged.",
    title: "Your subscription has ended",
    text: [
      `Your subscription to ${productName} has ended, and nothing more is charged.`,
      "You can subscribe again whenever you like.",
    ],
  });
}
