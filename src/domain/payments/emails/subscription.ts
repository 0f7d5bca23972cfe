import { z } from "zod";
import { charge } from "@/contract/vocabulary/next-charge";
import { hour, minute } from "@/contract/vocabulary/time";
import { commit } from "@/core/database/commit";
import type { Ctx } from "@/core/database/context";
import { RetryLater } from "@/core/jobs/job-handlers";
import { enqueue } from "@/core/jobs/outbox";
import { noPayload } from "@/core/database/topic";
import { dueOf } from "@/contract/wire/bills";
import { money } from "@/contract/vocabulary/money";
import { shopTopics } from "../../outbox-topics";
import { plusTax, type Subscription } from "../../schema/subscriptions";
import { billOf } from "../../bills/bill";
import { button, link } from "../../mail/blocks";
import {
  type AboutSubscription,
  messageNameAt,
  dayOrItsEnd,
  subscriptionEmail,
  subscriptionEmailTemplate,
} from "../about-subscription";

/** A trial ends soon, or a year is charged again soon. Waits for what Stripe says of the charge, an hour at most. */
export const subscriptionRenewsEmail = subscriptionEmail(
  "mail.subscription-renews",
  noPayload,
  async (ctx, { subscription, ...found }, { createdAt }) => {
    const { status, renewsAt, nextAmount, currency } = subscription;
    // cancelled meanwhile
    if (renewsAt === null || (status !== "trialing" && status !== "active")) return null;
    if (subscription.nextLacks !== null && createdAt.getTime() > ctx.now().getTime() - hour)
      await askAgain(ctx, subscription);
    return {
      name: messageNameAt("renews", renewsAt),
      email: writeSubscriptionRenews({
        ...found,
        isTrial: status === "trialing",
        renewsAt,
        price: nextAmount === null ? null : charge(nextAmount, currency, plusTax(subscription)),
      }),
    };
  },
);

/** Makes the shop check the subscription again, and retries the email later. */
async function askAgain(ctx: Ctx, { stripeId: subscription }: Subscription): Promise<never> {
  await commit(ctx.store, [
    enqueue(ctx, { topic: shopTopics.settleAgain, subject: subscription, payload: { subscription } }),
  ]);
  throw new RetryLater("Stripe has not said what is charged next", 15 * minute);
}

type RenewalContent = AboutSubscription & { isTrial: boolean; renewsAt: Date; price: string | null };

export function writeSubscriptionRenews(content: RenewalContent) {
  const { productName, isTrial, renewsAt, price } = content;
  const charged = `${price ?? "Its price"} is charged on ${dayOrItsEnd(renewsAt)}.`;
  return subscriptionEmailTemplate(content, {
    kind: "subscription-renews",
    subject: isTrial
      ? `Your trial of ${productName} ends soon`
      : `Your subscription to ${productName} renews soon`,
    preheader: charged,
    title: isTrial ? "Your trial ends soon" : "Your subscription renews soon",
    text: [charged, "You don't need to do anything to keep it. To stop, cancel before then."],
  });
}

/** A renewal could not be charged. */
export const subscriptionPastDueEmail = subscriptionEmail(
  "mail.subscription-past-due",
  noPayload,
  (_, found) => {
    const { subscription, licence, unpaid } = found;
    if (subscription.status !== "past_due") return null;
    return {
      name: messageNameAt("past-due", unpaid?.periodEndsAt ?? null),
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

type PastDue = AboutSubscription & {
  price: string | null;
  /** Stripe's page of the invoice. */
  payUrl: string | null;
  until: Date | null;
  /** Nothing was paid yet: its trial has ended. */
  first: boolean;
};

export function writeSubscriptionPastDue(content: PastDue) {
  const { productName, price, payUrl, until, first, manageUrl } = content;
  const failed = `The ${first ? "first payment for" : "renewal of"} ${productName}${price ? ` for ${price}` : ""} couldn't be charged.`;
  return subscriptionEmailTemplate(content, {
    kind: "subscription-past-due",
    subject: `Your payment for ${productName} failed`,
    preheader: failed,
    title: "Your payment failed",
    text: [
      failed,
      until
        ? `Your license stays active until ${dayOrItsEnd(until)}. Pay before then, or update your card, to keep it.`
        : "Pay, or update your card, to keep your license.",
    ],
    ...(payUrl && { buttons: [button("Pay now", payUrl), link("Update your card", manageUrl)] }),
  });
}

/** Its period is neither paid nor charged: collection is paused, or its invoice was voided. */
export const subscriptionPausedEmail = subscriptionEmail(
  "mail.subscription-paused",
  noPayload,
  (ctx, found) => {
    const { status, paidUntil, renewsAt, startedAt } = found.subscription;
    if (status !== "paused") return null;
    const activeUntil = paidUntil && paidUntil > ctx.now() ? paidUntil : null;
    return {
      name: messageNameAt("paused", paidUntil ?? startedAt),
      email: writeSubscriptionPaused({ ...found, activeUntil, renewsAt }),
    };
  },
);

type PausedContent = AboutSubscription & {
  /** When its licence ends; null if it has. */
  activeUntil: Date | null;
  /** The next charge, if it is known. */
  renewsAt: Date | null;
};

export function writeSubscriptionPaused(content: PausedContent) {
  const { productName, activeUntil, renewsAt } = content;
  const pause = renewsAt
    ? `Nothing is charged until ${dayOrItsEnd(renewsAt)}; your license continues then.`
    : "Nothing is charged until it resumes.";
  return subscriptionEmailTemplate(content, {
    kind: "subscription-paused",
    subject: `Your subscription to ${productName} is paused`,
    preheader: pause,
    title: "Your subscription is paused",
    text: [pause, ...(activeUntil ? [`Until ${dayOrItsEnd(activeUntil)} your license stays active.`] : [])],
  });
}

/** A subscription was cancelled and goes on after all. */
export const subscriptionResumedEmail = subscriptionEmail(
  "mail.subscription-resumed",
  noPayload,
  (_, found) => {
    const { status, renewsAt, nextAmount, currency } = found.subscription;
    // cancelled again meanwhile
    if (renewsAt === null || (status !== "trialing" && status !== "active")) return null;
    return {
      name: messageNameAt("resumed", renewsAt),
      email: writeSubscriptionResumed({
        ...found,
        renewsAt,
        price: nextAmount === null ? null : charge(nextAmount, currency, plusTax(found.subscription)),
      }),
    };
  },
);

type ResumedContent = AboutSubscription & { renewsAt: Date; price: string | null };

export function writeSubscriptionResumed(content: ResumedContent) {
  const { productName, renewsAt, price } = content;
  const charged = `The next charge is ${price ?? "its price"}, on ${dayOrItsEnd(renewsAt)}.`;
  return subscriptionEmailTemplate(content, {
    kind: "subscription-resumed",
    subject: `Your subscription to ${productName} continues`,
    preheader: charged,
    title: "Your subscription continues",
    text: [`It's no longer canceled. ${charged}`],
  });
}

/** A subscription was cancelled and runs until its end, or was cancelled while its last payment is missing. */
export const subscriptionEndingEmail = subscriptionEmail(
  "mail.subscription-ending",
  noPayload,
  (_, found) => {
    const { subscription, licence } = found;
    const { status, endsAt } = subscription;
    const unpaid = status === "past_due";
    if (endsAt === null || (status !== "ending" && !unpaid)) return null;
    const until = unpaid ? (licence?.expiresAt ?? endsAt) : endsAt;
    return {
      name: messageNameAt("ending", endsAt),
      email: writeSubscriptionEnding({ ...found, endsAt: until, unpaid }),
    };
  },
);

type EndingContent = AboutSubscription & {
  /** When its licence ends. */
  endsAt: Date | null;
  unpaid: boolean;
};

export function writeSubscriptionEnding(content: EndingContent) {
  const { productName, endsAt, unpaid } = content;
  const until = unpaid
    ? `It won't renew. Its last payment failed, so your license stays active only until ${dayOrItsEnd(endsAt)}.`
    : `You won't be charged again. Your license stays active until ${dayOrItsEnd(endsAt)}.`;
  return subscriptionEmailTemplate(content, {
    kind: "subscription-ending",
    subject: `Your subscription to ${productName} is canceled`,
    preheader: until,
    title: "Your subscription is canceled",
    text: [until, "If you change your mind, you can resume it until then."],
  });
}

/** A subscription ended; a refund or a lost dispute has an email of its own. */
export const subscriptionEndedEmail = subscriptionEmail("mail.subscription-ended", noPayload, (_, found) => {
  const { subscription, licence } = found;
  if (subscription.status !== "ended" || licence?.paymentStatus !== "good") return null;
  return {
    name: messageNameAt("ended", subscription.endedAt),
    email: writeSubscriptionEnded(found),
  };
});

export function writeSubscriptionEnded(content: AboutSubscription) {
  const { productName } = content;
  return subscriptionEmailTemplate(content, {
    kind: "subscription-ended",
    subject: `Your subscription to ${productName} has ended`,
    preheader: "You won't be charged again.",
    title: "Your subscription has ended",
    text: [
      `Your subscription to ${productName} has ended. You won't be charged again.`,
      "You can subscribe again whenever you like.",
    ],
  });
}

/** Notifies the former billing address that another one replaces it, which whoever opened the billing page can do. */
export const billingMovedEmail = subscriptionEmail(
  "mail.billing-moved",
  z.object({ former: z.string(), at: z.number() }),
  (_, found, { payload: { former, at } }) => ({
    name: `billing-moved.${at}`,
    to: former,
    email: writeBillingMoved(found),
  }),
);

export const writeBillingMoved = (content: AboutSubscription) =>
  subscriptionEmailTemplate(content, {
    kind: "billing-moved",
    subject: `The billing address of ${content.productName} was changed`,
    preheader: "Receipts and reminders no longer come here.",
    title: "Your billing address was changed",
    text: [
      `The billing address of your subscription to ${content.productName} was changed. Receipts, reminders and other emails about it now go to the new address.`,
    ],
    quietly: "If this wasn't you, write to us right away.",
  });
