import { Heading, Paragraph, paymentLine, PaymentLink } from "./parts";
import type { LetterOf, Writing } from "./writing";

const outcome = "Nothing was charged, and there is no license key. You are welcome to try again another way.";

export const paymentFailed: Writing<"payment-failed"> = {
  subject: ({ productName }) => `Your payment for ${productName} did not arrive`,
  preview: () => "Nothing was charged, and there is no license key.",
  body: (letter) => (
    <>
      <Heading>Your payment did not arrive</Heading>
      <Paragraph>{news(letter)}</Paragraph>
      <Paragraph>{outcome}</Paragraph>
      <PaymentLink letter={letter} />
    </>
  ),
  text: (letter) => ["Your payment did not arrive", news(letter), outcome, paymentLine(letter)],
};

function news({ productName, transactionId }: LetterOf<"payment-failed">) {
  return `Your bank did not carry out the payment ${transactionId} for ${productName}.`;
}
