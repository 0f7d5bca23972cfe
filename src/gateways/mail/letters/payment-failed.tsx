import { Heading, Paragraph, paymentLine, PaymentLink } from "./parts";
import type { LetterOf, Writing } from "./writing";

const outcome =
  "You were not charged, and no license key was issued. You are welcome to try again with another payment method.";

export const paymentFailed: Writing<"payment-failed"> = {
  subject: ({ productName }) => `Your payment for ${productName} failed`,
  preview: () => "You were not charged, and no license key was issued.",
  body: (letter) => (
    <>
      <Heading>Your payment failed</Heading>
      <Paragraph>{news(letter)}</Paragraph>
      <Paragraph>{outcome}</Paragraph>
      <PaymentLink letter={letter} />
    </>
  ),
  text: (letter) => ["Your payment failed", news(letter), outcome, paymentLine(letter)],
};

function news({ productName, transactionId }: LetterOf<"payment-failed">) {
  return `Your bank declined the payment ${transactionId} for ${productName}.`;
}
