import { money } from "@/contract/money";
import { type Fact, factLines, moment } from "./format";
import { Button, Copyable, Facts, Heading, Paragraph, paymentLine, PaymentLink } from "./parts";
import type { LetterOf, Writing } from "./writing";

const thanks = "Thank you for your purchase. This is your license key:";
const next = "Register an account with it to activate your license.";
const keep = "Keep this email and do not share the key: it belongs to the first account that uses it.";

export const receipt: Writing<"receipt"> = {
  subject: ({ productName }) => `Your ${productName} license key and receipt`,
  preview: () => "Your payment went through. The key is inside.",
  body: (letter) => (
    <>
      <Heading>Your payment went through</Heading>
      <Paragraph>{thanks}</Paragraph>
      <Copyable>{letter.key}</Copyable>
      <Paragraph>{next}</Paragraph>
      <Button href={letter.registerUrl}>Register</Button>
      <Facts facts={facts(letter)} />
      <Paragraph quiet>{keep}</Paragraph>
      <PaymentLink letter={letter} />
    </>
  ),
  text: (letter) => [
    "Your payment went through",
    thanks,
    `    ${letter.key}`,
    next,
    `Register: ${letter.registerUrl}`,
    factLines(facts(letter)),
    keep,
    paymentLine(letter),
  ],
};

function facts({ productName, bill, paidAt, transactionId }: LetterOf<"receipt">): Fact[] {
  return [
    ["Product", productName],
    ["Amount", money(bill.paid, bill.currency)],
    ["Date", moment(paidAt)],
    ["Transaction ID", transactionId],
  ];
}
