import { nothing } from "@/core/database/topic";
import {
  type AboutSubscription,
  nameFor,
  onDay,
  subscriptionEmail,
  subscriptionLetter,
} from "../about-subscription";

/** A subscription was cancelled and runs until its end, or was cancelled while its last payment is missing. */
export const subscriptionEndingEmail = subscriptionEmail("mail.subscription-ending", nothing, (_, found) => {
  const { subscription, licence } = found;
  const { status, endsAt } = subscription;
  const unpaid = status === "past_due";
  if (endsAt === null || (status !== "ending" && !unpaid)) return null;
  const until = unpaid ? (licence?.expiresAt ?? endsAt) : endsAt;
  return {
    name: nameFor("ending", endsAt),
    email: writeSubscriptionEnding({ ...found, endsAt: until, unpaid }),
  };
});

type Content = AboutSubscription & {
  /** When its licence ends. */
  endsAt: Date | null;
  unpaid: boolean;
};

export function writeSubscriptionEnding(content: Content) {
  const { productName, endsAt, unpaid } = content;
  const until = unpaid
    ? `It will not renew. Its last payment failed, so your license is active until ${onDay(endsAt)} only.`
    : `Nothing more is charged. Your license stays active until ${onDay(endsAt)}.`;
  return subscriptionLetter(content, {
    kind: "subscription-ending",
    subject: `Your subscription to ${productName} is canceled`,
    preheader: until,
    title: "Your subscription is canceled",
    text: [until, "If you change your mind, you can resume it until then."],
  });
}
