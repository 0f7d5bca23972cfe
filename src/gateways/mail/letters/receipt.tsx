import { money } from "@/contract/money";
import type { KeyStep } from "@/domain/mail/letter";
import { type Fact, factLines, moment } from "./format";
import { StepButton, stepLines, stepSentence } from "./next-step";
import { Copyable, Facts, Heading, Link, Paragraph, paymentLine, PaymentLink } from "./parts";
import type { LetterOf, Writing } from "./writing";

type Receipt = LetterOf<"receipt">;

const next = "Register an account with it to activate your license.";
const keep = "Keep this email and do not share the key: it belongs to the first account that uses it.";
const nextOfMany = {
  register: "Each activates the license of one account, which is registered with it.",
  "sign-in": "Each activates the license of one account. Sign in and add one to yours.",
  spare: "Your account already has a lifetime license, so these keys are yours to give away.",
  added: "They are on your account already.",
  used: "They are in use already.",
} as const satisfies Record<KeyStep, string>;
const keepUsed = "Keep this email as the proof of your purchase.";
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
          <Paragraph>{nextOf(letter)}</Paragraph>
          <StepButton next={letter} />
        </>
      )}
      <Facts facts={facts(letter)} />
      {letter.keys.length > 0 && <Paragraph quiet>{keepOf(letter)}</Paragraph>}
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
      ? [letter.keys.map((key) => `    ${key}`).join("\n"), nextOf(letter), ...stepLines(letter)]
      : []),
    factLines(facts(letter)),
    ...(letter.keys.length > 0 ? [keepOf(letter)] : []),
    paymentLine(letter),
    ...(letter.invoiceUrl ? [`${seeInvoice}: ${letter.invoiceUrl}`] : []),
    ...(letter.seller.length > 0 ? [letter.seller.join("\n")] : []),
  ],
};

const nextOf = (letter: Receipt) =>
  letter.keys.length > 1 ? nextOfMany[letter.step] : stepSentence(letter, next);

function keepOf({ keys, step }: Receipt): string {
  if (step === "added" || step === "used") return keepUsed;
  return keys.length > 1 ? keepMany : keep;
}

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
