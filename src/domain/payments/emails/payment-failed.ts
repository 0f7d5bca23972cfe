import { nothing } from "@/core/database/topic";
import { type AboutPayment, aboutPayment, paymentEmail, paymentLetter } from "../about-payment";

/** A delayed payment failed. */
export const paymentFailedEmail = paymentEmail("mail.payment-failed", nothing, (_, found) =>
  found.payment.state === "failed"
    ? { name: "failed", email: writePaymentFailed(aboutPayment(found)) }
    : null,
);

export function writePaymentFailed(about: AboutPayment) {
  const { productName, quantity } = about;
  const unissued = `You were not charged, and no license ${quantity > 1 ? "keys were" : "key was"} issued.`;
  return paymentLetter(about, {
    kind: "payment-failed",
    subject: `Your payment for ${productName} failed`,
    preheader: unissued,
    title: "Your payment failed",
    text: [
      `Your bank declined your payment for ${productName}.`,
      `${unissued} You are welcome to try again with another payment method.`,
    ],
  });
}
