import { Heading, Paragraph, paymentLine, PaymentLink } from "./parts";
import type { LetterOf, Writing } from "./writing";

type Failed = LetterOf<"payment-failed">;

const unissued = ({ quantity }: Failed) =>
  `You were not charged, and no license ${quantity > 1 ? "keys were" : "key was"} issued.`;
const outcome = (letter: Failed) =>
  `${unissued(letter)} You are welcome to try again with another payment method.`;

export const paymentFailed: Writing<"payment-failed"> = {
  subject: ({ productName }) => `Your payment for ${productName} failed`,
  preview: unissued,
  body: (letter) => (
    <>
      <Heading>Your payment failed</Heading>
      <Paragraph>{news(letter)}</Paragraph>
      <Paragraph>{outcome(letter)}</Paragraph>
      <PaymentLink letter={letter} />
    </>
  ),
  text: (letter) => ["Your payment failed", news(letter), outcome(letter), paymentLine(letter)],
};

function news({ productName, transactionId }: Failed) {
  return `Your bank declined the payment ${transactionId} for ${productName}.`;
}
