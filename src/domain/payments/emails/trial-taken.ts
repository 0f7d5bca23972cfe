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

/** A second trial was cancelled at once. */
export const trialTakenEmail = paymentEmail("mail.trial-taken", nothing, (_, found) =>
  found.payment.state === "failed"
    ? { name: "trial-taken", email: writeTrialTaken(aboutPayment(found)) }
    : null,
);

export function writeTrialTaken(about: AboutPayment): Email {
  const { productName } = about;
  return {
    kind: "trial-taken",
    subject: `Your trial of ${productName} was canceled`,
    preheader: "A free trial is given once. Nothing was charged.",
    blocks: [
      heading("Your trial was canceled"),
      paragraph(
        `A free trial is given once, and this account, address or card had one before. Nothing was charged, and no license key was issued.`,
      ),
      paragraph(`To subscribe to ${productName} without a trial, order again in the browser that you used.`),
      paymentButton(about),
      paymentFacts(about),
    ],
    why: whyPayment(about),
  };
}
