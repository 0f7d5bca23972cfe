import { Heading, Paragraph, paymentLine, PaymentLink } from "./parts";
import type { LetterOf, Writing } from "./writing";

type Lost = LetterOf<"payment-lost">;

const heading = ({ quantity }: Lost) =>
  quantity > 1 ? "Your licenses have ended" : "Your license has ended";
const ended = ({ quantity }: Lost) =>
  `This ends your ${quantity > 1 ? "licenses, and with them" : "license, and with it"} downloads and the premium role. Your account stays as it is.`;
const mistake = "If you did not mean to dispute the payment, please write to us.";

export const paymentLost: Writing<"payment-lost"> = {
  subject: ({ productName, quantity }) =>
    `Your ${quantity > 1 ? "licenses" : "license"} for ${productName} ${quantity > 1 ? "have" : "has"} ended`,
  preview: () => "The dispute was decided in your favour, and your payment was returned.",
  body: (letter) => (
    <>
      <Heading>{heading(letter)}</Heading>
      <Paragraph>{news(letter)}</Paragraph>
      <Paragraph>{ended(letter)}</Paragraph>
      <Paragraph quiet>{mistake}</Paragraph>
      <PaymentLink letter={letter} />
    </>
  ),
  text: (letter) => [heading(letter), news(letter), ended(letter), mistake, paymentLine(letter)],
};

function news({ productName, transactionId }: Lost) {
  return `The dispute over the payment ${transactionId} for ${productName} was decided in your favour, and your bank returned the money to you.`;
}
