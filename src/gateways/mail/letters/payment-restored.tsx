import { Heading, Paragraph, paymentLine, PaymentLink } from "./parts";
import type { LetterOf, Writing } from "./writing";

type Restored = LetterOf<"payment-restored">;

const heading = ({ quantity }: Restored) =>
  quantity > 1 ? "Your licenses are back" : "Your license is back";
const whole = ({ quantity }: Restored) =>
  `The ${quantity > 1 ? "licenses" : "license"}, downloads and the premium role work as before. You don't need to do anything.`;

export const paymentRestored: Writing<"payment-restored"> = {
  subject: ({ productName, quantity }) =>
    `Your ${quantity > 1 ? "licenses" : "license"} for ${productName} ${quantity > 1 ? "are" : "is"} back`,
  preview: ({ quantity }) => (quantity > 1 ? "They work as before." : "It works as before."),
  body: (letter) => (
    <>
      <Heading>{heading(letter)}</Heading>
      <Paragraph>{news(letter)}</Paragraph>
      <Paragraph>{whole(letter)}</Paragraph>
      <PaymentLink letter={letter} />
    </>
  ),
  text: (letter) => [heading(letter), news(letter), whole(letter), paymentLine(letter)],
};

function news({ because, productName, transactionId }: Restored) {
  return because === "dispute-won"
    ? `The dispute over the payment ${transactionId} for ${productName} is over.`
    : `The refund of the payment ${transactionId} for ${productName} failed, so the payment stands. If a refund was agreed, we will be in touch about another way.`;
}
