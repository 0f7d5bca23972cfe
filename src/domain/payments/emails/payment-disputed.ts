import { nothing } from "@/core/database/topic";
import { type AboutPayment, aboutPayment, nameEachTime, paymentEmail, paymentLetter } from "../about-payment";

export const paymentDisputedEmail = paymentEmail("mail.payment-disputed", nothing, (_, found, job) =>
  found.licence?.paymentStatus === "disputed"
    ? { name: nameEachTime("disputed", job), email: writePaymentDisputed(aboutPayment(found)) }
    : null,
);

export function writePaymentDisputed(about: AboutPayment) {
  const { productName, quantity } = about;
  return paymentLetter(about, {
    kind: "payment-disputed",
    subject: `Your payment for ${productName} is disputed`,
    preheader: `The ${quantity > 1 ? "licenses are" : "license is"} suspended until the dispute is decided.`,
    title: "Your payment is disputed",
    text: [
      `Your bank informed us that your payment for ${productName} is disputed.`,
      quantity > 1
        ? "Until the dispute is decided, the licenses are suspended, and with them downloads and the premium role. " +
          "If it is decided in our favor, everything is restored automatically; if not, the licenses end."
        : "Until the dispute is decided, the license is suspended, and with it downloads and the premium role. " +
          "If it is decided in our favor, everything is restored automatically; if not, the license ends.",
    ],
    quietly:
      "If you did not mean to dispute it, tell your bank that you want to withdraw the dispute, and write to us.",
  });
}
