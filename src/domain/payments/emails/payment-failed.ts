import { nothing } from "@/core/database/topic";
import { heading, paragraph } from "../../mail/blocks";
import type { Email } from "../../mail/email";
import {
  type AboutPayment,
  aboutPayment,
  paymentButton,
  paymentEmail,
  paymentFacts,
  whyPayment,
} from "../about-payment";

/** A delayed payment failed. */
export const paymentFailedEmail = paymentEmail("mail.payment-failed", nothing, (_, found) =>
  found.payment.state === "failed"
    ? { name: "failed", email: writePaymentFailed(aboutPayment(found)) }
    : null,
);

export function writePaymentFailed(about: AboutPayment): Email {
  const { productName, quantity } = about;
  const unissued = `You were not charged, and no license ${quantity > 1 ? "keys were" : "key was"} issued.`;
  return {
    kind: "payment-failed",
    subject: `Your payment for ${productName} failed`,
    preheader: unissued,
    blocks: [
      heading("Your payment failed"),
      paragraph(`Your bank declined your payment for ${productName}.`),
      paragraph(`${unissued} You are welcome to try again with another payment method.`),
      paymentButton(about),
      paymentFacts(about),
    ],
    why: whyPayment(about),
  };
}
