import type { ListedOrder } from "@/domain/mail/letter";
import { money } from "@/contract/money";
import { type Fact, factLines, moment } from "./format";
import { Button, Facts, Heading, Paragraph } from "./parts";
import type { Writing } from "./writing";

const intro = "Somebody asked us to find the orders of this email address. This is what was bought with it:";
const next = "A key that is shown in full has not been used yet: register an account with it.";
const notYou =
  "If you did not ask for it, you don't need to do anything: the list was sent to this address only.";

export const orders: Writing<"orders"> = {
  subject: () => "Your orders",
  preview: () => "What was bought with this address, with its license keys.",
  body: ({ orders: all, registerUrl }) => (
    <>
      <Heading>Your orders</Heading>
      <Paragraph>{intro}</Paragraph>
      {all.map((order) => (
        <Facts key={order.transactionId} facts={facts(order)} />
      ))}
      <Paragraph>{next}</Paragraph>
      <Button href={registerUrl}>Register</Button>
      <Paragraph quiet>{notYou}</Paragraph>
    </>
  ),
  text: ({ orders: all, registerUrl }) => [
    "Your orders",
    intro,
    ...all.map((order) => factLines(facts(order))),
    next,
    `Register: ${registerUrl}`,
    notYou,
  ],
};

function facts({ productName, bill, paidAt, transactionId, keys }: ListedOrder): Fact[] {
  const refunded: Fact[] =
    bill && bill.refunded > 0 ? [["Refunded", money(bill.refunded, bill.currency)]] : [];
  return [
    ["Product", productName],
    ["Amount", bill ? money(bill.paid, bill.currency) : "A gift to you"],
    ...refunded,
    ["Date", moment(paidAt)],
    ["Transaction ID", transactionId],
    ...keys.map((key, at): Fact => [keys.length > 1 ? `License key ${at + 1}` : "License key", key]),
  ];
}
