import { nothing } from "@/core/database/topic";
import { heading, paragraph } from "../../mail/blocks";
import type { Email } from "../../mail/email";
import {
  type AboutSubscription,
  manageButton,
  nameFor,
  subscriptionEmail,
  whySubscription,
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

export function writeSubscriptionEnded(content: AboutSubscription): Email {
  const { productName } = content;
  return {
    kind: "subscription-ended",
    subject: `Your subscription to ${productName} has ended`,
    preheader: "Nothing more is charged.",
    blocks: [
      heading("Your subscription has ended"),
      paragraph(`Your subscription to ${productName} has ended, and nothing more is charged.`),
      paragraph("You can subscribe again whenever you like."),
      manageButton(content),
    ],
    why: whySubscription(content),
  };
}
