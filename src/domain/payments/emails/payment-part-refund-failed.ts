import { z } from "zod";
import { money } from "@/contract/money";
import type { Bill } from "@/contract/payments";
import { billOf } from "../../bills/bill";
import { facts, heading, paragraph } from "../../mail/blocks";
import type { Email } from "../../mail/email";
import { type AboutPayment, aboutPayment, nameEachTime, paymentEmail, paymentLink } from "../about-payment";

/** `amount` in minor units. */
const payload = z.object({ amount: z.int().positive() });

/** A refund failed that had not ended the licences. */
export const paymentPartRefundFailedEmail = paymentEmail(
  "mail.payment-part-refund-failed",
  payload,
  (_, found, job) => {
    const { amount } = job.payload;
    const email = writePaymentPartRefundFailed({
      ...aboutPayment(found),
      bill: billOf(found.payment),
      amount,
    });
    return { name: nameEachTime("part-refund-failed", job), email };
  },
);

/** `amount` is the failed refund, in minor units. */
type Content = AboutPayment & { amount: number; bill: Bill };

export function writePaymentPartRefundFailed(content: Content): Email {
  const { productName, amount, bill, transactionId } = content;
  return {
    kind: "payment-part-refund-failed",
    subject: `A refund for ${productName} did not reach you`,
    preheader: `${money(amount, bill.currency)} came back to us.`,
    blocks: [
      heading("A refund did not reach you"),
      paragraph(
        "Your bank did not take a refund that we had made, so the money came back to us. That happens when, for example, a card has expired.",
      ),
      facts(
        ["Product", productName],
        ["Came back", money(amount, bill.currency)],
        ["Still refunded", money(bill.refunded, bill.currency)],
        ["Transaction ID", transactionId],
      ),
      paragraph("If the refund was agreed, we will be in touch about another way."),
      paymentLink(content),
    ],
  };
}
