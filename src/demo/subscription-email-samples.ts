import type { Email } from "@/domain/mail/email";
import {
  writeBillingMoved,
  writeSubscriptionEnded,
  writeSubscriptionEnding,
  writeSubscriptionPastDue,
  writeSubscriptionPaused,
  writeSubscriptionRenews,
  writeSubscriptionResumed,
} from "@/domain/payments/emails/subscription";

const at = new Date("2025-03-14T10:22:00Z");

export const subscribed = {
  productName: "Wisp Premium monthly",
  manageUrl: "https://shop.example/dashboard/license#billing",
};

/** Every email about the course of a subscription; its receipts are among the other samples. */
export const subscriptionEmailSamples: Record<string, Email> = {
  "a renewal failed": writeSubscriptionPastDue({
    ...subscribed,
    price: "USD 5.00",
    payUrl: "https://invoice.stripe.com/i/1",
    until: at,
    first: false,
  }),
  "a subscription was cancelled": writeSubscriptionEnding({ ...subscribed, endsAt: at, unpaid: false }),
  "a subscription was cancelled while a payment is missing": writeSubscriptionEnding({
    ...subscribed,
    endsAt: at,
    unpaid: true,
  }),
  "a subscription was resumed": writeSubscriptionResumed({ ...subscribed, renewsAt: at, price: "USD 5.00" }),
  "billing has another address": writeBillingMoved(subscribed),
  "a subscription is paused": writeSubscriptionPaused({ ...subscribed, activeUntil: at, renewsAt: at }),
  "a subscription ended": writeSubscriptionEnded(subscribed),
  "a trial ends": writeSubscriptionRenews({ ...subscribed, isTrial: true, renewsAt: at, price: "USD 5.00" }),
  "a year is charged again": writeSubscriptionRenews({
    ...subscribed,
    isTrial: false,
    renewsAt: at,
    price: "USD 50.00",
  }),
};
