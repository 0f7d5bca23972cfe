import { StepButton, stepLines, stepSentence } from "./next-step";
import { Copyable, Heading, Paragraph, Quotation, quoted } from "./parts";
import type { LetterOf, Writing } from "./writing";

const next = "Register an account with this license key to activate it:";
const keep = "Keep this email and do not share the key: it belongs to the first account that uses it.";

export const gift: Writing<"gift"> = {
  subject: ({ productName }) => `A gift for you: ${productName}`,
  preview: () => "The license key is inside.",
  body: (letter) => (
    <>
      <Heading>A gift for you</Heading>
      <Paragraph>{given(letter)}</Paragraph>
      {letter.message && (
        <>
          <Paragraph>{wrote(letter)}</Paragraph>
          <Quotation>{letter.message}</Quotation>
        </>
      )}
      <Paragraph>{stepSentence(letter, next)}</Paragraph>
      <Copyable>{letter.key}</Copyable>
      <StepButton next={letter} />
      <Paragraph quiet>{keep}</Paragraph>
    </>
  ),
  text: (letter) => [
    "A gift for you",
    given(letter),
    ...(letter.message ? [`${wrote(letter)}\n\n${quoted(letter.message)}`] : []),
    stepSentence(letter, next),
    `    ${letter.key}`,
    ...stepLines(letter),
    keep,
  ],
};

const given = ({ from, productName }: LetterOf<"gift">) => `${from ?? "Somebody"} gives you ${productName}.`;

/** What follows is not the shop speaking. */
const wrote = ({ from }: LetterOf<"gift">) => `${from ?? "Somebody"} wrote:`;
