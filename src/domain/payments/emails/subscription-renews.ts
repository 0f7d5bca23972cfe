import { money } from "@/contract/money";
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

/** A trial ends soon, or a year is charged again soon. */
export const subscriptionRenewsEmail = subscriptionEmail("mail.subscription-renews", nothing, (_, found) => {
  const { status, renewsAt, nextAmount, currency } = found.subscription;
  // cancelled meanwhile
  if (renewsAt === null || (status !== "trialing" && status !== "active")) return null;
  return {
    name: nameFor("renews", renewsAt),
    email: writeSubscriptionRenews({
      ...aboutSubscription(found),
      isTrial: status === "trialing",
      renewsAt,
      price: nextAmount === null ? null : money(nextAmount, currency),
    }),
  };
});

type Content = AboutSubscription & { isTrial: boolean; renewsAt: Date; price: string | null };

export function writeSubscriptionRenews(content: Content): Email {
  const { productName, isTrial, renewsAt, price } = content;
  const charged = `${price ?? "Its price"} is charged on ${onDay(renewsAt)}.`;
  return {
    kind: "subscription-renews",
    subject: isTrial
      ? `Your trial of ${productName} ends soon`
      : `Your subscription to ${productName} renews soon`,
    preheader: charged,
    blocks: [
      heading(isTrial ? "Your trial ends soon" : "Your subscription renews soon"),
      paragraph(charged),
      paragraph("To keep it, there is nothing to do. To end it, cancel it before then."),
      manageButton(content),
    ],
    why: whySubscription(content),
  };
}
