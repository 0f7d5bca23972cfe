import { z } from "zod";
import { type AboutSubscription, subscriptionEmail, subscriptionLetter } from "../about-subscription";

/** Tells the address that a subscription was billed at that another one takes its place: whoever opened its billing can do that. */
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
  subscriptionLetter(content, {
    kind: "billing-moved",
    subject: `The billing address of ${content.productName} was changed`,
    preheader: "Receipts and reminders no longer come here.",
    title: "Your billing address was changed",
    text: [
      `Your subscription to ${content.productName} has another email address for billing now. Receipts, reminders and news of its end go there, and no longer here.`,
    ],
    quietly: "If it was not you, write to us at once.",
  });
