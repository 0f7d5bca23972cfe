import { money } from "@/contract/money";
import type { Bill } from "@/contract/payments";
import { nothing } from "@/core/outbox-topics";
import { billOf } from "../../bills/bill";
import { facts, heading, paragraph, quiet } from "../../mail/blocks";
import type { Email } from "../../mail/email";
import { type AboutPayment, aboutPayment, nameEachTime, paymentEmail, paymentLink } from "../about-payment";

export const paymentRefundedEmail = paymentEmail("mail.payment-refunded", nothing, (_, found, job) => {
  const bill = billOf(found.payment);
  if (bill.refunded === 0) return null;
  const email = writePaymentRefunded({ ...aboutPayment(found), bill });
  return { name: nameEachTime(`refunded-${bill.refunded}`, job), email };
});

export function writePaymentRefunded(about: AboutPayment & { bill: Bill }): Email {
  const { productName, quantity, transactionId, bill } = about;
  return {
    kind: "payment-refunded",
    subject: `Your payment for ${productName} was refunded`,
    preheader: `${money(bill.refunded, bill.currency)} of ${money(bill.paid, bill.currency)} is refunded.`,
    blocks: [
      heading("Your payment was refunded"),
      paragraph(
        "The money goes back to the payment method you used; it can take up to ten days to appear on your statement.",
      ),
      facts(
        ["Product", productName],
        ["Paid", money(bill.paid, bill.currency)],
        // several refunds of one payment add up
        ["Refunded in all", money(bill.refunded, bill.currency)],
        ["Transaction ID", transactionId],
      ),
      quiet(
        quantity > 1
          ? "A full refund ends the licenses. A partial refund leaves them as they are, unless we agreed on some that end."
          : "A full refund ends the license. A partial refund leaves it as it is.",
      ),
      paymentLink(about),
    ],
  };
}
