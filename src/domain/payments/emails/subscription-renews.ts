import { charge } from "@/contract/vocabulary/next-charge";
import { hour, minute } from "@/contract/vocabulary/time";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { RetryLater } from "@/core/jobs/job-handlers";
import { enqueue } from "@/core/jobs/outbox";
import { nothing } from "@/core/database/topic";
import { shopTopics } from "../../outbox-topics";
import { plusTax, type Subscription } from "../../schema/subscriptions";
import {
  type AboutSubscription,
  nameFor,
  onDay,
  subscriptionEmail,
  subscriptionLetter,
} from "../about-subscription";

/** A trial ends soon, or a year is charged again soon. Waits for what Stripe says of the charge, an hour at most. */
export const subscriptionRenewsEmail = subscriptionEmail(
  "mail.subscription-renews",
  nothing,
  async (ctx, { subscription, ...found }, { createdAt }) => {
    const { status, renewsAt, nextAmount, currency } = subscription;
    // cancelled meanwhile
    if (renewsAt === null || (status !== "trialing" && status !== "active")) return null;
    if (subscription.nextLacks !== null && createdAt.getTime() > ctx.now().getTime() - hour)
      await askAgain(ctx, subscription);
    return {
      name: nameFor("renews", renewsAt),
      email: writeSubscriptionRenews({
        ...found,
        isTrial: status === "trialing",
        renewsAt,
        price: nextAmount === null ? null : charge(nextAmount, currency, plusTax(subscription)),
      }),
    };
  },
);

/** Has the shop look at a subscription again, and retries the email later. */
async function askAgain(ctx: Ctx, { stripeId: subscription }: Subscription): Promise<never> {
  await commit(ctx.store, [
    enqueue(ctx, { topic: shopTopics.settleAgain, subject: subscription, payload: { subscription } }),
  ]);
  throw new RetryLater("Stripe has not said what is charged next", 15 * minute);
}

type Content = AboutSubscription & { isTrial: boolean; renewsAt: Date; price: string | null };

export function writeSubscriptionRenews(content: Content) {
  const { productName, isTrial, renewsAt, price } = content;
  const charged = `${price ?? "Its price"} is charged on ${onDay(renewsAt)}.`;
  return subscriptionLetter(content, {
    kind: "subscription-renews",
    subject: isTrial
      ? `Your trial of ${productName} ends soon`
      : `Your subscription to ${productName} renews soon`,
    preheader: charged,
    title: isTrial ? "Your trial ends soon" : "Your subscription renews soon",
    text: [charged, "To keep it, there is nothing to do. To end it, cancel it before then."],
  });
}
