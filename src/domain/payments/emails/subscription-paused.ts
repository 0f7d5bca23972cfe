import { nothing } from "@/core/database/topic";
import {
  type AboutSubscription,
  nameFor,
  onDay,
  subscriptionEmail,
  subscriptionLetter,
} from "../about-subscription";

/** Its period is neither paid nor charged: collection is paused, or its invoice was voided. */
export const subscriptionPausedEmail = subscriptionEmail(
  "mail.subscription-paused",
  nothing,
  (ctx, found) => {
    const { status, paidUntil, renewsAt, startedAt } = found.subscription;
    if (status !== "paused") return null;
    const activeUntil = paidUntil && paidUntil > ctx.now() ? paidUntil : null;
    return {
      name: nameFor("paused", paidUntil ?? startedAt),
      email: writeSubscriptionPaused({ ...found, activeUntil, renewsAt }),
    };
  },
);

type Content = AboutSubscription & {
  /** When its licence ends; null if it has. */
  activeUntil: Date | null;
  /** The next charge, if it is known. */
  renewsAt: Date | null;
};

export function writeSubscriptionPaused(content: Content) {
  const { productName, activeUntil, renewsAt } = content;
  const pause = renewsAt
    ? `Nothing is charged until ${onDay(renewsAt)}; your license goes on then.`
    : "Nothing is charged until it goes on.";
  return subscriptionLetter(content, {
    kind: "subscription-paused",
    subject: `Your subscription to ${productName} is paused`,
    preheader: pause,
    title: "Your subscription is paused",
    text: [pause, ...(activeUntil ? [`Until ${onDay(activeUntil)} your license stays active.`] : [])],
  });
}
