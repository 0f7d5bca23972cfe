import { z } from "zod";
import { money } from "@/contract/vocabulary/money";
import { amount as amountPanel, facts } from "../../mail/blocks";
import { type AboutPayment, aboutPayment, nameEachTime, paymentEmail, paymentLetter } from "../about-payment";

/** `amount` in minor units. */
const payload = z.object({ amount: z.int().positive() });

/** A refund failed that had not ended the licences. */
export const paymentPartRefundFailedEmail = paymentEmail(
  "mail.payment-part-refund-failed",
  payload,
  (_, found, job) => {
    const { amount } = job.payload;
    const email = writePaymentPartRefundFailed({ ...aboutPayment(found), amount });
    return { name: nameEachTime("part-refund-failed", job), email };
  },
);

/** `amount` is the failed refund, in minor units. */
type Content = AboutPayment & { amount: number };

export function writePaymentPartRefundFailed(content: Content) {
  const { productName, amount, bill, transactionId } = content;
  return paymentLetter(content, {
    kind: "payment-part-refund-failed",
    subject: `A refund for ${productName} did not reach you`,
    preheader: `${money(amount, bill.currency)} came back to us.`,
    title: "A refund did not reach you",
    text: [
      "Your bank did not take a refund that we had made, so the money came back to us. That happens when, for example, a card has expired.",
      amountPanel("Came back to us", money(amount, bill.currency)),
      "If the refund was agreed, we will be in touch about another way.",
    ],
    which: facts(
      ["Product", productName],
      ["Still refunded", money(bill.refunded, bill.currency)],
      ["Transaction ID", transactionId],
    ),
  });
}
