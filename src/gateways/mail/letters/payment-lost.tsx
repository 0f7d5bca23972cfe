import { Heading, Paragraph, paymentLine, PaymentLink } from "./parts";
import type { LetterOf, Writing } from "./writing";

const ended =
  "This ends your license, and with it downloads and the premium role. Your account stays as it is.";
const mistake = "If you did not mean to dispute the payment, please write to us.";

export const paymentLost: Writing<"payment-lost"> = {
  subject: ({ productName }) => `Your license for ${productName} has ended`,
  preview: () => "The dispute was decided in your favour, and your payment was returned.",
  body: (letter) => (
    <>
      <Heading>Your license has ended</Heading>
      <Paragraph>{news(letter)}</Paragraph>
      <Paragraph>{ended}</Paragraph>
      <Paragraph quiet>{mistake}</Paragraph>
      <PaymentLink letter={letter} />
    </>
  ),
  text: (letter) => ["Your license has ended", news(letter), ended, mistake, paymentLine(letter)],
};

function news({ productName, transactionId }: LetterOf<"payment-lost">) {
  return `The dispute over the payment ${transactionId} for ${productName} was decided in your favour, and your bank returned the money to you.`;
}
