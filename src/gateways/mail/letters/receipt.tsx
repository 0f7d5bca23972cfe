import { money } from "@/contract/money";
import { type Fact, factLines, moment } from "./format";
import { Button, Copyable, Facts, Heading, Link, Paragraph, paymentLine, PaymentLink } from "./parts";
import type { LetterOf, Writing } from "./writing";

type Receipt = LetterOf<"receipt">;

const next = "Register an account with it to activate your license.";
const keep = "Keep this email and do not share the key: it belongs to the first account that uses it.";
const nextOfMany = "Each activates the license of one account, which is registered with it.";
const keepMany = "Keep this email. Each key belongs to the first account that uses it.";
const seeInvoice = "See the invoice";

export const receipt: Writing<"receipt"> = {
  subject: ({ productName, keys }) =>
    keys.length === 0
      ? `Your receipt for ${productName}`
      : `Your ${productName} license ${keys.length > 1 ? "keys" : "key"} and receipt`,
  preview: ({ keys, giftTo }) =>
    giftTo !== null
      ? "Your payment went through. The key is on its way."
      : keys.length === 0
        ? "Your payment went through."
        : `Your payment went through. The ${keys.length > 1 ? "keys are" : "key is"} inside.`,
  body: (letter) => (
    <>
      <Heading>Your payment went through</Heading>
      <Paragraph>{thanks(letter)}</Paragraph>
      {letter.keys.map((key) => (
        <Copyable key={key}>{key}</Copyable>
      ))}
      {letter.keys.length > 0 && (
        <>
          <Paragraph>{letter.keys.length > 1 ? nextOfMany : next}</Paragraph>
          <Button href={letter.registerUrl}>Register</Button>
        </>
      )}
      <Facts facts={facts(letter)} />
      {letter.keys.length > 0 && <Paragraph quiet>{letter.keys.length > 1 ? keepMany : keep}</Paragraph>}
      <PaymentLink letter={letter} />
      {letter.invoiceUrl && <Link href={letter.invoiceUrl}>{seeInvoice}</Link>}
      {letter.seller.length > 0 && (
        <Paragraph quiet>
          {letter.seller.map((line) => (
            <span key={line}>
              {line}
              <br />
            </span>
          ))}
        </Paragraph>
      )}
    </>
  ),
  text: (letter) => [
    "Your payment went through",
    thanks(letter),
    ...(letter.keys.length > 0
      ? [
          letter.keys.map((key) => `    ${key}`).join("\n"),
          letter.keys.length > 1 ? nextOfMany : next,
          `Register: ${letter.registerUrl}`,
        ]
      : []),
    factLines(facts(letter)),
    ...(letter.keys.length > 0 ? [letter.keys.length > 1 ? keepMany : keep] : []),
    paymentLine(letter),
    ...(letter.invoiceUrl ? [`${seeInvoice}: ${letter.invoiceUrl}`] : []),
    ...(letter.seller.length > 0 ? [letter.seller.join("\n")] : []),
  ],
};

function thanks({ keys, giftTo }: Receipt): string {
  if (giftTo !== null) {
    return `Thank you for your purchase. The license key is mailed to ${giftTo || "its receiver"}.`;
  }
  if (keys.length === 0) return "Thank you for your purchase.";
  return keys.length > 1
    ? "Thank you for your purchase. These are your license keys:"
    : "Thank you for your purchase. This is your license key:";
}

function facts({ productName, quantity, bill, paidAt, transactionId }: Receipt): Fact[] {
  const { asked, off, tax, tax_included: included, paid, refunded, currency } = bill;
  const unlessNone = (name: string, amount: number, sign = ""): Fact[] =>
    amount > 0 ? [[name, `${sign}${money(amount, currency)}`]] : [];
  return [
    ["Product", quantity > 1 ? `${quantity} × ${productName}` : productName],
    ...(off > 0 || tax > 0 ? unlessNone("Price", asked) : []),
    ...unlessNone("Discount", off, "−"),
    ...unlessNone("Tax", tax),
    ["Amount", money(paid, currency)],
    ...unlessNone("Tax included", included),
    ...unlessNone("Refunded", refunded),
    ["Date", moment(paidAt)],
    ["Transaction ID", transactionId],
  ];
}
