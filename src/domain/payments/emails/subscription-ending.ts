import { nothing } from "@/core/outbox-topics";
import { heading, paragraph } from "../../mail/blocks";
import type { Email } from "../../mail/email";
import {
  type AboutSubscription,
  aboutSubscription,
  manageButton,
  nameFor,
  onDay,
  subscriptionEmail,
  whySubscription,
} from "../about-subscription";

/** A subscription was cancelled and runs until its end. */
export const subscriptionEndingEmail = subscriptionEmail("mail.subscription-ending", nothing, (_, found) => {
  const { subscription } = found;
  if (subscription.status !== "ending") return null;
  return {
    name: nameFor("ending", subscription.endsAt),
    email: writeSubscriptionEnding({ ...aboutSubscription(found), endsAt: subscription.endsAt }),
  };
});

export function writeSubscriptionEnding(content: AboutSubscription & { endsAt: Date | null }): Email {
  const { productName, endsAt } = content;
  const until = `Nothing more is charged. Your license stays active until ${onDay(endsAt)}.`;
  return {
    kind: "subscription-ending",
    subject: `Your subscription to ${productName} is canceled`,
    preheader: until,
    blocks: [
      heading("Your subscription is canceled"),
      paragraph(until),
      paragraph("If you change your mind, you can resume it until then."),
      manageButton(content),
    ],
    why: whySubscription(content),
  };
}
