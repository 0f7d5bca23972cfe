import { nothing } from "@/core/database/topic";
import { type AboutPayment, aboutPayment, paymentEmail, paymentLetter } from "../about-payment";

/** A second trial was cancelled at once. */
export const trialTakenEmail = paymentEmail("mail.trial-taken", nothing, (_, found) =>
  found.payment.state === "failed"
    ? { name: "trial-taken", email: writeTrialTaken(aboutPayment(found)) }
    : null,
);

export function writeTrialTaken(about: AboutPayment) {
  const { productName } = about;
  return paymentLetter(about, {
    kind: "trial-taken",
    subject: `Your trial of ${productName} was canceled`,
    preheader: "A free trial is given once. Nothing was charged.",
    title: "Your trial was canceled",
    text: [
      `A free trial is given once, and this account, address or card had one before. Nothing was charged, and no license key was issued.`,
      `To subscribe to ${productName} without a trial, order again in the browser that you used.`,
    ],
  });
}
