import { nothing } from "@/core/database/topic";
import { type AboutPayment, aboutPayment, nameEachTime, paymentEmail, paymentLetter } from "../about-payment";

/** The bank decided a dispute against the shop: the licences have ended. */
export const paymentLostEmail = paymentEmail("mail.payment-lost", nothing, (_, found, job) =>
  found.licence?.paymentStatus === "revoked"
    ? { name: nameEachTime("lost", job), email: writePaymentLost(aboutPayment(found)) }
    : null,
);

export function writePaymentLost(about: AboutPayment) {
  const { productName, quantity } = about;
  const several = quantity > 1;
  return paymentLetter(about, {
    kind: "payment-lost",
    subject: `Your ${several ? "licenses" : "license"} for ${productName} ${several ? "have" : "has"} ended`,
    preheader: "The dispute was decided in your favor, and your payment was returned.",
    title: several ? "Your licenses have ended" : "Your license has ended",
    text: [
      `The dispute over your payment for ${productName} was decided in your favor, and your bank returned the money to you.`,
      `This ends your ${several ? "licenses, and with them" : "license, and with it"} downloads and the premium role. Your account stays as it is.`,
    ],
    quietly: "If you did not mean to dispute the payment, please write to us.",
  });
}
