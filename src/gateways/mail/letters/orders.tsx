import type { ListedOrder, NextStep } from "@/domain/mail/letter";
import { money } from "@/contract/money";
import { type Fact, factLines, moment } from "./format";
import { StepButton, stepLines } from "./next-step";
import { Facts, Heading, Paragraph } from "./parts";
import type { Writing } from "./writing";

const intro = "Somebody asked us to find the orders of this email address. This is what was bought with it:";
const unused = "A key that is shown in full has not been used yet";
/** What to do with such keys. */
const doNext = ({ step }: NextStep) => {
  if (step === "register") return `${unused}: register an account with it.`;
  return step === "spare"
    ? `${unused}. Your account already has a lifetime license, so it is yours to give away.`
    : `${unused}: sign in and add it to your account.`;
};
const notYou =
  "If you did not ask for it, you don't need to do anything: the list was sent to this address only.";

export const orders: Writing<"orders"> = {
  subject: () => "Your orders",
  preview: () => "What was bought with this address, with its license keys.",
  body: ({ orders: all, next }) => (
    <>
      <Heading>Your orders</Heading>
      <Paragraph>{intro}</Paragraph>
      {all.map((order) => (
        <Facts key={order.transactionId} facts={facts(order)} />
      ))}
      {next && (
        <>
          <Paragraph>{doNext(next)}</Paragraph>
          <StepButton next={next} />
        </>
      )}
      <Paragraph quiet>{notYou}</Paragraph>
    </>
  ),
  text: ({ orders: all, next }) => [
    "Your orders",
    intro,
    ...all.map((order) => factLines(facts(order))),
    ...(next ? [doNext(next), ...stepLines(next)] : []),
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
