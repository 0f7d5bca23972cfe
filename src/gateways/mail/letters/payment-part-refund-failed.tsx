import { money } from "@/contract/money";
import { type Fact, factLines } from "./format";
import { Facts, Heading, Paragraph, paymentLine, PaymentLink } from "./parts";
import type { LetterOf, Writing } from "./writing";

type Failed = LetterOf<"payment-part-refund-failed">;

const heading = "A refund did not reach you";
const news =
  "Your bank did not take a refund that we had made, so the money came back to us. That happens when, for example, a card has expired.";
const next = "If the refund was agreed, we will be in touch about another way.";

export const paymentPartRefundFailed: Writing<"payment-part-refund-failed"> = {
  subject: ({ productName }) => `A refund for ${productName} did not reach you`,
  preview: ({ amount, bill }) => `${money(amount, bill.currency)} came back to us.`,
  body: (letter) => (
    <>
      <Heading>{heading}</Heading>
      <Paragraph>{news}</Paragraph>
      <Facts facts={facts(letter)} />
      <Paragraph>{next}</Paragraph>
      <PaymentLink letter={letter} />
    </>
  ),
  text: (letter) => [heading, news, factLines(facts(letter)), next, paymentLine(letter)],
};

function facts({ productName, amount, bill, transactionId }: Failed): Fact[] {
  return [
    ["Product", productName],
    ["Came back", money(amount, bill.currency)],
    ["Still refunded", money(bill.refunded, bill.currency)],
    ["Transaction ID", transactionId],
  ];
}
