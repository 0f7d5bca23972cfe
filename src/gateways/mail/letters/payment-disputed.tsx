import { Heading, Paragraph, paymentLine, PaymentLink } from "./parts";
import type { LetterOf, Writing } from "./writing";

type Disputed = LetterOf<"payment-disputed">;

const mistake =
  "If you did not mean to dispute it, tell your bank that you want to withdraw the dispute, and write to us.";

export const paymentDisputed: Writing<"payment-disputed"> = {
  subject: ({ productName }) => `Your payment for ${productName} is disputed`,
  preview: ({ quantity }) =>
    `The ${quantity > 1 ? "licenses are" : "license is"} suspended until the dispute is decided.`,
  body: (letter) => (
    <>
      <Heading>Your payment is disputed</Heading>
      <Paragraph>{news(letter)}</Paragraph>
      <Paragraph>{meanwhile(letter)}</Paragraph>
      <Paragraph quiet>{mistake}</Paragraph>
      <PaymentLink letter={letter} />
    </>
  ),
  text: (letter) => [
    "Your payment is disputed",
    news(letter),
    meanwhile(letter),
    mistake,
    paymentLine(letter),
  ],
};

function news({ productName, transactionId }: Disputed) {
  return `Your bank informed us that the payment ${transactionId} for ${productName} is disputed.`;
}

function meanwhile({ quantity }: Disputed) {
  return quantity > 1
    ? "Until the dispute is decided, the licenses are suspended, and with them downloads and the premium role. " +
        "If it is decided in our favour, everything is restored automatically; if not, the licenses end."
    : "Until the dispute is decided, the license is suspended, and with it downloads and the premium role. " +
        "If it is decided in our favour, everything is restored automatically; if not, the license ends.";
}
