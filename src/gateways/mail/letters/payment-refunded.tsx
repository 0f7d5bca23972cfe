import { money } from "@/contract/money";
import { type Fact, factLines } from "./format";
import { Facts, Heading, Paragraph, paymentLine, PaymentLink } from "./parts";
import type { LetterOf, Writing } from "./writing";

type Refunded = LetterOf<"payment-refunded">;

const arrival =
  "The money goes back to the payment method you used; it can take up to ten days to appear on your statement.";
const licence = ({ quantity }: Refunded) =>
  quantity > 1
    ? "A full refund ends the licenses. A partial refund leaves them as they are, unless we agreed on some that end."
    : "A full refund ends the license. A partial refund leaves it as it is.";

export const paymentRefunded: Writing<"payment-refunded"> = {
  subject: ({ productName }) => `Your payment for ${productName} was refunded`,
  preview: ({ bill }) =>
    `${money(bill.refunded, bill.currency)} of ${money(bill.paid, bill.currency)} is refunded.`,
  body: (letter) => (
    <>
      <Heading>Your payment was refunded</Heading>
      <Paragraph>{arrival}</Paragraph>
      <Facts facts={facts(letter)} />
      <Paragraph quiet>{licence(letter)}</Paragraph>
      <PaymentLink letter={letter} />
    </>
  ),
  text: (letter) => [
    "Your payment was refunded",
    arrival,
    factLines(facts(letter)),
    licence(letter),
    paymentLine(letter),
  ],
};

function facts({ productName, bill, transactionId }: Refunded): Fact[] {
  return [
    ["Product", productName],
    ["Paid", money(bill.paid, bill.currency)],
    // several refunds of one payment add up
    ["Refunded in all", money(bill.refunded, bill.currency)],
    ["Transaction ID", transactionId],
  ];
}
