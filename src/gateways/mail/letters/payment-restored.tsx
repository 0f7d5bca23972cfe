import { Heading, Paragraph, paymentLine, PaymentLink } from "./parts";
import type { LetterOf, Writing } from "./writing";

const whole = "The license, downloads and the premium role work as before. You don't need to do anything.";

export const paymentRestored: Writing<"payment-restored"> = {
  subject: ({ productName }) => `Your license for ${productName} is back`,
  preview: () => "It works as before.",
  body: (letter) => (
    <>
      <Heading>Your license is back</Heading>
      <Paragraph>{news(letter)}</Paragraph>
      <Paragraph>{whole}</Paragraph>
      <PaymentLink letter={letter} />
    </>
  ),
  text: (letter) => ["Your license is back", news(letter), whole, paymentLine(letter)],
};

function news({ because, productName, transactionId }: LetterOf<"payment-restored">) {
  return because === "dispute-won"
    ? `The dispute over the payment ${transactionId} for ${productName} is over.`
    : `The refund of the payment ${transactionId} for ${productName} failed, so the payment stands. If a refund was agreed, we will be in touch about another way.`;
}
